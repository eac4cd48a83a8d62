"""How long a certificate of many leaves and rules takes to be made and checked, and its size.

python benchmarks/rules/certifying.py [--quick]
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

import numpy as np
from benchmarks.influence.page import environment, table, write

import arbitree as ar
from arbitree.certificate.check.run import check_certificate
from arbitree.certificate.fairness import certify
from arbitree.model.tree import LEAF, Feature, Tree
from arbitree.rules.leaves import leaves_of_tree
from arbitree.rules.ruleset import Rules
from arbitree.rules.verify import bound_to_model
from arbitree.table.codings import CategoryCoding, NumericCoding

CLASSES = ("approve", "review", "deny")
LEVELS = tuple("abcdef")
NUMBERS = [f"x{j}" for j in range(4)]
CATEGORIES = [f"c{j}" for j in range(4)]
PROBLEMS = [
    (1_000, 10, 0),
    (10_000, 10, 0),
    (10_000, 100, 0),
    (10_000, 100, 10),
    (10_000, 1_000, 0),
]
WITH_Z3 = (1_000, 100, 0)
REPEATS = 3


def features(*, missing: bool) -> list[Feature]:
    """Four numbers and four categories of six levels, other levels not excluded."""
    number = NumericCoding(
        edges=np.empty(0, np.float32), exact=False, values=None, kind="number",
        admits_missing=missing,
    )  # fmt: skip
    category = CategoryCoding(levels=LEVELS, admits_missing=missing)
    return [Feature(name=name, coding=number) for name in NUMBERS] + [
        Feature(name=name, coding=category) for name in CATEGORIES
    ]


def random_tree(n_leaves: int, rng: np.random.Generator, *, missing: bool) -> Tree:
    """Leaves are split, the oldest first, where some of their rows go either way; all deny."""
    splits: dict[int, tuple[int, float, list[int], list[int]]] = {}
    waiting: list[tuple[int, dict[int, tuple[float, float]], dict[int, list[int]]]] = [(0, {}, {})]
    n_nodes = 1
    while len(splits) < n_leaves - 1:
        node, limits, levels = waiting.pop(0)
        j = int(rng.choice([j for j in range(8) if j < 4 or len(levels.get(j, LEVELS)) > 1]))
        sides: list[tuple[dict, dict]]
        if j < 4:
            low, high = limits.get(j, (-3.0, 3.0))
            cut = float(np.float32(rng.uniform(low, high)))
            threshold, routes = cut, [int(rng.integers(2))]
            sides = [({**limits, j: (low, cut)}, levels), ({**limits, j: (cut, high)}, levels)]
        else:
            here = levels.get(j, list(range(len(LEVELS))))
            first = set(rng.choice(here, int(rng.integers(1, len(here))), replace=False).tolist())
            threshold = np.nan
            routes = [0 if code in first else 1 for code in range(len(LEVELS) + 1)]
            parts = [[c for c in here if (c in first) == yes] for yes in (True, False)]
            sides = [(limits, {**levels, j: part}) for part in parts]
        splits[node] = (j, threshold, [n_nodes, n_nodes + 1], routes)
        waiting += [(n_nodes + at, *side) for at, side in enumerate(sides)]
        n_nodes += 2
    leaf = (LEAF, np.nan, [], [])
    nodes = [splits.get(node, leaf) for node in range(n_nodes)]
    return Tree(
        features=tuple(features(missing=missing)),
        classes=CLASSES,
        feature=np.array([j for j, *_ in nodes]),
        threshold=np.array([t for _, t, *_ in nodes], np.float32),
        child_start=np.cumsum([0, *(len(c) for _, _, c, _ in nodes)]),
        child=np.array([c for *_, cs, _ in nodes for c in cs]),
        route_start=np.cumsum([0, *(len(r) for *_, r in nodes)]),
        route=np.array([r for *_, rs in nodes for r in rs], np.uint16),
        label=np.full(n_nodes, 2),
        n=np.zeros(n_nodes, np.int64),
        weight=np.zeros((n_nodes, 3)),
    )


def random_rules(n_rules: int, n_facts: int, rng: np.random.Generator) -> Rules:
    """A range of a number and two levels forbid a class; of facts, one level excludes others."""
    lines = []
    for _ in range(n_rules):
        (number,), (first, second) = (
            rng.choice(NUMBERS, 1),
            rng.choice(CATEGORIES, 2, replace=False),
        )
        low = round(float(rng.normal()), 2)
        lines.append(
            f"{low} <= {number} < {low + 0.2:.2f} and {first} = {rng.choice(LEVELS)} and "
            f"{second} = {rng.choice(LEVELS)} => not {rng.choice(CLASSES[:2])}"
        )
    for _ in range(n_facts):
        first, second = rng.choice(CATEGORIES, 2, replace=False)
        few = ", ".join(sorted(rng.choice(LEVELS, 4, replace=False)))
        lines.append(f"{first} = {rng.choice(LEVELS)} => {second} in {{{few}}}")
    return Rules.parse("\n".join(lines))


def safe(tree: Tree, rules: Rules, rng: np.random.Generator) -> Tree:
    """The tree with each leaf deciding one of the classes that rules leave it, at random."""
    bound = bound_to_model(rules, tree.features, tree.classes)
    label = tree.label.copy()
    for leaf in leaves_of_tree(tree, bound.space):
        label[leaf.node] = rng.choice(bound.allowed(leaf.masks))
    given = {name: getattr(tree, name) for name in Tree.__dataclass_fields__}
    return Tree(**{**given, "label": label})


def seconds(task: Callable[[], object]) -> float:
    """CPU seconds, the median of several."""
    taken = []
    for _ in range(REPEATS):
        start = time.process_time()
        task()
        taken.append(time.process_time() - start)
    return median(taken)


def measured(n_leaves: int, n_rules: int, n_facts: int, folder: Path, *, z3: bool) -> list[str]:
    """A row of the table."""
    rng = np.random.default_rng(n_leaves + n_rules + n_facts)
    rules = random_rules(n_rules, n_facts, rng)
    tree = safe(random_tree(n_leaves, rng, missing=n_facts > 0), rules, rng)
    path = folder / "certificate.json"
    certificate = certify(tree, rules=rules)
    certificate.write(path)
    found = check_certificate(path)
    assert found.valid, found.failures
    making = seconds(lambda: certify(tree, rules=rules))
    writing = seconds(lambda: certificate.write(path))
    checking = seconds(lambda: check_certificate(path))
    opinion = "–"
    if z3:
        start = time.process_time()
        assert check_certificate(path, second_opinion="z3").valid
        opinion = f"{time.process_time() - start - checking:.1f}"
    size = path.stat().st_size
    refuted = sum(proof.n_refuted for proof in certificate.safety.proof.rules)
    cells = [f"{certificate.safety.n_leaves:,}", f"{n_rules:,}", f"{n_facts:,}", f"{refuted:,}"]
    times = [f"{one:.2f}" for one in (making, writing, checking)]
    return [*cells, *times, f"{size / 1e6:.2f}", opinion]


def main(arguments: Sequence[str]) -> None:
    """Measure and write the page."""
    quick = "--quick" in arguments
    problems = PROBLEMS[:1] if quick else [*PROBLEMS, WITH_Z3]
    ar.certify(ar.TreeClassifier().fit({"x": [0, 1]}, [0, 1]), rules="x < 0 => 0")  # imports
    with tempfile.TemporaryDirectory() as folder:
        rows = [
            measured(*problem, Path(folder), z3=problem == WITH_Z3 and not quick)
            for problem in problems
        ]
    columns = ["leaves reached", "rules", "facts", "pairs refuted", "certify, s", "write, s",
               "check, s", "file, MB", "z3 besides, s"]  # fmt: skip
    text = PAGE.format(table=table(columns, rows), environment=environment())
    write(text, "rules-certificates", quick=quick)


PAGE = """# Certificates of many leaves and rules

`python -m benchmarks.rules.certifying`. Random trees over four numbers and four categories; a rule
is about a range of a number and two levels, a fact relates levels of two categories (with facts,
values may be missing). Every leaf decides at random among the classes that the rules leave it.
Seconds of CPU time, medians of 3 runs; a check reads the file and derives everything again, without
compiled code.

{table}

A pair of a leaf and a rule is refuted if the leaf decides what the rule forbids, and the path
excludes what the rule is about; all other pairs are satisfied by the decision. What is written down
of the refuted pairs are the first nodes at which they are.

{environment}
"""

if __name__ == "__main__":
    main(sys.argv[1:])
