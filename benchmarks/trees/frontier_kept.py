"""What a method found on a split, kept: rerun only when the code of that method has changed."""

from __future__ import annotations

import hashlib
import importlib.metadata
import inspect
import json
import time
from functools import partial
from pathlib import Path
from typing import Any

import frontier_data
import frontier_peers
import numpy as np
from frontier_data import Split
from frontier_methods import METHODS, Method
from frontier_peers import CACHE, PeerError

Found = dict[str, Any]  # points (k, 4): training accuracy and gap, test accuracy and gap; signed
# (k,): the test gap, the last group less the first; ...


def code_of(method: Method, table: str) -> str:
    """A hash of what a result depends on: the method, its packages, how the table is read."""
    run = method.run.func if isinstance(method.run, partial) else method.run
    used = (run, *method.uses, frontier_data.TABLES[table], frontier_data.split_of)
    parts = [inspect.getsource(one) if callable(one) else repr(one) for one in used]
    parts += [path.read_text(encoding="utf-8") for path in method.code]
    parts += [f"{name} {importlib.metadata.version(name)}" for name in method.packages]
    if method.environment:
        parts.append(repr(frontier_peers.PACKAGES[method.environment]))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def key(table: str, split: int, depth: int, leaves: int) -> str:
    return f"{table}/{split}/{depth}/{leaves}"


def _file(name: str) -> Path:
    return CACHE / f"{name}.jsonl"


def kept(name: str) -> dict[str, Found]:
    """Everything found with the method's present code, by key."""
    path = _file(name)
    if not path.exists():
        return {}
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    codes = {table: code_of(METHODS[name], table) for table in frontier_data.TABLES}
    return {one["key"]: one for one in lines if one["code"] == codes[one["key"].split("/")[0]]}


def find(name: str, table: str, number: int, split: Split) -> Found:
    """Run a method on a split and keep what it finds, an error of a peer included."""
    method = METHODS[name]
    found: Found = {
        "key": key(table, number, split.depth, split.leaves),
        "code": code_of(method, table),
    }
    try:
        found |= _points(method, split)
    except PeerError as error:
        found["error"] = str(error)
    CACHE.mkdir(parents=True, exist_ok=True)
    with _file(name).open("a", encoding="utf-8") as file:
        file.write(json.dumps(found) + "\n")
    return found


def _points(method: Method, split: Split) -> Found:
    points, signed, constant, seconds = [], [], [], []
    start = time.process_time()
    for train, test, *own in method.run(split):
        seconds.append(own[0] if own else time.process_time() - start)
        points.append(
            (*measured(train, split.y[0], split.a[0]), *measured(test, split.y[1], split.a[1]))
        )
        signed.append(last_less_first(test, split.a[1]))
        constant.append(bool(np.ptp(np.asarray(train, float)) == 0))
        start = time.process_time()
    return {
        "points": points,
        "signed": signed,
        "constant": constant,
        "seconds": seconds,
        "always": always(split),
        "n_test": len(split.y[1]),
    }


def always(split: Split) -> tuple[float, float]:
    """Training and test accuracy of one decision for everybody."""
    best = int(split.y[0].mean() >= 0.5)
    return tuple(float((y == best).mean()) for y in split.y)


def measured(p: np.ndarray, y: np.ndarray, a: np.ndarray) -> tuple[float, float]:
    """Accuracy and gap of statistical parity, in expectation."""
    p = np.asarray(p, float)
    rates = [p[a == group].mean() for group in np.unique(a)]
    return float(np.where(y == 1, p, 1 - p).mean()), float(max(rates) - min(rates))


def last_less_first(p: np.ndarray, a: np.ndarray) -> float:
    """The difference of two groups' rates with its sign, which a mean over splits needs."""
    first, last = np.unique(a)[[0, -1]]
    return float(np.asarray(p, float)[a == last].mean() - np.asarray(p, float)[a == first].mean())


def chosen(found: Found, target: float) -> tuple[float, float, bool]:
    """Test accuracy and gap of the point that training rows choose, and whether it is constant.

    One decision for everybody is a candidate of every method.
    """
    best = chosen_point(found, target)
    if best is None:
        return found["always"][1], 0.0, True
    return (*found["points"][best][2:], found["constant"][best])


def chosen_point(found: Found, target: float) -> int | None:
    """Which point training rows choose; None for one decision for everybody."""
    points = np.array(found["points"])
    accuracy = np.where(points[:, 1] <= target + 1e-9, points[:, 0], -1)
    best = int(np.argmax(accuracy))
    return best if accuracy[best] >= found["always"][0] else None
