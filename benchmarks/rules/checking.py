"""How long 1,000 random rules take to be read, bound, and checked for contradictions.

python benchmarks/rules/checking.py [n_rules]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

from arbitree.rules.contradiction import contradiction
from arbitree.rules.redundant import implied, never_true
from arbitree.rules.ruleset import Rules

N_FEATURES, N_LEVELS, N_NUMBERS, N_CLASSES = 22, 6, 4, 8


def random_rules(n_rules: int, *, consistent: bool) -> str:
    """Conjunctions of three atoms; of consistent ones, a feature parts the classes."""
    rng = np.random.default_rng(n_rules)
    lines = []
    for _ in range(n_rules):
        atoms = []
        for feature in rng.choice(N_FEATURES, 3, replace=False):
            if feature < N_NUMBERS:
                sign = rng.choice(["<", ">="])
                atoms.append(f"f{feature} {sign} {rng.integers(100)}")
            else:
                atoms.append(f"f{feature} = v{rng.integers(N_LEVELS)}")
        forbidden = rng.integers(N_CLASSES)
        if consistent:
            atoms[0] = f"f{N_FEATURES - 1} = v{forbidden % N_LEVELS}"
        lines.append(f"{' and '.join(atoms)} => not c{forbidden}")
    return "\n".join(lines)


def seconds(task: Callable[[], object]) -> float:
    """Least CPU seconds of five runs."""
    times = []
    for _ in range(5):
        start = time.process_time()
        task()
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    """Print a line for each step."""
    n_rules = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    levels = [f"v{i}" for i in range(N_LEVELS)]
    X = {f"f{i}": list(range(N_LEVELS)) if i < N_NUMBERS else levels for i in range(N_FEATURES)}
    classes = [f"c{i}" for i in range(N_CLASSES)]
    for consistent in (False, True):
        text = random_rules(n_rules, consistent=consistent)
        rules = Rules.parse(text)
        bound = rules.bind(X, classes=classes)
        found = contradiction(bound)
        outcome = "none" if found is None else f"{len(found.rules)} rules"
        print(f"{n_rules} rules, contradiction: {outcome}")
        print(f"  parse         {seconds(lambda text=text: Rules.parse(text)):.3f} s")
        print(f"  bind          {seconds(lambda r=rules: r.bind(X, classes=classes)):.3f} s")
        print(f"  contradiction {seconds(lambda b=bound: contradiction(b)):.3f} s")
        print(f"  never true    {seconds(lambda b=bound: never_true(b)):.3f} s")
        print(f"  implied       {seconds(lambda b=bound: implied(b)):.3f} s")


if __name__ == "__main__":
    main()
