"""How long rules on a 500-tree forest of the Taiwan credit data take to be refuted.

python benchmarks/rules/verifying.py [folder with credit_default_taiwan.csv.gz]
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier

import arbitree as ar

N_RULES = 20


def random_rules(X: pd.DataFrame, rng: np.random.Generator) -> list[str]:
    """Conjunctions of three comparisons with quantiles of their columns."""
    found = []
    for _ in range(N_RULES):
        atoms = []
        for name in rng.choice(X.columns, 3, replace=False):
            level = rng.uniform(0.02, 0.98)
            limit = float(np.quantile(X[name], level))
            atoms.append(f"{name} {'<=' if level < 0.5 else '>='} {limit:g}")
        found.append(f"{' and '.join(atoms)} => {rng.integers(2)}")
    return found


def main() -> None:
    """Print the seconds of each rule, and whether rows of the data show the violation too."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("../shared/data")
    frame = pd.read_csv(folder / "credit_default_taiwan.csv.gz")
    y = frame.pop("DEFAULT_PAYMENT")
    X = frame.select_dtypes("number").astype(float)
    train = X.sample(4000, random_state=0).index
    model = RandomForestClassifier(500, min_samples_leaf=5, random_state=0)
    model.fit(X.loc[train], y.loc[train])
    decided = model.predict(X)
    times = []
    for text in random_rules(X, np.random.default_rng(0)):
        rules = ar.Rules.parse(text)
        start = time.process_time()
        found = ar.verify(model, rules, domain=X.loc[train], timeout=20)
        seconds = time.process_time() - start
        wrong = int(rules.coverage(X, decided).by_rule.loc[0, "n_overruled"])
        method = found.verdicts[0].method
        print(f"{seconds:6.2f} s  {found.status:9}  {method:30} {wrong:6} rows of the data  {text}")
        if found.status == "violated":
            times.append(seconds)
    print(f"median of {len(times)} refutations: {statistics.median(times):.2f} CPU seconds")


if __name__ == "__main__":
    main()
