"""How long verification takes: a large tree, and forests beside dtai-veritas and z3.

    python benchmarks/rules/speed.py [--quick] [folder with the data sets]

Writes docs/benchmarks/rules-speed.md; --quick takes small forests and writes nothing.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from forest_cases import (
    first_trees,
    forests,
    mushroom_forest,
    narrow_rule,
    random_rules,
    veritas_outcome,
)
from sklearn.tree import DecisionTreeClassifier
from z3_on_forests import z3_answer

import arbitree as ar
from arbitree.rules.bind_to_model import bound_to_reading, forest_of
from arbitree.rules.contradiction import contradiction
from arbitree.rules.forest_rows import margins, rows_against
from arbitree.rules.forest_verdicts import forest_verdict
from arbitree.rules.grid import coarse_cells
from arbitree.rules.on_codes import Membership
from arbitree.rules.reading import read_model

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "influence"))
import checking
from page import environment, table, write

N_RULES = 12
VERITAS_SECONDS, N_VERITAS = 5.0, 4
Z3_SECONDS, Z3_AT_ONCE = 20, 3  # CPU seconds of a question; processes
NARROW, FREE = 3, ("BILL_AMT1", "PAY_AMT1", "PAY_AMT2", "BILL_AMT6")  # row and columns of Taiwan
N_POINTS = 1_000_000
CHUNK = 20_000


PEERS = (
    *("rule", "trees", "arbitree", "CPU s", "dtai-veritas", "CPU s"),
    *("z3", "encoding, CPU s", "solving, CPU s"),
)


def timed(task: Callable[[], Any]) -> tuple[Any, float]:
    """What a task gives, and its CPU seconds."""
    start = time.process_time()
    found = task()
    return found, time.process_time() - start


def contradiction_line() -> list[str]:
    """1,000 rules, bound, without a contradiction."""
    text = checking.random_rules(1000, consistent=True)
    levels = [f"v{i}" for i in range(checking.N_LEVELS)]
    X = {
        f"f{i}": list(range(checking.N_LEVELS)) if i < checking.N_NUMBERS else levels
        for i in range(checking.N_FEATURES)
    }
    classes = [f"c{i}" for i in range(checking.N_CLASSES)]
    bound = ar.Rules.parse(text).bind(X, classes=classes)
    found, seconds = timed(lambda: contradiction(bound))
    outcome = "no contradiction" if found is None else "a contradiction"
    return ["1,000 rules asked for a contradiction", outcome, f"{seconds:.3f}", "0.1"]


def tree_line(quick: bool) -> list[str]:
    """A tree of 10,000 leaves against 100 rules, most of which it obeys."""
    rng = np.random.default_rng(0)
    n_rows = 3_000 if quick else 50_000
    X = pd.DataFrame(rng.integers(0, 1000, (n_rows, 8)).astype(float), columns=list("abcdefgh"))
    y = np.where(X["h"] > 900, 2, rng.integers(0, 2, n_rows))
    model = DecisionTreeClassifier(random_state=0, max_leaf_nodes=10_000).fit(X, y)
    lines = []
    for _ in range(100):
        names = rng.choice(list("abcdefg"), 2, replace=False)
        low = rng.integers(0, 800, 2)
        atoms = [f"{low[i]} <= {names[i]} < {low[i] + 200}" for i in (0, 1)]
        lines.append(f"{' and '.join(atoms)} and h < {rng.integers(100, 900)} => not 2")
    rules = ar.Rules.parse("\n".join(lines))
    found, seconds = timed(lambda: ar.verify(model, rules, domain=X))
    counts = pd.Series([verdict.status for verdict in found.verdicts]).value_counts()
    outcome = ", ".join(f"{n} {status}" for status, n in counts.items())
    what = f"a tree of {model.get_n_leaves():,} leaves x 100 rules"
    return [what, outcome, f"{seconds:.2f}", "1"]


def forest_lines(name: str, model: Any, X: pd.DataFrame) -> tuple[list[str], list[str]]:
    """Random rules one by one, and those that a violation was found of."""
    texts = random_rules(X, np.random.default_rng(0), N_RULES)
    times, statuses = [], []
    for text in texts:
        rules = ar.Rules.parse(text)
        found, seconds = timed(lambda r=rules: ar.verify(model, r, domain=X, timeout=20))
        statuses.append(found.status)
        if found.status == "violated":
            times.append(seconds)
    together = ar.Rules.parse("\n".join(_consistent(texts, X)))
    found, seconds = timed(lambda: ar.verify(model, together, domain=X, timeout=20))
    counts = pd.Series(statuses).value_counts()
    outcome = ", ".join(f"{n} {status}" for status, n in counts.items())
    median = f"{statistics.median(times):.2f}" if times else "–"
    each = f"{seconds / len(found.verdicts):.2f} a rule in one call of {len(found.verdicts)}"
    return [f"refutations, {name}", f"{outcome}; {each}", median, "0.2"], texts


def _consistent(texts: list[str], X: pd.DataFrame) -> list[str]:
    """Rules that do not contradict those before them."""
    kept: list[str] = []
    for text in texts:
        if ar.Rules.parse("\n".join([*kept, text])).check(X).consistent:
            kept.append(text)
    return kept


def mushroom_lines(folder: Path, quick: bool) -> list[list[str]]:
    """A narrow antecedent on a forest behind an encoder: the whole call, and the proof alone."""
    model, X = mushroom_forest(folder, 20 if quick else 500)
    row = X.iloc[0]  # poisonous: all but its four last values
    text = " and ".join(f"{name} = '{row[name]}'" for name in X.columns[:-4]) + " => p"
    rules = ar.Rules.parse(text)
    found, seconds = timed(lambda: ar.verify(model, rules, domain=X, timeout=30))
    verdict = found.verdicts[0]
    reading = read_model(model)
    bound, trees = bound_to_reading(reading, rules, X)
    forest = forest_of(reading, trees, 0)
    again, alone = timed(
        lambda: forest_verdict(bound, bound.rules[0], forest, timeout=30, random_state=0)
    )
    what = "a narrow antecedent, Mushroom, 500 trees behind a one-hot encoder"
    return [
        [what, f"{verdict.status} ({verdict.method})", f"{seconds:.2f}", "0.1"],
        ["the same, once model and rules were read", again.status, f"{alone:.2f}", "0.1"],
    ]


def veritas_line(model: Any, X: pd.DataFrame, texts: list[str]) -> str:
    """What dtai-veritas decides of the first rules."""
    outcomes = [veritas_outcome(model, X, text, VERITAS_SECONDS) for text in texts[:N_VERITAS]]
    decided = [seconds for status, seconds in outcomes if status != "undecided"]
    return (
        f"dtai-veritas, with the same antecedents as boxes, decides {len(decided)} of "
        f"{len(outcomes)} of the first rules of Taiwan within {VERITAS_SECONDS:.0f} CPU seconds "
        "each (the model is read in them, and steps of its search end late): "
        + "; ".join(f"{status} ({seconds:.1f} s)" for status, seconds in outcomes)
        + "."
    )


def peers_lines(model: Any, X: pd.DataFrame, texts: list[str], quick: bool) -> list[list[str]]:
    """Ours, dtai-veritas and z3 on the first trees of a forest, and on all.

    Raises
    ------
    AssertionError
        If two of them decide otherwise.
    """
    narrow = narrow_rule(X, model.predict(X.iloc[[NARROW]])[0], NARROW, FREE)
    cases = [
        (n_trees, what, text, first_trees(model, n_trees))
        for what, text in (("the first random rule", texts[0]), ("a narrow antecedent", narrow))
        for n_trees in ((5, 10) if quick else (5, 20, 100, 500))
    ]
    seconds = 3 if quick else Z3_SECONDS
    with ThreadPoolExecutor(Z3_AT_ONCE) as pool:
        asked = [pool.submit(z3_answer, m, X, text, seconds) for _, _, text, m in cases]
        others = []
        for _, _, text, m in cases:
            ours, spent = timed(lambda m=m, text=text: ar.verify(m, text, domain=X, timeout=20))
            others.append((ours.status, spent, *veritas_outcome(m, X, text, VERITAS_SECONDS)))
        answers = [of.result() for of in asked]
    lines = []
    for (n_trees, what, _, _), other, answer in zip(cases, others, answers):
        status, spent, by_veritas, veritas_spent = other
        said = {status, by_veritas, answer.status} - {"undecided", "unconfirmed"}
        assert len(said) <= 1, f"{what}, {n_trees} trees: {other} and {answer}"
        encoding = "–" if answer.encoding is None else f"{answer.encoding:.2f}"
        solving = f"over {seconds}" if answer.solving is None else f"{answer.solving:.2f}"
        line = [what, str(n_trees), status, f"{spent:.2f}", by_veritas, f"{veritas_spent:.2f}"]
        lines.append([*line, answer.status, encoding, solving])
        print(lines[-1], flush=True)
    return lines


def z3_note(lines: list[list[str]]) -> str:
    """How far z3 came."""
    of_all = [line for line in lines if line[1] == lines[-1][1]]
    decided = [line for line in of_all if line[6] != "undecided"]
    most = max((int(line[1]) for line in lines if line[6] != "undecided"), default=0)
    return (
        f"z3 decides {len(decided)} of these {len(of_all)} rules of all {lines[-1][1]} trees in "
        f"{Z3_SECONDS} CPU seconds each, its encoding included; the largest forest of which it "
        f"decides one has {most} trees."
    )


def rare_line(model: Any, X: pd.DataFrame, n_points: int) -> str:
    """A rule that random points of its box show no violation of, and the search does."""
    reading, rng = read_model(model), np.random.default_rng(1)
    for text in random_rules(X, rng, 400, n_atoms=4):
        rules = ar.Rules.parse(text)
        bound, trees = bound_to_reading(reading, rules, X)
        rule = bound.rules[0]
        first = _violations(bound, rule, trees, CHUNK, rng)
        if first:
            continue
        rows = rows_against(bound, rule, trees, np.random.default_rng(0))
        if not len(rows) or margins(rule, trees.scores(rows[:1]))[0] <= trees.tolerance:
            continue
        if all(not _violations(bound, rule, trees, CHUNK, rng) for _ in range(n_points // CHUNK)):
            found, seconds = timed(lambda r=rules: ar.verify(model, r, domain=X))
            return (
                f"`{text}` (Taiwan): {n_points:,} random points of its antecedent show no "
                f"violation; `ar.verify` says {found.status} ({found.verdicts[0].method}) in "
                f"{seconds:.2f} CPU seconds."
            )
    return "No rule was found that random points do not refute and the search does."


def _violations(bound: Any, rule: Any, trees: Any, n: int, rng: np.random.Generator) -> int:
    masks = bound.space.masks(rule.boxes[0])
    cells = [np.flatnonzero(axis.within(mask)) for axis, mask in zip(trees.grid, masks)]
    codes = np.stack([rng.choice(of, n) for of in cells], axis=1).astype(np.int32)
    assert Membership(bound.space, coarse_cells(trees.grid, codes)).in_one_of(rule.boxes).all()
    return int((margins(rule, trees.scores(codes)) > 0).sum())


def main() -> None:
    """Measure, and write the page."""
    quick = "--quick" in sys.argv
    paths = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    folder = Path(paths[0]) if paths else Path("../shared/data")
    lines = [contradiction_line(), tree_line(quick)]
    said = {}
    for name, model, X in forests(folder, 20 if quick else 500):
        line, texts = forest_lines(name, model, X)
        lines.append(line)
        said[name] = (model, X, texts)
        print(line, flush=True)
    lines += mushroom_lines(folder, quick)
    model, X, texts = said["Taiwan"]
    peers = peers_lines(model, X, texts, quick)
    notes = [veritas_line(model, X, texts), z3_note(peers)]
    notes.append(rare_line(model, X, CHUNK if quick else N_POINTS))
    page = f"""# How long verification takes

`python benchmarks/rules/speed.py`. CPU seconds of whole calls of `ar.verify`: the model is read,
the rules are bound, and each counterexample is run through the model's own `predict`, which alone
takes about 0.03 seconds for one row of 500 trees. Rules are random: three comparisons with
quantiles each.

{table(("task", "outcome", "CPU seconds (median)", "aim"), lines)}

- {notes[0]}
- {notes[2]}

## z3 and dtai-veritas on the same forests

The first trees of the forest of Taiwan, and all. z3 reads what one who knows it would write by hand
(benchmarks/rules/z3_on_forests.py): a real number for each column, nested `If`s for each tree, and
the sum of the trees' shares of a class compared with half of their number. CPU seconds, those of
ours and of dtai-veritas with the reading of the model; z3 is ended after {Z3_SECONDS}, encoding
included. Each counterexample was run through `predict`, and all verdicts agree.

{table(PEERS, peers)}

- The narrow antecedent fixes all columns but {", ".join(FREE)} as they are in a row of the data.
- {notes[1]}

{environment("scikit-learn", "dtai-veritas", "z3-solver")}
"""
    write(page, "rules-speed", quick=quick)


if __name__ == "__main__":
    main()
