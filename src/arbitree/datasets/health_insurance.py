"""The health-insurance example of the paper on fairness influence functions.

Source: Ghosh, Basu and Meel, "How Biased are Your Features?: Computing Fairness Influence
Functions with Global Sensitivity Analysis", Example 1.1 and Figure 1.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.special import ndtr

from arbitree._errors import InputError
from arbitree.datasets.dataset import Dataset

MEAN_INCOME = {"young": 0.4, "elderly": 0.6}
MEAN_FITNESS = {"young": 0.7, "elderly": 0.3}
SPREAD = 0.1  # standard deviation of both, in both groups

FIT = 0.61  # fitness at the root of the tree
INCOME_IF_FIT = 0.29  # income that a fit person needs
INCOME_IF_UNFIT = 0.69  # income that anyone else needs, in the tree DT1; 0.55 in DT2


def make_health_insurance(
    n_per_group: int = 1_000,
    *,
    income_if_unfit: float = INCOME_IF_UNFIT,
    random_state: int | np.random.Generator = 10,
) -> Dataset:
    """Draw people of two age groups and decide whether they get health insurance.

    A person who is fit needs little income, anyone else needs more. With 0.69 for the second
    threshold this is the paper's tree DT1, with 0.55 its tree DT2, which helps the elderly. The
    defaults reproduce the paper's rows.

    Parameters
    ----------
    n_per_group : int, default 1,000
        People to draw in each age group.
    income_if_unfit : float, default 0.69
        Income needed by a person whose fitness is below 0.61.
    random_state : int or numpy.random.Generator, default 10
        A seed draws with NumPy's legacy generator, as the paper did.

    Returns
    -------
    Dataset
        ``frame`` has the columns ``age`` ("elderly" or "young"), ``fitness``, ``income`` and the
        decision ``eligible`` ("yes" or "no"); ``truth`` the selection rates of the population,
        in closed form.

    Raises
    ------
    InputError
        Where ``n_per_group`` is not positive.

    Examples
    --------
    >>> from arbitree.datasets import make_health_insurance
    >>> people = make_health_insurance()
    >>> eligible = people.frame.eligible == "yes"
    >>> eligible.groupby(people.frame.age).mean().to_dict()
    {'elderly': 0.165, 'young': 0.695}
    """
    if n_per_group < 1:
        raise InputError(f"n_per_group is {n_per_group}; pass a positive number of people.")
    if isinstance(random_state, int) and random_state < 0:
        raise InputError(f"random_state is {random_state}; pass a whole number of at least 0.")
    frame = _draw(n_per_group, random_state)
    chosen = is_eligible(frame["fitness"], frame["income"], income_if_unfit=income_if_unfit)
    frame["eligible"] = np.where(chosen, "yes", "no")
    return Dataset(
        name="health insurance",
        about="People drawn as in Example 1.1 of the paper on fairness influence functions.",
        frame=frame,
        features=("fitness", "income"),
        sensitive=("age",),
        decision="eligible",
        favorable={"eligible": "yes"},
        truth=_truth(income_if_unfit),
    )


def is_eligible(
    fitness: np.ndarray | pd.Series,
    income: np.ndarray | pd.Series,
    *,
    income_if_unfit: float = INCOME_IF_UNFIT,
) -> np.ndarray:
    """Decide for each person, as the tree of Figure 1 does.  (n,), (n,) -> (n,) bool

    Examples
    --------
    >>> import numpy as np
    >>> is_eligible(np.array([0.7, 0.5, 0.5]), np.array([0.3, 0.3, 0.7]))
    array([ True, False,  True])
    """
    return np.asarray(income >= np.where(fitness >= FIT, INCOME_IF_FIT, income_if_unfit))


def _draw(n: int, random_state: int | np.random.Generator) -> pd.DataFrame:
    rng: np.random.Generator | np.random.RandomState
    if isinstance(random_state, np.random.Generator):
        rng = random_state
    else:
        rng = np.random.RandomState(random_state)  # the published figures need its numbers
    income_elderly = rng.normal(MEAN_INCOME["elderly"], SPREAD, n)
    income_young = rng.normal(MEAN_INCOME["young"], SPREAD, n)
    fitness_young = rng.normal(MEAN_FITNESS["young"], SPREAD, n)
    fitness_elderly = rng.normal(MEAN_FITNESS["elderly"], SPREAD, n)
    return pd.DataFrame(
        {
            "age": np.repeat(["elderly", "young"], n),
            "fitness": np.concatenate([fitness_elderly, fitness_young]),
            "income": np.concatenate([income_elderly, income_young]),
        }
    )


def _truth(income_if_unfit: float) -> pd.DataFrame:
    rows = [
        {
            "grouping": "age",
            "group": age,
            "share": 0.5,
            "selection_rate": _rate(age, income_if_unfit),
        }
        for age in ("elderly", "young")
    ]
    return pd.DataFrame(rows)


def _rate(age: str, income_if_unfit: float) -> float:
    def above(threshold: float, mean: float) -> float:
        return float(ndtr((mean - threshold) / SPREAD))

    fit = above(FIT, MEAN_FITNESS[age])
    return fit * above(INCOME_IF_FIT, MEAN_INCOME[age]) + (1 - fit) * above(
        income_if_unfit, MEAN_INCOME[age]
    )
