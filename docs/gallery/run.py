"""Run the notebooks of the gallery and keep what they show: `python docs/gallery/run.py [NAME]`.

Two runs write the same bytes: execution counts, times and the state of a viewer are left out.
Warnings are errors in the notebooks. Needs nbclient and ipykernel (extra dev).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode
from traitlets.config import Config

FOLDER = Path(__file__).resolve().parent
PYTHON = {"display_name": "Python 3", "language": "python", "name": "python3"}
STRICT = "import warnings\nwarnings.simplefilter('error')"
LENIENT = "warnings.simplefilter('ignore')"  # the kernel has some of its own, as it ends
SECONDS = 300  # of waiting for a cell, on a busy machine


def notebooks() -> list[Path]:
    """The notebooks of the gallery."""
    return sorted(FOLDER.glob("*.ipynb"))


def executed(path: Path) -> NotebookNode:
    """The notebook as a run of it is, in a folder of its own, with nothing that changes by run."""
    notebook = nbformat.read(path, as_version=4)
    cells = notebook.cells
    notebook.cells = [_hidden(STRICT), *cells, _hidden(LENIENT)]
    with TemporaryDirectory() as folder:
        client = NotebookClient(
            notebook,
            kernel_name="python3",
            timeout=SECONDS,
            record_timing=False,
            coalesce_streams=True,
            resources={"metadata": {"path": folder}},
            # Not over ports: two runs at once would take each other's.
            config=Config(ConnectionFileMixin={"transport": "ipc", "ip": f"{folder}/kernel"}),
        )
        # A profile of the user's own would change what is shown.
        client.execute(env={**os.environ, "IPYTHONDIR": folder, "COLUMNS": "100"})
    notebook.cells = notebook.cells[1:-1]
    return _settled(notebook)


def _hidden(text: str) -> NotebookNode:
    return nbformat.v4.new_code_cell(text)


def _settled(notebook: NotebookNode) -> NotebookNode:
    notebook.metadata = nbformat.from_dict(
        {"kernelspec": PYTHON, "language_info": {"name": "python"}}
    )
    for cell in notebook.cells:
        # What the site is told of a picture, such as its words for who cannot see it, stays.
        kept = {name: told for name, told in cell.metadata.items() if name in ("mystnb", "tags")}
        cell.metadata = nbformat.from_dict(kept)
        if cell.cell_type == "code":
            cell.execution_count = None
            for output in cell.outputs:
                if output.output_type == "execute_result":
                    output.execution_count = None
    return notebook


def shown(notebook: NotebookNode) -> list[list[str]]:
    """The texts that each code cell shows; of a picture only that there is one."""
    return [
        [_text(output) for output in cell.outputs]
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


def _text(output: NotebookNode) -> str:
    if output.output_type == "stream":
        return f"{output.name}: {output.text}"
    if "image/png" in output.data:
        return "(picture)"
    return str(output.data["text/plain"])


def main(names: Sequence[str]) -> None:
    """Run the notebooks that are named, or all, and write each beside its place, then there."""
    for path in notebooks():
        if names and path.stem not in names:
            continue
        part = path.with_name(f".{path.name}.{os.getpid()}.part")
        part.write_text(nbformat.writes(executed(path)) + "\n", encoding="utf-8")
        part.replace(path)
        print(path.name)


if __name__ == "__main__":
    main(sys.argv[1:])
