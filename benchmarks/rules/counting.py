"""Exact counts of unions of conjunctions, in the order of axes that is used and in two others.

python benchmarks/rules/counting.py
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable

import numpy as np

from arbitree.rules import count_exactly
from arbitree.rules.axes import CategoryAxis
from arbitree.rules.counting import count_rows
from arbitree.rules.space import Space

N_FEATURES, N_LEVELS, N_BOXES = 22, 6, 50
Order = Callable[[list[count_exactly._Box], tuple[int, ...]], list[int]]


def most_used(boxes: list[count_exactly._Box], masks: tuple[int, ...]) -> list[int]:
    """Axes that restrict most boxes first."""
    uses = Counter(place for box in boxes for place, _ in box)
    return sorted(uses, key=lambda place: (-uses[place], place))


def fewest_open(boxes: list[count_exactly._Box], masks: tuple[int, ...]) -> list[int]:
    """Next the axis after which fewest boxes are begun and not done."""
    left = {place for box in boxes for place, _ in box}
    done: list[int] = []
    while left:
        begun = {
            place: sum(0 < sum(p in done or p == place for p, _ in box) < len(box) for box in boxes)
            for place in left
        }
        best = min(left, key=lambda place: (begun[place], place))
        left.remove(best)
        done.append(best)
    return done


def main() -> None:
    """Print a table: atoms a conjunction, order, states, CPU seconds; then the estimate."""
    orders: dict[str, Order] = {
        "least doubt": count_exactly._order,
        "most used": most_used,
        "fewest open": fewest_open,
    }
    levels = tuple(range(N_LEVELS))
    axes = [CategoryAxis(name=i, levels=levels, whole=0b111111) for i in range(N_FEATURES)]
    space = Space(axes=tuple(axes))
    sizes = [[1] * N_LEVELS + [0, 0]] * N_FEATURES
    for n_atoms in (3, 4, 6):
        rng = np.random.default_rng(n_atoms)
        chosen = [rng.choice(N_FEATURES, n_atoms, replace=False) for _ in range(N_BOXES)]
        boxes = [{int(p): 1 << int(rng.integers(N_LEVELS)) for p in places} for places in chosen]
        for name, order in orders.items():
            count_exactly._order = order
            outside = count_exactly.Outside(space.whole, sizes, most_states=10**7)
            start = time.process_time()
            outside.count(boxes)
            seconds = time.process_time() - start
            print(f"{n_atoms} atoms  {name:12} {outside.n_states:9,} states  {seconds:.2f} s")
        count_exactly._order = orders["least doubt"]
        exact = count_rows(space, space.whole, boxes)
        start = time.process_time()
        guess = count_rows(space, space.whole, boxes, most_states=0)
        seconds = time.process_time() - start
        width = (guess.high - guess.low) / 2 / exact.value
        off = guess.value / exact.value - 1
        print(f"{n_atoms} atoms  estimate: off {off:+.2%}, bounds +-{width:.2%}  {seconds:.2f} s")


if __name__ == "__main__":
    main()
