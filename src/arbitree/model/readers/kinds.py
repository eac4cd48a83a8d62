"""What a model file is, by its first bytes: a wrong ending gets a better answer than its reader's.

Endings choose the reader; the bytes only say what is wrong.
"""

from __future__ import annotations

from arbitree._errors import InputError

_KNOWN = {
    ".skops": "a skops file",
    ".txt": "a model of LightGBM",
    ".ubj": "a model of XGBoost",
    ".json": "a tree.json",
    ".onnx": "an ONNX model",
}


def refuse_other_kind(data: bytes, suffix: str, path: str) -> None:
    """Refuse a file that is plainly of another kind than its name says.

    Raises
    ------
    InputError
        Says what it looks like and which ending such files have.

    Examples
    --------
    >>> refuse_other_kind(b"tree\\nversion=v4\\n", ".json", "model.json")
    Traceback (most recent call last):
    arbitree._errors.InputError: model.json looks like a model of LightGBM, whose files end in ...
    """
    if not data:
        raise InputError(f"{path} is empty. Save the model again.")
    found = _ending(data)
    if found is None or suffix in (found, ".ubj" if found == ".xgboost" else found):
        return
    if found == ".xgboost":
        if suffix != ".json":
            raise InputError(_renamed(path, "a model of XGBoost", ".json"))
    else:
        raise InputError(_renamed(path, _KNOWN[found], found))


def _renamed(path: str, kind: str, ending: str) -> str:
    return f"{path} looks like {kind}, whose files end in {ending}. Rename it if it is one."


def _ending(data: bytes) -> str | None:
    if data.startswith(b"PK\x03\x04") and b"schema.json" in data:
        return ".skops"
    if data.startswith((b"tree\n", b"tree\r\n")):
        return ".txt"
    if data.lstrip().startswith(b"{"):
        if b'"arbitree-tree"' in data[:200]:
            return ".json"
        return ".xgboost" if b'"learner"' in data else _ubjson(data)
    # The version of ONNX, then its maker's name or the graph, as protobuf writes them.
    is_onnx = data[:1] == b"\x08" and data[1] < 32 and data[2:3] in (b"\x12", b":", b"B")
    return ".onnx" if len(data) > 2 and is_onnx else None


def _ubjson(data: bytes) -> str | None:
    return ".ubj" if data.startswith(b"{L") and b"learner" in data else None
