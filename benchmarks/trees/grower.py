"""Time and memory of growing a tree, against scikit-learn's.

    python benchmarks/trees/grower.py [--rows 1000000] [--repeats 5] [--depth 8]

On Adult (../shared/data), and on a generated table with ten numbers and four categories. Ours takes
the frame as it is; scikit-learn's tree takes numbers that its own OrdinalEncoder made, which is
timed apart. All ways take turns and the median of each is shown, so that a busy machine slows all
of them alike; CPU time is shown too, since threads are used. Memory is the peak of the process
above what the data take, each way in a process of its own.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.preprocessing import OrdinalEncoder
from sklearn.tree import DecisionTreeClassifier

import arbitree as ar

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data"
Ways = dict[str, Callable[[], object]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--depth", type=int, default=8)
    parser.add_argument("--memory-of", choices=["nothing", "ours", "theirs"])
    asked = parser.parse_args()
    if asked.memory_of is not None:
        print(_peak(asked.memory_of, asked.rows, asked.depth))
        return
    print(f"Peak memory beyond the input, {asked.rows:,} generated rows of 14 numbers (float32)")
    base = memory("nothing", asked)  # first: a process starts with the peak of its parent
    for of in ("ours", "theirs"):
        extra = memory(of, asked) - base
        print(f"  {of:10} {extra / 2**20:8.0f} MiB, {extra / (asked.rows * 14):5.2f} bytes a cell")
    for title, table in (("Adult", adult()), ("generated", generated(asked.rows))):
        X, y, sensitive = table
        print(f"{title}: {len(X):,} rows x {X.shape[1]} features, depth {asked.depth}")
        for name, (wall, cpu) in turns(ways(X, y, sensitive, asked.depth), asked.repeats).items():
            print(f"  {name:46} {wall:9.0f} ms {cpu:9.0f} ms CPU")


def ways(X: pd.DataFrame, y: np.ndarray, sensitive: pd.Series, depth: int) -> Ways:
    texts = [name for name in X if not pd.api.types.is_numeric_dtype(X[name])]
    encoder = OrdinalEncoder()
    numbers = X.assign(**dict.fromkeys(texts, 0.0)).astype(np.float32)
    numbers[texts] = encoder.fit_transform(X[texts])
    coded = np.ascontiguousarray(numbers.to_numpy(), dtype=np.float32)
    y = np.asarray(y)

    def ours(data: object, **options: object) -> Callable[[], object]:
        tree = ar.TreeClassifier(max_depth=depth, **options)  # type: ignore[arg-type]
        groups = None if options.get("parity") is None else sensitive
        return lambda: tree.fit(data, y, sensitive_features=groups)

    found = {
        "ours, frame as it is": ours(X),
        "ours, numbers": ours(coded),
        "scikit-learn, numbers": lambda: DecisionTreeClassifier(max_depth=depth).fit(coded, y),
        "  encoding texts for it": lambda: OrdinalEncoder().fit_transform(X[texts]),
        "ours, SplitGap(0.05)": ours(X, parity=ar.SplitGap(0.05)),
        "ours, LRT": ours(X, split="logistic"),
        "ours, C-LRT, Covariance(0.01)": ours(X, split="logistic", parity=ar.Covariance(0.01)),
        "ours, 32 leaves": ours(X, max_leaf_nodes=32),
    }
    if len(X) < 100_000:  # of eight levels each, 8 deep, there are too many branches
        found["ours, multiway"] = ours(X, split="multiway", criterion="entropy")
        found["ours, no limit of depth"] = grown_out(ar.TreeClassifier(), X, y)
        found["scikit-learn, no limit of depth"] = grown_out(DecisionTreeClassifier(), coded, y)
    return found


def grown_out(tree: Any, X: object, y: np.ndarray) -> Callable[[], object]:
    return lambda: tree.fit(X, y)


def turns(ways: Ways, repeats: int) -> dict[str, tuple[float, float]]:
    """Median wall and CPU time of each way in ms, after one call that is not timed."""
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    for repeat in range(repeats + 1):
        for name, way in ways.items():
            wall, cpu = time.perf_counter(), time.process_time()
            way()
            spent = time.perf_counter() - wall, time.process_time() - cpu
            if repeat:
                times[name].append(spent)
    return {name: tuple(1e3 * np.median(each, axis=0)) for name, each in times.items()}


def adult() -> tuple[pd.DataFrame, np.ndarray, pd.Series]:
    data = pd.read_csv(SHARED / "adult.csv.gz")
    X = data.drop(columns=["income", "sex"])
    return X, (data["income"] == ">50K").to_numpy().astype(int), data["sex"]


def generated(n: int) -> tuple[pd.DataFrame, np.ndarray, pd.Series]:
    rng = np.random.default_rng(0)
    group = rng.integers(0, 2, n)
    X = pd.DataFrame(rng.normal(size=(n, 10)).astype(np.float32) + 0.3 * group[:, None])
    X.columns = [f"x{j}" for j in range(10)]
    score = X.to_numpy() @ rng.normal(size=10) + rng.normal(size=n)
    for j in range(4):
        level = rng.integers(0, 8, n)
        score += rng.normal(size=8)[level]
        X[f"level{j}"] = pd.Categorical.from_codes(level, list("abcdefgh"))
    sensitive = pd.Series(np.array(["f", "m"])[group], name="sex")
    return X, (score > np.median(score)).astype(int), sensitive


def memory(of: str, asked: argparse.Namespace) -> int:
    """Peak memory in bytes of a process that has the data and grows a tree, or does not."""
    command = [sys.executable, __file__, "--memory-of", of]
    command += ["--rows", str(asked.rows), "--depth", str(asked.depth)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def _peak(of: str, n: int, depth: int) -> int:
    rng = np.random.default_rng(0)
    X = rng.random((n, 14), dtype=np.float32)
    y = (X[:, 0] + X[:, 1] + 0.5 * rng.random(n, dtype=np.float32) > 1.2).astype(np.uint8)
    few = slice(0, 200)  # imports and compiled kernels are in memory before
    ar.TreeClassifier(max_depth=depth).fit(X[few], y[few])
    DecisionTreeClassifier(max_depth=depth).fit(X[few], y[few])
    if of == "ours":
        ar.TreeClassifier(max_depth=depth).fit(X, y)
    elif of == "theirs":
        DecisionTreeClassifier(max_depth=depth).fit(X, y)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    main()
