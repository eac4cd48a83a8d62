"""Certificates: a proof that a tree obeys rules, a bound on how unfair it is in the population."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from arbitree._errors import InputError
from arbitree._versions import versions
from arbitree._wording import listed
from arbitree.certificate.bounding import Limits, fairness_part
from arbitree.certificate.decisions_json import decisions_to_dict
from arbitree.certificate.digests import data_digests
from arbitree.certificate.fairness_part import FairnessPart
from arbitree.certificate.families import measured
from arbitree.certificate.gap_bounds import CLOPPER_PEARSON
from arbitree.certificate.result import Certificate
from arbitree.certificate.safety import SafetyPart, safety_part
from arbitree.certificate.selection import FIXED_SEQUENCE
from arbitree.model.tree import Tree
from arbitree.rules.verify import never_missing
from arbitree.tree.parity import Parity, metrics_of

PACKAGES = ("arbitree", "numpy", "scipy")


def certify(
    model: Any,
    X_cal: Any = None,
    y_cal: Any = None,
    *,
    sensitive_features: Any = None,
    rules: Any = None,
    domain: Any = None,
    max_gap: float | None = None,
    min_p_rule: float | None = None,
    metric: str | None = None,
    confidence: float = 0.95,
    method: str = CLOPPER_PEARSON,
    favorable_label: Any = None,
    y_favorable: Any = None,
    control_features: Any = None,
    joint: bool = True,
    procedure: str = FIXED_SEQUENCE,
    missing: str = "error",
    sample_weight: None = None,
) -> Certificate:
    """Prove that a tree obeys rules, and bound its gap in the population.

    The bound is from rows that the tree has not seen. Either part can be had alone.

    Parameters
    ----------
    model : object with ``predict``, array-like (n,) of decisions, or mapping
        The decision rule, fixed before the calibration rows are looked at; or what it decided on
        them. A mapping from names to several is a list of candidates, see `procedure`.
    X_cal, y_cal : frame or array (n, d), array-like (n,)
        Calibration rows; a frame may have more columns than the model was fitted on. Features
        are not needed of decisions, labels only by metrics of them
        and for the accuracies of candidates.
    sensitive_features : array-like (n,) or (n, k), frame, Series or mapping of columns, optional
        The groups; without them nothing is said of gaps.
    rules : Rules or str, optional
        Prove that the tree obeys them on every row of `domain`. By default those that it was
        learnt with, on their domain.
    domain : frame, array, Schema or sequence of Feature, optional
        As of `arbitree.verify`.
    max_gap : float, optional
        Certify that the gap is at most this; `holds` says whether that succeeded.
    min_p_rule : float, optional
        Certify that the smallest ratio of two groups' rates is at least this, such as 0.8; with
        `max_gap`, both. Candidates need one of the two.
    metric : str, optional
        By default that of the bound of the tree (`parity`), else ``"statistical_parity"``. Or
        ``"equal_opportunity"``, ``"predictive_equality"``, ``"equalized_odds"``,
        ``"predictive_parity"`` or ``"accuracy_equality"``; or, with `control_features`,
        ``"conditional_statistical_parity"``.
    confidence : float
        At least 0.5 and below 1.
    method : {"clopper-pearson", "exact", "newcombe", "hoeffding"}
        Of the bound. The first two hold as often as stated by theorem; ``"exact"`` is a fifth
        narrower, unless rates are near 0 or 1, and slower. ``"newcombe"`` is narrowest and
        approximate: about as often as stated where each group has 10 favourable and 10
        unfavourable decisions or more, and a notice where one has fewer.
    favorable_label, y_favorable : value or list of values, optional
        The favourable decision; the favourable label where labels are coded otherwise.
    control_features : as `sensitive_features`, optional
        Compare groups within each combination of their values.
    joint : bool
        Groups are the combinations of all sensitive columns; with False, those of each column.
        Either way the bound is of all of them together.
    procedure : {"fixed_sequence", "bonferroni"}
        With candidates. The first tests them in the order given, which must be fixed beforehand
        and should begin with the strictest, and stops at the first that fails; the second tests
        all, each with a part of the error. Of the certified ones, the most accurate on these rows
        is chosen, without labels the last.
    missing : {"error", "drop", "group"}
        What a missing group means, as for `arbitree.audit`.
    sample_weight : None
        Refused: a bound counts independent rows, and a weight says nothing of how many there are.

    Returns
    -------
    Certificate

    Raises
    ------
    LabelError, AlignmentError, MissingValueError, InputError
        As `arbitree.audit`.
    NotEstimableError
        There are no two groups to compare.
    RuleError
        The tree breaks a rule; shows a row that it decides so.

    Notes
    -----
    Sampling is all that the bound allows for: not a population that has changed since. The bound
    is of the largest gap over all pairs of groups, and over both conditions of equalized odds,
    without loss for their number (Berger 1982). Of several candidates the statement "the gap is
    at most max_gap" is certified, and with ``"fixed_sequence"`` no smaller bound; all candidates
    are tested on the same rows.

    References
    ----------
    Clopper and Pearson (1934); Berger and Boos (1994); Newcombe (1998), method 10; Schuirmann
    (1987); Berger (1982), Technometrics 24:295; Maurer, Hothorn and Lehmacher (1995).

    Examples
    --------
    >>> import arbitree as ar
    >>> sex = ["f"] * 1000 + ["m"] * 1000
    >>> hired = [1] * 200 + [0] * 800 + [1] * 210 + [0] * 790
    >>> found = ar.certify(hired, sensitive_features={"sex": sex}, max_gap=0.1)
    >>> found.holds, round(found.gap, 3), round(found.bound, 3)
    (True, 0.01, 0.061)
    >>> print(found.statement)
    The statistical_parity gap is at most 0.061 with 95 % confidence, n = 2,000 (clopper-pearson).
    """
    _refuse_weights(sample_weight)
    several = isinstance(model, Mapping)
    candidates = dict(model) if several else {"": model}
    if not candidates:
        raise InputError("There are no candidates. Pass at least one.")
    chosen, fairness = next(iter(candidates)), None
    if sensitive_features is not None:
        limits = Limits(max_gap=max_gap, min_p_rule=min_p_rule, confidence=confidence,
                        method=method, procedure=procedure)  # fmt: skip
        limits.check()
        metric = metric_of(candidates.values()) if metric is None else metric
        groups = {"sensitive_features": sensitive_features, "control_features": control_features}
        found = [
            measured(rule, X_cal, y_cal, metric=metric, joint=joint, missing=missing,
                     favorable_label=favorable_label, y_true_favorable=y_favorable, **groups)
            for rule in candidates.values()
        ]  # fmt: skip
        chosen, part = fairness_part(candidates, found, limits, metric=metric, several=several)
        values = found[list(candidates).index(chosen)].favorable_values
        digests = data_digests(candidates[chosen], X_cal, y_cal, groups, values, missing)
        fairness = replace(part, data=digests)
    safety = safety_part(candidates[chosen], rules, domain)
    refuse_nothing(fairness, safety, limited=several or not (max_gap is min_p_rule is None))
    return certificate_of(candidates[chosen], safety, fairness)


def certificate_of(
    model: Any, safety: SafetyPart | None, fairness: FairnessPart | None
) -> Certificate:
    """Both parts, or one, with the tree that they are of."""
    tree = getattr(model, "tree_", model)
    notices = () if fairness is None else fairness.notices
    return Certificate(
        safety=safety,
        fairness=fairness,
        tree=decisions_to_dict(tree) if isinstance(tree, Tree) else None,
        notices=(*notices, *([] if safety is None else never_missing(safety.bound))),
        versions=versions(*PACKAGES),
    )


def refuse_nothing(fairness: object, safety: object, *, limited: bool) -> None:
    """Refuse what would say nothing, or not what was asked."""
    if fairness is not None:
        return
    if safety is None:
        raise InputError(
            "There is nothing to certify. Pass sensitive_features for a bound on the gap, rules "
            "for a proof that a tree obeys them, or both."
        )
    if limited:
        raise InputError("A limit on gaps, or a choice of candidates, needs sensitive_features.")


def _refuse_weights(sample_weight: object) -> None:
    if sample_weight is not None:
        raise InputError(
            "A certificate counts independent rows, so that sample_weight cannot be used: a row of "
            "weight 3 is not three people. Draw calibration rows at random from the population "
            "that is meant, for instance with probabilities proportional to the weights."
        )


def metric_of(rules: Iterable[Any]) -> str:
    """What the trees among some rules are bound by, else statistical parity."""
    bounds = (getattr(rule, "parity", None) for rule in rules)
    names = sorted(
        {name for one in bounds if isinstance(one, Parity) for name in metrics_of(one.metric)}
    )
    if len(names) > 1:
        raise InputError(f"The bounds are of {listed(names)}. Pass metric, one of them.")
    return names[0] if names else "statistical_parity"
