"""Time and memory of growing a tree, against scikit-learn's.

    python benchmarks/trees/grower.py [--rows 1000000] [--repeats 5] [--depth 8] [--write]

On Adult (../shared/data), and on a generated table with ten numbers and four categories. Ours takes
the frame as it is; scikit-learn's tree takes numbers that its own OrdinalEncoder made, which is
timed apart. All ways take turns and the median of each is shown, so that a busy machine slows all
of them alike; CPU time is shown too, since threads are used. Memory is the peak of the process
above what the data take, each way in a process of its own.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import sklearn
from sklearn.preprocessing import OrdinalEncoder
from sklearn.tree import DecisionTreeClassifier

import arbitree as ar

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data"
Ways = dict[str, Callable[[], object]]
OURS, THEIRS = "ours, frame as it is", "scikit-learn, numbers"
OURS_GROWN_OUT, THEIRS_GROWN_OUT = "ours, no limit of depth", "scikit-learn, no limit of depth"
NAMES = {"ours": "ours", "theirs": "scikit-learn"}


TEMPLATE = """# How fast trees are grown

Made by `python benchmarks/trees/grower.py --write`: scikit-learn {version}, numpy {numpy}, {cpus}
cores, with other work on the machine. All ways take turns, {repeats} each after one that is not
timed; medians. CPU time is what to compare: that on the clock depends on what else runs.

Ours takes the frame as it is, texts and all. scikit-learn's tree takes numbers, which its
`OrdinalEncoder` made of texts before; that is a line of its own.

{tables}

## Memory

Peak of the process beyond the input, {memory_rows:,} generated rows of 14 float32 numbers, depth
{depth}:

| | MiB | bytes a cell |
|---|--:|--:|
{memory}

One byte a cell is the codes of the features, which every split is counted from.

## What follows

- At depth {depth} on Adult we take {adult:.2f} times the CPU time of scikit-learn, without the
  encoding.
- On {rows:,} rows we take {large:.2f} times its CPU time: rows are counted in at most 255 bins a
  feature (`max_bins`), where scikit-learn sorts the numbers of each node.
- Trees without a limit of depth are where scikit-learn is faster, {full:.1f} times on Adult: a node
  of a few rows costs us nearly as much as a large one. Such trees have thousands of leaves.
- `SplitGap` and C-LRT cost little more than a plain tree: groups are counted with the classes.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--depth", type=int, default=8)
    parser.add_argument("--memory-of", choices=["nothing", "ours", "theirs"])
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks/tree-speed.md")
    asked = parser.parse_args()
    if asked.memory_of is not None:
        print(_peak(asked.memory_of, asked.rows, asked.depth))
        return
    text = page(asked)
    print(text)
    if asked.write:
        target = Path(__file__).resolve().parents[2] / "docs/benchmarks/tree-speed.md"
        target.write_text(text, encoding="utf-8")


def page(asked: argparse.Namespace) -> str:
    base = memory("nothing", asked)  # first: a process starts with the peak of its parent
    extra = {of: memory(of, asked) - base for of in ("ours", "theirs")}
    tables, ratios = [], {}
    for title, (X, y, sensitive) in (("Adult", adult()), ("generated", generated(asked.rows))):
        times = turns(ways(X, y, sensitive, asked.depth), asked.repeats)
        rows = [f"| {name} | {wall:,.0f} | {cpu:,.0f} |" for name, (wall, cpu) in times.items()]
        head = f"## {title}: {len(X):,} rows, {X.shape[1]} features, depth {asked.depth}"
        tables.append("\n".join([head, "", "| | ms | CPU ms |", "|---|--:|--:|", *rows]))
        ratios[title] = times[OURS][1] / times[THEIRS][1]
        if title == "Adult":
            ratios["full"] = times[OURS_GROWN_OUT][1] / times[THEIRS_GROWN_OUT][1]
    return TEMPLATE.format(
        version=sklearn.__version__,
        numpy=np.__version__,
        cpus=os.cpu_count(),
        repeats=asked.repeats,
        tables="\n\n".join(tables),
        memory_rows=asked.rows,
        depth=asked.depth,
        memory="\n".join(
            f"| {NAMES[of]} | {more / 2**20:.0f} | {more / (asked.rows * 14):.2f} |"
            for of, more in extra.items()
        ),
        adult=ratios["Adult"],
        large=ratios["generated"],
        full=ratios["full"],
        rows=asked.rows,
    )


def ways(X: pd.DataFrame, y: np.ndarray, sensitive: pd.Series, depth: int) -> Ways:
    texts = [name for name in X if not pd.api.types.is_numeric_dtype(X[name])]
    encoder = OrdinalEncoder()
    numbers = X.assign(**dict.fromkeys(texts, 0.0)).astype(np.float32)
    numbers[texts] = encoder.fit_transform(X[texts])
    coded = np.ascontiguousarray(numbers.to_numpy(), dtype=np.float32)
    y = np.asarray(y)

    def ours(data: object, **options: Any) -> Callable[[], object]:
        tree = ar.TreeClassifier(max_depth=depth, **options)
        groups = None if options.get("parity") is None else sensitive
        return lambda: tree.fit(data, y, sensitive_features=groups)

    found = {
        OURS: ours(X),
        "ours, numbers": ours(coded),
        THEIRS: lambda: DecisionTreeClassifier(max_depth=depth).fit(coded, y),
        "encoding texts for it": lambda: OrdinalEncoder().fit_transform(X[texts]),
        "ours, SplitGap(0.05)": ours(X, parity=ar.SplitGap(0.05)),
        "ours, LRT": ours(X, split="logistic"),
        "ours, C-LRT, Covariance(0.01)": ours(X, split="logistic", parity=ar.Covariance(0.01)),
        "ours, 32 leaves": ours(X, max_leaf_nodes=32),
    }
    if len(X) < 100_000:  # of eight levels each, 8 deep, there are too many branches
        found["ours, multiway"] = ours(X, split="multiway", criterion="entropy")
        found[OURS_GROWN_OUT] = grown_out(ar.TreeClassifier(), X, y)
        found[THEIRS_GROWN_OUT] = grown_out(DecisionTreeClassifier(), coded, y)
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
