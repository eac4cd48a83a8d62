"""Why there is a gap between two groups: the decomposition of a table of decisions."""

from __future__ import annotations

from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from arbitree.influence.assemble import influence_of
from arbitree.influence.axes import Axis
from arbitree.influence.compared import Compared, compare, conditions
from arbitree.influence.fit import GroupFit, fit_group, folds
from arbitree.influence.grid import on_grid
from arbitree.influence.group_axes import CODES, axes_of, axes_of_order, codes_on
from arbitree.influence.inputs import Inputs, read_inputs
from arbitree.influence.lookalikes import alike_notices
from arbitree.influence.moments import as_rows
from arbitree.influence.options import Options, explain_options
from arbitree.influence.proxies import proxies
from arbitree.influence.result import Influence
from arbitree.influence.screening import Chosen, chosen_sets
from arbitree.influence.settings import Settings
from arbitree.influence.shared_rows import by_probabilities


def explain_gap(
    X: Any,
    decisions: Any,
    *,
    sensitive_features: Any = None,
    y_true: Any = None,
    metric: str = "statistical_parity",
    max_order: int = 2,
    n_intervals: int = 20,
    groups: tuple[Any, Any] | None = None,
    pairs: Any = "auto",
    cross_fit: int = 5,
    n_bootstrap: int = 200,
    random_state: int | np.random.Generator | None = 0,
    favorable_label: Any = None,
    y_true_favorable: Any = None,
    score_threshold: float | None = None,
    lower_score_favorable: bool = False,
    scores: bool = False,
    sample_weight: Any = None,
    penalty: str | float = "reml",
    knots: str = "rank",
    confidence: float = 0.95,
    min_group_size: int = 30,
    missing: str = "error",
    bins: Any = None,
    n_threads: int | None = None,
    group_probabilities: Any = None,
) -> Influence:
    """Split the gap between two groups over features and combinations of features.

    A group's rate is its variance divided by one minus the rate, so what carries the variance of
    the decisions within a group carries its rate, and differences of rates split alike.

    Parameters
    ----------
    X : frame or array (n, d)
        Features, a category as one column. Columns that are also sensitive features are left
        out: within a group they are constant. Of more than 200 the strongest 200 are fitted.
    decisions : array-like (n,), or a model
        The decision on each row; or anything with ``predict``, or a function, which is called
        once, with X.
    sensitive_features : array-like (n,) or (n, k), frame, Series or mapping of columns
        The groups; those of several columns are the combinations that occur.
    y_true : array-like (n,), optional
        What turned out to be right; needed by every metric but statistical parity.
    metric : str
        "statistical_parity", "equal_opportunity", "predictive_equality", "equalized_odds" or
        "predictive_parity". The last two explain the condition with the larger gap.
    max_order : int
        Features in the largest combination, 1 to 3. At most 40 triples, those that look
        strongest, with the pairs in them.
    n_intervals : int
        Intervals of the splines of numeric features.
    groups : pair of groups, optional
        Explain the gap between these, as ``("Male", "Female")``, instead of the largest.
    pairs : "auto", "all", int, or list of pairs of names
        "auto" takes all pairs of up to 16 features; of more, at most the 120 that look
        strongest, and none that noise alone would show. Of pairs that are chosen, triples are
        made of these alone.
    cross_fit : int
        Folds. Functions are fitted outside a fold and evaluated in it; 0 does both on all rows,
        as the paper does, and flatters.
    n_bootstrap : int
        Resamplings behind the intervals; 0 gives none (NaN).
    random_state : int, Generator or None
        Seed of folds and resamplings.
    favorable_label, y_true_favorable, score_threshold, lower_score_favorable, sample_weight, \
missing, bins
        As in `arbitree.audit`.
    scores : bool
        Take `decisions` as numbers and explain the gap between mean scores.
    penalty : "reml" or float
        Smoothing: one for each component, chosen by restricted maximum likelihood; or one number
        for all.
    knots : "rank" or "value"
        Spline intervals of equal numbers of distinct values, whatever the units; or of equal
        length.
    confidence : float
        Of the intervals.
    min_group_size : int
        A smaller group gives a notice.
    n_threads : int, optional
        None takes every core. The result does not depend on it.
    group_probabilities : frame or array (n, k), optional
        Instead of `sensitive_features`, as in `arbitree.audit`.

    Returns
    -------
    Influence

    Raises
    ------
    InputError
        Something makes no sense; says what and where.
    NotEstimableError
        There are no two groups to compare.

    Notes
    -----
    With g_S the part of the decision that only the features S together explain, in group a,

        w_S = p_high Cov(g_S, D) / Var(D) - p_low Cov(g_S, D) / Var(D),

    each in its group: equation 5 of Ghosh, Basu and Meel ("How Biased are Your Features?",
    2023), since p (1 - p) is the variance. Here g_S is a penalised spline (tensor product),
    uncorrelated with every function of fewer of its features.

    Examples
    --------
    >>> import arbitree as ar
    >>> people = ar.datasets.make_health_insurance().frame
    >>> found = ar.explain_gap(
    ...     people[["fitness", "income"]],
    ...     people["eligible"],
    ...     sensitive_features=people["age"],
    ...     favorable_label="yes",
    ...     n_bootstrap=0,
    ... )
    >>> found.group_high, round(found.gap, 3)
    ('young', 0.53)
    >>> found.table.features.tolist()
    [('fitness',), ('income',), ('fitness', 'income')]
    """
    options = explain_options(
        metric=metric,
        max_order=max_order,
        n_intervals=n_intervals,
        groups=groups,
        pairs=pairs,
        cross_fit=cross_fit,
        n_bootstrap=n_bootstrap,
        random_state=random_state,
        penalty=penalty,
        knots=knots,
        confidence=confidence,
        min_group_size=min_group_size,
        missing=missing,
        n_threads=n_threads,
    )
    inputs = read_inputs(
        X,
        decisions,
        sensitive_features=sensitive_features,
        y_true=y_true,
        favorable_label=favorable_label,
        y_true_favorable=y_true_favorable,
        score_threshold=score_threshold,
        lower_score_favorable=lower_score_favorable,
        scores=scores,
        sample_weight=sample_weight,
        missing=missing,
        bins=bins,
        group_probabilities=group_probabilities,
    )
    return explain_inputs(inputs, options)


def explain_inputs(inputs: Inputs, options: Options) -> Influence:
    """The same, of inputs that are coded.

    Matrices are small: more threads for their products cost three times the time, and change the
    last digits. Threads are for rows.
    """
    with threadpool_limits(limits=1, user_api="blas"):
        return _explained(by_probabilities(inputs), options)


def _explained(inputs: Inputs, options: Options) -> Influence:
    crossing = inputs.crossing
    unknown = crossing.has_missing & (options.missing != "group")
    known = ~unknown[crossing.codes]
    if inputs.weights is not None:
        known &= inputs.weights > 0
    found = conditions(options.metric, inputs.decided, inputs.labels, known)
    compared = compare(found, crossing, inputs.weights, options.groups, ~unknown)
    rows = [_rows_of(compared, inputs, group) for group in (compared.high, compared.low)]
    fold = [
        folds(compared.condition.outcome[at], options.cross_fit, options.seed, stream)
        for stream, at in enumerate(rows)
    ]
    chosen = chosen_sets(inputs, compared, rows, fold, options)
    settings = Settings(
        penalty=options.penalty,
        cross_fit=options.cross_fit,
        n_bootstrap=options.n_bootstrap,
        seed=options.seed,
        n_threads=options.n_threads,
    )
    fits = [
        _fitted(inputs, compared, at, chosen, options, settings, stream, fold[stream])
        for stream, at in enumerate(rows)
    ]
    used = [features[0] for features in chosen.sets if len(features) == 1]
    both = np.concatenate(rows)
    grid = axes_of_order(inputs, both, 2, options, CODES[1], used)
    return influence_of(
        inputs,
        options,
        compared,
        (fits[0][1], fits[1][1]),
        proxies(inputs.features, rows[0], rows[1], _shares(inputs)),
        on_grid(inputs.features, dict(zip(used, grid)), chosen.sets, fits, rows),
        alike_notices([inputs.features[j] for j in used], both),
    )


def _shares(inputs: Inputs) -> np.ndarray | None:
    """How much of each row is in its group, where that is a matter of probability."""
    return None if inputs.probabilities is None else inputs.weights


def _rows_of(compared: Compared, inputs: Inputs, group: int) -> np.ndarray:
    return np.flatnonzero(compared.condition.rows & (inputs.crossing.codes == group))


def _fitted(
    inputs: Inputs,
    compared: Compared,
    rows: np.ndarray,
    chosen: Chosen,
    options: Options,
    settings: Settings,
    stream: int,
    fold: np.ndarray,
) -> tuple[list[Axis], GroupFit]:
    outcome = compared.condition.outcome[rows]
    axes, subsets = axes_of(inputs, rows, outcome, chosen.sets, options)
    return axes, fit_group(
        axes,
        codes_on(axes, inputs, rows),
        outcome,
        subsets,
        settings,
        weights=None if inputs.weights is None else as_rows(inputs.weights, rows),
        stream=stream,
        fold=fold,
        allowed=chosen.allowed,
    )
