"""Whether a LightGBM file is whole: LightGBM itself ends the whole program on one that is not.

It believes the numbers in the file: where a part is missing, or a child or a feature is none, it
reads memory that is not its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from arbitree._errors import InputError

_BY_NODE = ("split_feature", "threshold", "decision_type", "left_child", "right_child")
_AGAIN = "Save the model again, with booster.save_model(path)."


def check_whole(text: str, path: str) -> None:
    """Refuse a file of which LightGBM would read more than there is.

    Raises
    ------
    InputError
        Says what is missing, or which line is wrong.
    """
    lines = text.splitlines()
    _check_ends(lines, path)
    starts = [at for at, line in enumerate(lines) if line.startswith("Tree=")]
    end = lines.index("end of trees")
    head = _fields(lines[: starts[0]] if starts else lines[:end])
    sizes = head.get("tree_sizes", "").split()
    if "tree_sizes" in head and len(sizes) != len(starts):
        raise _broken(path, f"it says that it has {len(sizes)} trees, and has {len(starts)}")
    _check_sizes(text, sizes, path)
    n_features = _whole(head, "max_feature_idx", "its head", path)[0] + 1
    for tree, (start, stop) in enumerate(pairwise([*starts, end])):
        _check_tree(_fields(lines[start:stop]), n_features, f"tree {tree}", path)


def _check_ends(lines: list[str], path: str) -> None:
    """Each part is closed by a line of its own."""
    closed = ["end of trees"] + (["end of parameters"] if "parameters:" in lines else [])
    for line in closed:
        if line not in lines:
            raise _broken(path, f"its line {line!r} is missing, so that it was cut off")
    if "parameters:" in lines:
        for line in lines[lines.index("parameters:") + 1 : lines.index("end of parameters")]:
            if line and ":" not in line:
                raise _broken(path, f"its line {line[:60]!r} is no '[name: value]'")


def _check_sizes(text: str, sizes: list[str], path: str) -> None:
    """LightGBM jumps from tree to tree by the bytes that each takes."""
    if not sizes:
        return
    data = text.encode("utf-8")
    at = data.find(b"Tree=0")
    for tree, size in enumerate(sizes):
        begin = f"Tree={tree}".encode()
        if not size.isdecimal() or at < 0 or not data.startswith(begin + b"\n", at):
            raise _broken(path, f"its tree {tree} is not where its line tree_sizes says")
        at += int(size)
    if not data.startswith(b"end of trees", at):
        raise _broken(path, "its trees do not end where its line tree_sizes says")


def _check_tree(fields: Mapping[str, str], n_features: int, where: str, path: str) -> None:
    """Every split has two children, every node but the root one parent, every leaf a value."""
    for name, value in fields.items():
        if not all(map(_is_number, value.split())):
            raise _broken(path, f"the line {name}= of {where} has a word that is no number")
    (n_leaves, *_) = _whole(fields, "num_leaves", where, path)
    if n_leaves < 1 or len(fields.get("leaf_value", "").split()) != n_leaves:
        raise _broken(path, f"{where} has not one value for each of its {n_leaves} leaves")
    if n_leaves == 1:
        return
    for name in _BY_NODE:
        if len(fields.get(name, "").split()) != n_leaves - 1:
            raise _broken(path, f"{where} has not one {name} for each of its {n_leaves - 1} splits")
    children = [
        *_whole(fields, "left_child", where, path),
        *_whole(fields, "right_child", where, path),
    ]
    if sorted(children) != [*range(-n_leaves, 0), *range(1, n_leaves - 1)]:
        raise _broken(path, f"the children of {where} are not those of a tree")
    used = _whole(fields, "split_feature", where, path)
    used += (
        _whole(fields, "leaf_features", where, path)
        if fields.get("leaf_features", "").strip()
        else []
    )
    if any(not 0 <= feature < n_features for feature in used):
        raise _broken(path, f"{where} splits a feature that is none of its {n_features}")


def _fields(lines: list[str]) -> dict[str, str]:
    return {
        name: value for name, equals, value in (line.partition("=") for line in lines) if equals
    }


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _whole(fields: Mapping[str, str], name: str, where: str, path: str) -> list[int]:
    """The whole numbers of a line."""
    try:
        found = [int(number) for number in fields[name].split()]
    except (KeyError, ValueError):
        found = []
    if not found:
        raise _broken(path, f"{where} has no line {name}= of whole numbers")
    return found


def _broken(path: str, what: str) -> InputError:
    return InputError(f"{path} is no whole model of LightGBM: {what}. {_AGAIN}")
