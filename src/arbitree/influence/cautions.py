"""What may have been asked by mistake: outcomes as features, scores without a 0, turned groups."""

from __future__ import annotations

import numpy as np

from arbitree._wording import listed
from arbitree.counts.alone import balanced_accuracy_alone
from arbitree.influence.compared import Compared, group_number
from arbitree.influence.fit import GroupFit
from arbitree.influence.inputs import Inputs
from arbitree.influence.options import Options
from arbitree.influence.words import is_constant
from arbitree.table.coded_column import CodedColumn

ALONE = 0.98  # share of the variance
TELLS = 0.95  # balanced accuracy
FAR = 5  # standard deviations from 0


def cautions(
    inputs: Inputs,
    options: Options,
    compared: Compared,
    names: tuple[str, str],
    fits: tuple[GroupFit, GroupFit],
) -> list[str]:
    """Sentences about choices that would change what the influences mean.

    Parameters
    ----------
    inputs : Inputs
    options : Options
    compared : Compared
    names : pair of str
        The high and the low group.
    fits : pair of GroupFit
    """
    return [
        *_turned_round(inputs, options, compared, names),
        *_deciding_alone(inputs, compared, names, fits),
        *_scores_without_a_zero(inputs, compared, fits),
    ]


def _turned_round(
    inputs: Inputs, options: Options, compared: Compared, names: tuple[str, str]
) -> list[str]:
    if options.groups is None:
        return []
    everyone = np.ones(inputs.crossing.n_groups, bool)
    if group_number(options.groups[0], inputs.crossing, everyone) == compared.high:
        return []
    return [
        f"Group {names[1]!r} was named first and is the lower one: the gap is {names[0]!r} minus "
        f"{names[1]!r}."
    ]


def _deciding_alone(
    inputs: Inputs, compared: Compared, names: tuple[str, str], fits: tuple[GroupFit, GroupFit]
) -> list[str]:
    """A feature that carries nearly all variance of every group that has any, or tells nearly all.

    Its share of the variance falls with each pair of features that it is in; what it tells alone
    does not.
    """
    varying = [(name, fit) for name, fit in zip(names, fits) if not is_constant(fit)]
    if not varying:
        return []
    return [
        f"{feature.name!r} alone gives the decisions of {listed([name for name, _ in varying])}: "
        "if it is an outcome or a score, leave it out."
        for j, feature in enumerate(inputs.features)
        if all(fit.shares.get((j,), 0.0) >= ALONE for _, fit in varying)
        or _tells(inputs, compared, feature)
    ]


def _tells(inputs: Inputs, compared: Compared, feature: CodedColumn) -> bool:
    """Whether a feature alone tells nearly all outcomes of both groups together."""
    if inputs.scores:
        return False
    of_two = np.isin(inputs.crossing.codes, (compared.high, compared.low))
    outcome = compared.condition.outcome
    classes = np.where(compared.condition.rows & of_two, outcome == 1, 2)
    return balanced_accuracy_alone(feature, classes, 2) >= TELLS


def _scores_without_a_zero(
    inputs: Inputs, compared: Compared, fits: tuple[GroupFit, GroupFit]
) -> list[str]:
    if not inputs.scores:
        return []
    of_two = np.isin(inputs.crossing.codes, (compared.high, compared.low))
    seen = compared.condition.outcome[compared.condition.rows & of_two]
    negative = bool((seen < 0).any())
    far = any(abs(fit.mean) > FAR * np.sqrt(fit.variance) for fit in fits)
    if not negative and not far:
        return []
    reason = "some scores are negative" if negative else "all scores are far from it"
    return [
        f"Influences are shares of a mean, which depend on where the score's 0 is, and {reason}: "
        "other numbers added to every score would give other influences of the same gap. Use "
        "scores whose 0 means none, or explain decisions."
    ]
