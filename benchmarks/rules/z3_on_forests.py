"""z3 asked whether a forest breaks a rule, as one who knows z3 would write it by hand.

Every column is a real number, every tree nested `If`s, and the sum of its leaves' shares of the
second class is compared with half of the trees. Each question has a process of its own, which is
ended when its CPU seconds are used up: z3's own limit of time leaves out the encoding.
"""

from __future__ import annotations

import math
import multiprocessing
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
import pandas as pd
from forest_cases import atoms_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What z3 said, and its CPU seconds; `solving` is None where they were used up before."""

    status: str  # "holds", "violated", "undecided"
    encoding: float | None
    solving: float | None


def z3_answer(
    model: Any, X: pd.DataFrame, text: str, seconds: int, *, encode: str = "if"
) -> Answer:
    """What z3 says of a rule on a forest of two classes.

    Raises
    ------
    AssertionError
        If the model's own `predict` does not decide z3's counterexample against the rule.
    """
    here, there = multiprocessing.get_context("spawn").Pipe(duplex=False)
    trees = [
        (
            tree.tree_.children_left,
            tree.tree_.children_right,
            tree.tree_.feature,
            tree.tree_.threshold,
            tree.tree_.value[:, 0, 1],
        )
        for tree in model.estimators_
    ]
    places = [(X.columns.get_loc(name), sign, float(limit)) for name, sign, limit in atoms_of(text)]
    demanded = text.split("=> ")[1] == str(model.classes_[1])
    given = (trees, len(X.columns), places, demanded, seconds, encode, there)
    child = multiprocessing.get_context("spawn").Process(target=_ask, args=given)
    child.start()
    there.close()
    said = []
    while True:
        try:
            said.append(here.recv())
        except EOFError:
            break
    child.join()
    if len(said) < 2:
        return Answer(status="undecided", encoding=said[0] if said else None, solving=None)
    status, solving, row = said[1]
    if row is not None:
        _check(model, X, text, row, demanded)
    return Answer(status=status, encoding=said[0], solving=solving)


def _check(model: Any, X: pd.DataFrame, text: str, row: list[float], demanded: bool) -> None:
    """Have the model decide a counterexample."""
    for name, sign, limit in atoms_of(text):
        value = np.float32(row[X.columns.get_loc(name)])
        assert value <= np.float32(limit) if sign == "<=" else value >= np.float32(limit), text
    decided = model.predict(pd.DataFrame([row], columns=X.columns))[0]
    assert decided != model.classes_[int(demanded)], f"predict does not refute {text} at {row}"


def _ask(
    trees: list[tuple[np.ndarray, ...]],
    n_columns: int,
    atoms: list[tuple[int, str, float]],
    demanded: bool,
    seconds: int,
    encode: str,
    answer: Connection,
) -> None:
    import z3

    start = time.process_time()
    limit = math.ceil(start + seconds)  # without what importing has taken
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    row = [z3.Real(f"x{place}") for place in range(n_columns)]
    solver = z3.Solver()
    for place, sign, number in atoms:
        solver.add(row[place] <= number if sign == "<=" else row[place] >= number)
    encoded: Callable[..., Any] = _nested if encode == "if" else _implied
    total = z3.Sum([encoded(z3, solver, tree, row, number) for number, tree in enumerate(trees)])
    half = z3.Q(len(trees), 2)
    solver.add(total <= half if demanded else total > half)  # a tie is the first class
    encoding = time.process_time()
    answer.send(encoding - start)
    found = solver.check()
    solving = time.process_time() - encoding
    if found == z3.sat:
        values = [solver.model().eval(x, model_completion=True).as_fraction() for x in row]
        answer.send(("violated", solving, [float(value) for value in values]))
    else:
        answer.send(("holds" if found == z3.unsat else "undecided", solving, None))


def _nested(z3: Any, solver: Any, tree: tuple[np.ndarray, ...], row: list[Any], number: int) -> Any:
    """A tree as `If`s within `If`s."""
    left, right, column, threshold, value = tree

    def node(at: int) -> Any:
        if left[at] < 0:
            return z3.RealVal(float(value[at]))
        goes_left = row[column[at]] <= float(threshold[at])
        return z3.If(goes_left, node(left[at]), node(right[at]))

    return node(0)


def _implied(
    z3: Any, solver: Any, tree: tuple[np.ndarray, ...], row: list[Any], number: int
) -> Any:
    """A tree as a number that the path to each leaf implies."""
    left, right, column, threshold, value = tree
    result = z3.Real(f"tree{number}")

    def node(at: int, path: list[Any]) -> None:
        if left[at] < 0:
            solver.add(z3.Implies(z3.And(path), result == float(value[at])))
            return
        goes_left = row[column[at]] <= float(threshold[at])
        node(left[at], [*path, goes_left])
        node(right[at], [*path, z3.Not(goes_left)])

    node(0, [])
    return result
