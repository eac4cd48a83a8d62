"""How many nodes a repair adds to a tree, against learning a tree with the rules.

python benchmarks/rules/repairing.py [folder with mushroom.csv.gz and credit_default_taiwan.csv.gz]
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

import arbitree as ar

PAPER = """
feature stalk-color-below-ring: {g, ...}
cap-shape = b and gill-color = r => p
stalk-color-above-ring = b and stalk-color-below-ring = g => p
"""
AGAINST = "cap-shape = b and gill-color = g => p"  # 96 of 108 rows
LIMITS = ["LIMIT_BAL < 20000", "AGE < 25", "PAY_0 >= 2"]


def cases(folder: Path) -> Iterator[tuple[str, Any, str, pd.DataFrame, pd.Series, Any, str]]:
    """What it is, a fitted tree, rules, rows, labels, the domain, and nodes of a tree learnt so."""
    mushroom = pd.read_csv(folder / "mushroom.csv.gz", dtype=str, keep_default_na=False)
    X, y = mushroom.drop(columns="class"), mushroom["class"]
    for name, rules in (("two rules", PAPER), ("bell and g", AGAINST)):
        for split in ("multiway", "threshold"):
            plain = ar.TreeClassifier(split=split, criterion="entropy")
            ruled = clone(plain).set_params(rules=rules, contradictions="keep")
            learnt = ruled.fit(X, y)
            model = plain.fit(X, y)
            yield f"Mushroom, {name}, {split}", model, rules, X, y, None, f"{learnt.tree_.n_nodes}"
    credit = pd.read_csv(folder / "credit_default_taiwan.csv.gz")
    y = credit.pop("DEFAULT_PAYMENT")
    X = credit.select_dtypes("number")
    tree = DecisionTreeClassifier(random_state=0).fit(X, y)
    for n in (1, 2, 3):
        rules = f"{' and '.join(LIMITS[:n])} => 1"
        yield f"Taiwan credit, `{rules}`", tree, rules, X, y, None, ""
        yield "the same, no value missing", tree, rules, X, y, X, ""


def main() -> None:
    """Print a table of nodes, decisions that changed, and CPU seconds."""
    warnings.simplefilter("ignore", ar.ArbitreeWarning)
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("../shared/data")
    print("| | before | repaired | learnt | rows changed | CPU s |")
    print("|---|--:|--:|--:|--:|--:|")
    for name, model, rules, X, y, domain, learnt in cases(folder):
        start = time.process_time()
        safe = ar.repair(model, rules, X, y, contradictions="keep", domain=domain)
        seconds, found = time.process_time() - start, safe.repair_
        sizes = f"{found.n_nodes_before:,} | {found.n_nodes:,} | {learnt}"
        print(f"| {name} | {sizes} | {found.n_changed} | {seconds:.1f} |")


if __name__ == "__main__":
    main()
