"""``arbitree export``: a learnt tree in another format, with the same decisions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .._errors import InputError
from . import options as opt
from .tree_file import FORMATS, tree_file
from .words import Words

Tree = Annotated[Path, typer.Argument(metavar="TREE", help="A tree.json.", show_default=False)]
Target = Annotated[
    Path,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help=f"Where to write it: {' '.join(FORMATS)}",
        show_default=False,
    ),
]


def export(tree: Tree, output_file: Target, quiet: opt.Quiet = False) -> int:
    """Write a tree.json as source (.py .sql), rules or text (.txt), ONNX or skops.

    Exit status: 0 fine, 2 a usage or input error.
    """
    from ..tree.saved_tree import read_tree

    if str(output_file) == "-":
        raise InputError("-o - says no format. Name a file.")
    target = tree_file(output_file, reads=str(tree))
    if tree.suffix.lower() != ".json":
        raise InputError(f"{tree} should be a tree.json, as arbitree learn -o writes it.")
    assert target is not None
    target.write(read_tree(tree))
    Words(quiet=quiet).say(f"wrote {output_file}")
    return 0
