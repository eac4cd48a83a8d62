"""The populations of the benchmarks: truth tables, thresholds, a linear score, Example 1.1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
from populations import Group, Population, decided_by_levels, linear, with_copy
from scipy.special import ndtr, ndtri

from arbitree.datasets import health_insurance as insurance

BITS = ("a", "b", "c")


def of_bits(
    decide: Callable[[int, int, int], float], of_one: Sequence[float], numeric: bool = False
) -> Group:
    """Three independent yes/no features; or normal ones of mean q, that count as yes above 0."""
    chance = np.array([decide(*bits) for bits in product((0, 1), repeat=3)]).reshape(2, 2, 2)
    levels = [(1 - p, p) for p in of_one]
    values = [shifted(float(ndtri(p))) for p in of_one] if numeric else None
    return decided_by_levels(BITS, chance, levels, values)


def shifted(mean: float) -> Callable[[np.ndarray], np.ndarray]:
    return lambda u: mean + normal(u)


def normal(u: np.ndarray) -> np.ndarray:
    """Uniform numbers -> standard normal ones; 0 and 1 would be infinite."""
    return np.asarray(ndtri(np.clip(u, 1e-12, 1 - 1e-12)))


def xor(numeric: bool = False) -> Population:
    def decide(a: int, b: int, c: int) -> float:
        return a ^ b

    return Population(
        name="xor of two numbers" if numeric else "xor",
        about="a > 0 differs from b > 0" if numeric else "a differs from b",
        features=BITS,
        n_uniforms=4,
        high=of_bits(decide, (0.5, 0.7, 0.5), numeric),
        low=of_bits(decide, (0.25, 0.2, 0.6), numeric),
    )


def majority() -> Population:
    def decide(a: int, b: int, c: int) -> float:
        return a + b + c >= 2

    return Population(
        name="majority of three",
        about="at least two of a, b, c",
        features=BITS,
        n_uniforms=4,
        high=of_bits(decide, (0.7, 0.6, 0.5)),
        low=of_bits(decide, (0.3, 0.4, 0.2)),
        options={"max_order": 3},
    )


def additive() -> Population:
    return Population(
        name="additive",
        about="chance of 0.1 + 0.4 a + 0.3 b + 0.1 c; the low group 0.2 + 0.3 a + 0.1 c",
        features=BITS,
        n_uniforms=4,
        high=of_bits(lambda a, b, c: 0.1 + 0.4 * a + 0.3 * b + 0.1 * c, (0.6, 0.7, 0.5)),
        low=of_bits(lambda a, b, c: 0.2 + 0.3 * a + 0.1 * c, (0.3, 0.5, 0.5)),
    )


def duplicated() -> Population:
    def decide(a: int, b: int, c: int) -> float:
        return a & b

    def group(of_one: Sequence[float]) -> Group:
        chance = np.array([[0, 0], [0, 1]])
        two = decided_by_levels(("a", "b"), chance, [(1 - p, p) for p in of_one])
        return with_copy(two, "a", "copy of a", 0)

    return Population(
        name="duplicated feature",
        about="a and b; the copy of a equals a",
        features=("a", "b", "copy of a"),
        n_uniforms=3,
        high=group((0.8, 0.7)),
        low=group((0.5, 0.4)),
    )


def gaussian() -> Population:
    def group(slopes: Sequence[float], means: Sequence[float], rho: float) -> Group:
        covariance = np.array([[1, rho, 0], [rho, 1, 0], [0, 0, 1]])
        return linear(BITS, slopes, means, covariance, 0.5, normal)

    return Population(
        name="Gaussian linear",
        about="the score a + 0.5 b + 0.3 c and noise; a and b correlated 0.5, in the low group 0.2",
        features=BITS,
        n_uniforms=4,
        high=group((1.0, 0.5, 0.3), (0.5, 0.4, 0.2), 0.5),
        low=group((0.5, 0.5, 0.3), (0.3, 0.2, 0.2), 0.2),
        options={"scores": True},
    )


def example(income_if_unfit: float = insurance.INCOME_IF_UNFIT) -> Population:
    """Example 1.1: a person who is fit needs an income of 0.29, anyone else more."""

    def group(age: str) -> Group:
        fitness, income = insurance.MEAN_FITNESS[age], insurance.MEAN_INCOME[age]
        fit = ndtr((fitness - insurance.FIT) / insurance.SPREAD)
        cuts = [insurance.INCOME_IF_FIT, income_if_unfit]
        below = ndtr((np.array(cuts) - income) / insurance.SPREAD)
        return decided_by_levels(
            ("fitness", "income"),
            np.array([[0, 0, 1], [0, 1, 1]]),
            [(1 - fit, fit), np.diff(below, prepend=0, append=1)],
            [scaled(fitness), scaled(income)],
        )

    return Population(
        name=f"Example 1.1, threshold {income_if_unfit}",
        about=f"income of 0.29 where fitness is at least 0.61, else of {income_if_unfit}",
        features=("fitness", "income"),
        n_uniforms=3,
        high=group("young"),
        low=group("elderly"),
    )


def scaled(mean: float) -> Callable[[np.ndarray], np.ndarray]:
    return lambda u: mean + insurance.SPREAD * normal(u)
