"""Prices on the rates, from none to so high that the gap is gone, placed where they tell most.

With two rates a price is one number, and the gap of the best tree falls in jumps as it grows:
prices are placed between those two where it jumps most. With more rates, each price moves against
the deviation of its rate, by a step that grows while the deviation keeps its sign.

References
----------
Riedmiller and Braun, "A direct adaptive method for faster backpropagation learning: the RPROP
algorithm", 1993, for the steps.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from arbitree.tree.budget.problem import Problem

Solve = Callable[[np.ndarray], np.ndarray]  # prices (n_rates,) -> rates of the tree found

_FIRST = 0.08  # a price: a change of the error rate for a change of a rate by 1
_GROWTH = 1.7
_PAST_EQUAL = 0.02  # a gap this far on the other side ends the search for the highest price
_NEAREST = 0.004  # between two prices
_SMALLEST_JUMP = 0.003  # of a gap


def try_prices(problem: Problem, solve: Solve, n_prices: int) -> None:
    """Call `solve` at up to `n_prices` prices, the first of them zero."""
    if len(problem.rates) == 1:
        solve(np.zeros(1))
    elif len(problem.rates) == 2:
        _along_a_line(solve, n_prices)
    else:
        _by_signs(problem, solve, 2 * n_prices)


def _along_a_line(solve: Solve, n_prices: int) -> None:
    def difference(price: float) -> float:
        low, high = solve(np.array([-price, price]))
        return float(high - low)

    start = difference(0.0)
    side = 1.0 if start >= 0 else -1.0
    found = [(0.0, side * start)]
    price = _FIRST
    while found[-1][1] > -_PAST_EQUAL and len(found) <= n_prices // 2:
        found.append((price, side * difference(side * price)))
        price *= _GROWTH
    while len(found) < n_prices:
        found.sort()
        prices, gaps = np.array(found).T
        jumps = np.abs(np.diff(np.maximum(gaps, -2 * _PAST_EQUAL))) * (np.diff(prices) > _NEAREST)
        k = int(np.argmax(jumps)) if len(jumps) else 0
        if not len(jumps) or jumps[k] < _SMALLEST_JUMP:
            break
        middle = (prices[k] + prices[k + 1]) / 2
        found.append((middle, side * difference(side * middle)))


def _by_signs(problem: Problem, solve: Solve, n_prices: int) -> None:
    n_rates = len(problem.rates)
    sizes = np.diff([*problem.family, n_rates])
    prices, step, before = np.zeros(n_rates), np.full(n_rates, _FIRST / 2), np.zeros(n_rates)
    for _ in range(n_prices):
        rates = solve(prices)
        high = np.maximum.reduceat(rates, problem.family)
        low = np.minimum.reduceat(rates, problem.family)
        off = rates - np.repeat((high + low) / 2, sizes)
        off[np.abs(off) < _SMALLEST_JUMP / 2] = 0
        step *= np.where(off * before > 0, 1.3, np.where(off * before < 0, 0.5, 1.0))
        share = np.abs(off) / np.repeat(np.maximum((high - low) / 2, 1e-12), sizes)
        prices = prices + step * np.sign(off) * share
        prices -= np.repeat(np.add.reduceat(prices, problem.family) / sizes, sizes)
        before = off
        if not off.any():
            break
