"""A certificate of a tree, from a table that was read and on which the tree decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from arbitree._errors import InputError
from arbitree.certificate.bounding import Limits, fairness_part
from arbitree.certificate.fairness import certificate_of, metric_of, refuse_nothing
from arbitree.certificate.families import measured_table, rates_of
from arbitree.certificate.result import Certificate
from arbitree.certificate.safety import safety_part
from arbitree.table.coded import CodedTable
from arbitree.tree.estimator import TreeClassifier


def certify_table(
    model: TreeClassifier,
    table: CodedTable | None,
    *,
    limits: Limits,
    rules: Any = None,
    domain: Any = None,
    metric: str | None = None,
    joint: bool = True,
    missing: str = "drop",
    data: Mapping[str, Any] | None = None,
) -> Certificate:
    """As `arbitree.certify`, of rows whose decisions are those of the tree.

    Parameters
    ----------
    model : TreeClassifier
    table : CodedTable or None
        None: nothing is said of fairness.
    limits : Limits
    rules, domain, metric, joint, missing
        As of `arbitree.certify`.
    data : mapping, optional
        Digests of the columns, as `arbitree.certificate.digests` makes them.
    """
    fairness = None
    if table is not None:
        limits.check()
        metric = metric_of([model]) if metric is None else metric
        rates = rates_of(metric, has_control=bool(table.control))
        if table.labels is None and any(rate.needs_labels for rate in rates):
            raise InputError(f"{metric} needs labels. Pass y_true, or another metric.")
        found = measured_table(table, rates, joint=joint, missing=missing)
        _, part = fairness_part({"": model}, [found], limits, metric=metric, several=False)
        said = None if data is None else {**data, "favorable": dict(found.favorable_values)}
        fairness = replace(part, data=None if said is None else {**said, "missing": missing})
    safety = safety_part(model, rules, domain)
    refuse_nothing(fairness, safety, limited=limits.any)
    return certificate_of(model, safety, fairness)
