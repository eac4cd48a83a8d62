"""Accuracy against fairness, on rows that were held out, over a grid of bounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import pandas as pd

from arbitree._errors import AlignmentError, InputError
from arbitree._versions import versions
from arbitree._wording import counted, listed
from arbitree.groups.intervals import normal_quantile
from arbitree.table.align import aligned, alignment_notices
from arbitree.table.code import code_groups
from arbitree.table.crossing import cross
from arbitree.table.distinct import distinct
from arbitree.table.frames import Column, column, columns
from arbitree.table.labels import outcome
from arbitree.tree import scores, trials
from arbitree.tree.frontier_result import TREE, Frontier, run_notices, summary, takes_controls
from arbitree.tree.parity import CONDITIONAL, Covariance, GapBudget, Parity, metrics_of

PACKAGES = ("arbitree", "numpy", "scikit-learn")


def frontier(
    X: Any,
    y: Any,
    *,
    sensitive_features: Any,
    parity: Sequence[Parity | None],
    tree: Any = None,
    estimators: Mapping[str, Any] | None = None,
    metric: str | None = None,
    joint: bool = True,
    control_features: Any = None,
    favorable_label: Any = None,
    n_splits: int = 10,
    test_size: float = 0.3,
    confidence: float = 0.95,
    random_state: int = 0,
) -> Frontier:
    """Fit trees under several bounds, and other estimators, on repeated splits of the rows.

    Parameters
    ----------
    X : frame or array (n, d)
    y : array-like (n,)
    sensitive_features : array-like (n,) or (n, k), frame, Series or mapping of columns
        The groups.
    parity : sequence of Covariance, SplitGap, GapBudget or None
        One tree for each; None is a tree without a bound.
    tree : TreeClassifier, optional
        What else the trees have in common; by default ``TreeClassifier(max_depth=5)``.
    estimators : mapping from name to classifier, or to mapping from bound to classifier, optional
        What to compare with. The groups are passed to each ``fit`` and ``predict`` that takes
        `sensitive_features` (`fit` also by ``**kwargs``, but for scikit-learn's own).
    metric : str, optional
        The gap of what: by default that of the bounds, else ``"statistical_parity"``.
    joint : bool
        Groups are the combinations of all sensitive columns; with False, those of each column,
        and the gap is the largest over the columns.
    control_features : as `sensitive_features`, optional
        Compare groups within each combination of their values: for the metric
        ``"conditional_statistical_parity"``, and no other.
    favorable_label : label or list of labels, optional
        The favourable class, or classes, where labels are not 0/1, -1/1 or booleans.
    n_splits : int
        At least 2.
    test_size : float
        Share of the rows held out in each split.
    confidence : float
        Of the intervals of means.
    random_state : int
        Seed of the splits, and of estimators whose seed is not set. Same seed, same result.

    Returns
    -------
    Frontier

    Raises
    ------
    InputError
        An argument makes no sense, or there are no two groups.
    LabelError
        It cannot be known which label is favourable.

    Notes
    -----
    Trees of several budgets come from one search (`arbitree.tree.path.fit_path`).

    Points are not chosen: a bound is meant to be, on training rows (`train_gap`), not the gap on
    held-out rows. The mean of absolute gaps over splits is above the absolute mean gap, the more
    so the fewer rows are held out.

    References
    ----------
    Intervals: Nadeau and Bengio (2003), Machine Learning 52:239. Repeated splits of 70/30 as in
    section 4.1 of "Local Statistical Parity for the Estimation of Fair Decision Trees".

    Examples
    --------
    >>> import arbitree as ar
    >>> rng = np.random.default_rng(0)
    >>> sex = rng.choice(["f", "m"], 400)
    >>> X = pd.DataFrame({"x": rng.normal(size=400) + (sex == "m")})
    >>> y = (X["x"] + rng.normal(size=400) > 0.5).astype(int)
    >>> found = ar.frontier(
    ...     X, y, sensitive_features=sex, parity=[None, ar.SplitGap(0.05)], n_splits=3
    ... )
    >>> found.table[["method", "parity", "n_runs"]]
      method          parity  n_runs
    0   tree                       3
    1   tree  SplitGap(0.05)       3
    """
    metric = _metric(metric, parity, control_features is not None)
    rows = _rows((X, y, sensitive_features, control_features), favorable_label, joint)
    splits = _splits(len(rows.truth.labels), n_splits, test_size, random_state)
    normal_quantile(confidence)
    points = [*_trees(parity, tree, rows.favorable_labels), *_others(estimators or {})]
    runs = pd.DataFrame(
        [
            {"split": at, **point.names, **found}
            for at, split in enumerate(splits)
            for point, found in zip(points, _runs(points, split, rows, metric, random_state + at))
        ]
    )
    return Frontier(
        table=summary(runs, len(splits[0][1]) / len(splits[0][0]), confidence),
        runs=runs,
        metric=metric,
        favorable=rows.how,
        n_rows=len(rows.truth.labels),
        n_splits=n_splits,
        test_size=test_size,
        confidence=confidence,
        random_state=random_state,
        notices=run_notices(runs),
        versions=versions(*PACKAGES),
        estimators=_by_row(points, random_state),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Rows:
    """The rows as they were given, and what is known of them."""

    given: tuple[Any, Any, Any, Any]  # X, y, sensitive_features, control_features or None
    truth: scores.Truth
    classes: tuple[object, ...]
    favorable: tuple[int, ...]  # index into classes
    favorable_labels: tuple[object, ...]
    how: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Point:
    """One estimator of the comparison."""

    names: dict[str, Any]  # method, parity, bound
    estimator: Any


def _by_row(points: Sequence[_Point], seed: int) -> tuple[Any, ...]:
    """The estimator of each row of the table, where points of one name share a row."""
    rows: dict[tuple[str, str], Any] = {}
    for point in points:
        key = (point.names["method"], point.names["parity"])
        rows.setdefault(key, trials.seeded(point.estimator, seed))
    return tuple(rows.values())


_Split = tuple[np.ndarray, np.ndarray]


def _metric(metric: str | None, parity: Sequence[Parity | None], has_control: bool) -> str:
    asked = {one for value in parity if value is not None for one in metrics_of(value.metric)}
    if metric is None and len(asked) > 1:
        raise InputError(f"The bounds are of {listed(sorted(asked))}. Pass metric.")
    plain = CONDITIONAL if has_control else "statistical_parity"
    found = metric or next(iter(asked), plain)
    scores.rates_of(found)
    if has_control != (found == CONDITIONAL):
        raise InputError(
            f"metric {found!r} and {'' if has_control else 'no '}control_features do not go "
            f"together. Pass metric={CONDITIONAL!r} with control_features, or neither."
        )
    return found


def _splits(n_rows: int, n_splits: int, test_size: float, seed: int) -> list[_Split]:
    if isinstance(n_splits, bool) or not isinstance(n_splits, int) or n_splits < 2:
        raise InputError(f"n_splits is {n_splits!r}. Pass a whole number of at least 2.")
    if not 0 < test_size < 1:
        raise InputError(f"test_size is {test_size!r}. Pass a share between 0 and 1.")
    n_test = int(np.ceil(n_rows * test_size))
    if n_rows - n_test < 1:
        raise InputError(f"{counted(n_rows, 'row')} cannot be split. Pass more.")
    rng = np.random.default_rng(seed)
    orders = [rng.permutation(n_rows) for _ in range(n_splits)]
    return [(np.sort(order[n_test:]), np.sort(order[:n_test])) for order in orders]


def _rows(given: tuple[Any, Any, Any, Any], favorable_label: Any, joint: bool) -> _Rows:
    """Read labels and groups; all inputs must have the same rows in one order."""
    X, y, sensitive_features, control_features = given
    label = column(y, what="y", default_name="y")
    groups = columns(
        sensitive_features, what="sensitive_features", default_name="sensitive_feature"
    )
    known = {"X": columns(X, what="X", default_name="x"), "y": [label]}
    known["sensitive_features"] = groups
    controls = None
    if control_features is not None:
        controls = columns(
            control_features, what="control_features", default_name="control_feature"
        )
        known["control_features"] = controls
    _refuse_other_orders(known)
    strata = None if controls is None else cross(code_groups(controls)[0])
    labels = outcome(label, favorable_label=favorable_label, what="y")
    found = distinct(label)
    sensitive, _ = code_groups(groups)
    crossings = [cross(sensitive)] if joint else [cross([one]) for one in sensitive]
    if all(crossing.n_groups < 2 for crossing in crossings):
        raise InputError("sensitive_features has one group only. Pass rows of at least two.")
    truth = scores.Truth(
        labels=found.codes.astype(np.int64),
        n_classes=len(found.levels),
        favorable=labels.codes,
        groups=tuple(crossing.codes.astype(np.int64) for crossing in crossings),
        strata=None if strata is None else strata.codes.astype(np.int64),
    )
    return _Rows(
        given=given,
        truth=truth,
        classes=found.levels,
        favorable=tuple(at for at, one in enumerate(found.levels) if one in labels.favorable),
        favorable_labels=labels.favorable,
        how=labels.how,
    )


def _refuse_other_orders(given: Mapping[str, Sequence[Column]]) -> None:
    aligned(given)
    if alignment_notices(given):
        raise AlignmentError(
            "X, y and sensitive_features have their rows in different orders. Bring them into one "
            "order with .loc."
        )


def _trees(
    parity: Sequence[Parity | None], tree: Any, favorable: tuple[object, ...]
) -> Iterator[_Point]:
    from arbitree.tree.estimator import TreeClassifier

    template = TreeClassifier(max_depth=5) if tree is None else tree
    if template.favorable_label is None and favorable:
        labels = favorable[0] if len(favorable) == 1 else list(favorable)
        template = trials.changed(template, favorable_label=labels)
    for value in parity:
        bound = np.nan if value is None else _number(value)
        names = {"method": TREE, "parity": _words(value), "bound": bound}
        yield _Point(names=names, estimator=trials.changed(template, parity=value))


def _words(value: Parity | None) -> str:
    """A bound as one would write it: ``SplitGap(0.02, metric='equalized_odds')``."""
    if value is None:
        return ""
    defaults = type(value)(0)
    rest = [
        f", {one.name}={getattr(value, one.name)!r}"
        for one in fields(value)[1:]
        if getattr(value, one.name) != getattr(defaults, one.name)
    ]
    return f"{type(value).__name__}({_number(value):g}{''.join(rest)})"


def _number(value: Parity) -> float:
    return float(value.c if isinstance(value, Covariance) else value.eps)


def _others(estimators: Mapping[str, Any]) -> Iterator[_Point]:
    for name, given in estimators.items():
        if name == TREE:
            raise InputError(f"{TREE!r} is the name of our own trees. Rename that estimator.")
        for bound, one in given.items() if isinstance(given, Mapping) else [(np.nan, given)]:
            words = "" if np.isnan(bound) else f"{bound:g}"
            names = {"method": str(name), "parity": words, "bound": float(bound)}
            yield _Point(names=names, estimator=one)


def _runs(
    points: Sequence[_Point], split: _Split, rows: _Rows, metric: str, seed: int
) -> Iterator[dict[str, Any]]:
    """Every estimator on one split."""
    train, test = ([trials.taken(data, at) for data in rows.given] for at in split)
    by_path = _fit_paths(points, train, seed)
    for place, point in enumerate(points):
        model = by_path.get(place)
        if model is None:
            model = trials.fit(trials.seeded(point.estimator, seed), *_for(point, train))
        found = []
        for (features, _, groups, _), at in ((train, split[0]), (test, split[1])):
            predicted = _codes(trials.predict(model, features, groups, seed), rows.classes)
            found.append(_measured(predicted, rows, at, metric))
        yield {
            **found[1],
            **{f"train_{name}": found[0][name] for name in ("accuracy", "gap")},
            "constant": found[0]["constant"] and found[1]["constant"],
            "n_leaves": trials.n_leaves(model),
            "needs_groups": trials.needs_groups(model),
        }


def _fit_paths(points: Sequence[_Point], train: Sequence[Any], seed: int) -> dict[int, Any]:
    """The trees of budgets that differ in nothing else, by their place among the points."""
    from arbitree.tree.path import fit_path

    alike: dict[tuple[tuple[str, ...], bool], list[int]] = {}
    for place, point in enumerate(points):
        budget = getattr(point.estimator, "parity", None)
        if isinstance(budget, GapBudget) and point.names["method"] == TREE:
            alike.setdefault((metrics_of(budget.metric), budget.joint), []).append(place)
    found: dict[int, Any] = {}
    for places in alike.values():
        template = trials.seeded(points[places[0]].estimator, seed)
        eps = [points[place].estimator.parity.eps for place in places]
        X, y, groups, control = _for(points[places[0]], train)
        options = {"sensitive_features": groups, "control_features": control}
        found |= zip(places, fit_path(template, eps, X, y, **options))
    return found


def _for(point: _Point, train: Sequence[Any]) -> Sequence[Any]:
    """Training rows as an estimator takes them: a tree without a bound has no use for controls."""
    controlled = takes_controls(point.names["method"], point.estimator)
    return train if controlled else [*train[:3], None]


def _measured(predicted: np.ndarray, rows: _Rows, at: np.ndarray, metric: str) -> dict[str, Any]:
    truth, decided = rows.truth.at(at), np.isin(predicted, rows.favorable).astype(np.uint8)
    return {
        "accuracy": scores.accuracy(truth, predicted),
        "balanced_accuracy": scores.balanced_accuracy(truth, predicted),
        "gap": scores.gap(truth, decided, metric),
        "constant": bool((decided == decided[0]).all()),
    }


def _codes(predicted: np.ndarray, classes: tuple[object, ...]) -> np.ndarray:
    """Index of each predicted class, -1 of one that y never has."""
    known, asked = (pd.Index(list(some), dtype=object) for some in (classes, predicted.tolist()))
    found: np.ndarray = known.get_indexer(asked)
    return found
