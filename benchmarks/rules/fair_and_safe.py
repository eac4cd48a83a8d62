"""One tree that is fair and safe: a gap budget and four policy rules, on two tables of credits.

    python benchmarks/rules/fair_and_safe.py [--quick] [folder with the data sets]

Beside it the plain tree, the only fair and the only safe one, on the same splits: 60 % of the rows
to grow on, 20 % to calibrate the certificate, 20 % to test. The rules were written before any tree
was grown, and nothing was chosen on test rows. Writes docs/benchmarks/rules-fair-and-safe.md.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

import arbitree as ar

sys.path.append(str(Path(__file__).resolve().parents[1] / "influence"))
from page import environment, progress, table, write

N_SPLITS, BUDGET = 10, 0.02
SIZE = {"max_depth": 5, "max_leaf_nodes": 32}
TAIWAN = """
PAY_0 >= 3                                                     => refused  [id: three-months-late]
PAY_0 >= 2 and PAY_2 >= 2                                      => refused  [id: late-twice]
AGE < 21 or missing(AGE)                                       => refused  [id: minors]
AGE >= 21 and LIMIT_BAL >= 200000 and PAY_0 <= 0 and PAY_2 <= 0 => granted  [id: always-paid]
"""
GERMAN = """
credit_amount > 15000                                                 => refused  [id: too-much]
employment = unemployed and duration > 36                             => refused  [id: too-long]
missing(checking_status) or missing(duration)                         => refused  [id: unknown]
checking_status = ">=200" and credit_amount < 2000 and duration <= 12 => granted  [id: small]
"""


def taiwan(folder: Path) -> tuple[pd.DataFrame, pd.Series, pd.Series]:
    """Who pays a credit card's bill; groups by sex."""
    frame = pd.read_csv(folder / "credit_default_taiwan.csv.gz")
    y = frame.pop("DEFAULT_PAYMENT").map({0: "granted", 1: "refused"})
    return frame, y, frame.pop("SEX").map({1: "male", 2: "female"}).rename("sex")


def german(folder: Path) -> tuple[pd.DataFrame, pd.Series, pd.Series]:
    """Who repays a credit; groups by age above 25."""
    frame = pd.read_csv(folder / "german.csv")
    y = frame.pop("class").map({"good": "granted", "bad": "refused"})
    old = (frame.pop("age") > 25).map({True: "older", False: "25 or less"})
    return frame, y, old.rename("age_group")


Read = Callable[[Path], tuple[pd.DataFrame, pd.Series, pd.Series]]
TABLES: dict[str, tuple[Read, str]] = {"Taiwan": (taiwan, TAIWAN), "German": (german, GERMAN)}
FORMS = {
    "plain": (False, False),
    "only fair": (True, False),
    "only safe": (False, True),
    "fair and safe": (True, True),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A tree on one split; its certificate where it has one."""

    accuracy: float
    gap_trained: float
    gap: float
    leaves: int
    broken: int  # rules that a row exists against
    seconds: float
    bound: float | None  # of the gap, with 95 % confidence
    valid: bool | None  # what the checker says of the certificate and its rows


def outcome(parts: list[tuple[pd.DataFrame, ...]], text: str, fair: bool, safe: bool) -> Outcome:
    """Grow a tree, and measure it."""
    (X, y, a), calibration, (X_test, y_test, a_test) = parts
    parity = {"parity": ar.GapBudget(BUDGET)} if fair else {}
    rules = {"rules": text, "contradictions": "keep"} if safe else {}
    tree = ar.TreeClassifier(**SIZE, **parity, **rules, favorable_label="granted")
    start = time.process_time()
    tree.fit(X, y, sensitive_features=a)
    seconds = time.process_time() - start
    decided = tree.predict(X_test)
    verdicts = ar.verify(tree, text).verdicts
    bound, valid = certified(tree, calibration) if safe else (None, None)
    return Outcome(
        accuracy=float((decided == y_test).mean()),
        gap_trained=gap(tree.predict(X), a),
        gap=gap(decided, a_test),
        leaves=tree.get_n_leaves(),
        broken=sum(verdict.status != "holds" for verdict in verdicts),
        seconds=seconds,
        bound=bound,
        valid=valid,
    )


def gap(decided: np.ndarray, groups: pd.Series) -> float:
    """Largest difference between two groups' shares of granted credits."""
    rates = pd.Series(decided == "granted").groupby(groups.to_numpy()).mean()
    return float(rates.max() - rates.min())


def certified(tree: ar.TreeClassifier, rows: tuple[pd.DataFrame, ...]) -> tuple[float, bool]:
    """The bound on the gap, and whether the program that trusts nobody finds all of it true."""
    X, y, a = rows
    certificate = ar.certify(tree, X, y, sensitive_features=a)
    with tempfile.TemporaryDirectory() as folder:
        file, data = Path(folder) / "certificate.json", Path(folder) / "rows.csv"
        certificate.write(file)
        X.assign(**{str(a.name): a, str(y.name): y}).to_csv(data, index=False)
        checker = [sys.executable, "-m", "arbitree.certificate.check", file, "--data", data]
        checked = subprocess.run(checker, capture_output=True, text=True, check=False)
    if checked.returncode:
        print(checked.stdout, checked.stderr, file=sys.stderr)
    return certificate.fairness.bound, checked.returncode == 0


def splits(rows: tuple[pd.DataFrame, ...], n_splits: int) -> list[list[tuple[pd.DataFrame, ...]]]:
    """To grow on, to calibrate, to test; the same for every tree."""
    found = []
    for number in range(n_splits):
        order = np.random.default_rng(number).permutation(len(rows[0]))
        ends = [round(0.6 * len(order)), round(0.8 * len(order))]
        found.append(
            [
                tuple(part.iloc[places].reset_index(drop=True) for part in rows)
                for places in np.split(order, ends)
            ]
        )
    return found


def line(name: str, form: str, found: list[Outcome]) -> list[str]:
    """A row of the page."""
    accuracy = [one.accuracy for one in found]
    error = np.std(accuracy, ddof=1) / len(found) ** 0.5
    checked = sum(bool(one.valid) for one in found)
    certificate = "–" if found[0].valid is None else f"{checked} of {len(found)}"
    bound = "–" if found[0].bound is None else f"{np.median([one.bound for one in found]):.3f}"
    return [
        name,
        form,
        f"{np.mean(accuracy):.4f} ± {error:.4f}",
        f"{np.max([one.gap_trained for one in found]):.4f}",
        f"{np.mean([one.gap for one in found]):.4f}",
        f"{np.median([one.leaves for one in found]):.0f}",
        f"{np.max([one.broken for one in found])}",
        certificate,
        bound,
        f"{np.median([one.seconds for one in found]):.2f}",
    ]


COLUMNS = [
    "table",
    "tree",
    "test accuracy",
    "largest training gap",
    "mean test gap",
    "leaves",
    "rules broken, at most",
    "certificates found valid",
    "bound on the gap",
    "CPU seconds",
]


def main() -> None:
    """Measure, and write the page."""
    quick = "--quick" in sys.argv
    paths = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    folder = Path(paths[0]) if paths else Path("../shared/data")
    warnings.simplefilter("ignore", ar.ArbitreeWarning)
    lines = []
    for name, (read, text) in TABLES.items():
        parts = splits(read(folder), 2 if quick else N_SPLITS)
        for form, (fair, safe) in FORMS.items():
            found = [outcome(one, text, fair, safe) for one in progress(parts, f"{name}, {form}")]
            lines.append(line(name, form, found))
    page = f"""# One tree that is fair and safe

`python benchmarks/rules/fair_and_safe.py`. Trees of depth 5 with at most 32 leaves, a budget of
{BUDGET} on the gap of statistical parity in the training rows, and four policy rules that were
written before any tree was grown. {N_SPLITS} splits: 60 % of the rows to grow on, 20 % to calibrate
the certificate, 20 % to test. Nothing is chosen on test rows. Guards may go below depth 5.

{table(COLUMNS, lines)}

Accuracy: mean and standard error. A rule is broken if `ar.verify` shows a row, in the data or not,
that the tree decides against it. Each certificate was read by `python -m
arbitree.certificate.check`, with the calibration rows; the bound is its median, with 95 %
confidence.

The rules for Taiwan, by sex:

```text
{TAIWAN.strip()}
```

and for German credit, by age above 25:

```text
{GERMAN.strip()}
```

{environment()}
"""
    write(page, "rules-fair-and-safe", quick=quick)


if __name__ == "__main__":
    main()
