"""The fairness part: every number again, from the counts."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import combinations, groupby
from typing import Any

from arbitree.certificate.check.binomial import clopper_pearson, newcombe
from arbitree.certificate.check.bounds import (
    METHODS,
    Count,
    Family,
    asked_confidence,
    ratio_limit,
    simultaneous_confidence,
    upper_limit,
)
from arbitree.certificate.check.exact_test import pair_holds, pair_is_within
from arbitree.certificate.check.report import Report
from arbitree.certificate.check.shape import Wrong, equal, fields, typed

CLOSE = 1e-9  # numbers that differ by no more are the same
CONDITIONS = {
    "statistical_parity": ("selection_rate",),
    "conditional_statistical_parity": ("selection_rate",),
    "equal_opportunity": ("true_positive_rate",),
    "predictive_equality": ("false_positive_rate",),
    "equalized_odds": ("true_positive_rate", "false_positive_rate"),
    "predictive_parity": ("positive_predictive_value",),
    "accuracy_equality": ("accuracy",),
}
_DIGEST = re.compile("[0-9a-f]{64}")
_SELECTIONS = ("fixed_sequence", "bonferroni")
_SHARE = (float, type(None))
_LIMIT = (float, int, type(None))
_TEXT = (str, type(None))
_FIELDS: dict[str, Any] = {
    **dict.fromkeys(("statement", "metric", "method", "favorable", "group_high"), str),
    **dict.fromkeys(("group_low", "condition", "grouping"), str),
    **dict.fromkeys(("gap", "bound", "p_rule", "p_rule_bound"), _SHARE),
    **dict.fromkeys(("max_gap", "min_p_rule"), _LIMIT),
    **dict.fromkeys(("chosen", "selection", "constant", "label_favorable"), _TEXT),
    **dict.fromkeys(("sensitive_features", "by_group", "pairs", "candidates"), list),
    "confidence": (float,),
    "holds": (bool, type(None)),
    "n": int,
    "data": (dict, type(None)),
}
_GROUP: dict[str, Any] = {
    **dict.fromkeys(("grouping", "condition", "group", "status"), str),
    **dict.fromkeys(("n", "k"), int),
    **dict.fromkeys(("rate", "ci_low", "ci_high"), _SHARE),
}
_CANDIDATE: dict[str, Any] = {
    **dict.fromkeys(("candidate", "status"), str),
    **dict.fromkeys(("gap", "bound", "p_rule_bound", "accuracy"), _SHARE),
    **dict.fromkeys(("k", "n"), list),
}


class Fairness:
    """The fairness part of a certificate, taken apart; what is wrong in it is raised."""

    def __init__(self, data: Any) -> None:
        self.data = fields(data, "fairness", _FIELDS)
        self.method, self.confidence = data["method"], data["confidence"]
        if self.method not in METHODS or not 0.5 <= self.confidence < 1:
            raise Wrong("fairness has a method or a confidence that there is not")
        for limit in (data["max_gap"], data["min_p_rule"]):
            if limit is not None and not 0 <= limit <= 1:
                raise Wrong("fairness has a limit that is none")
        self.rows = [fields(row, "fairness.by_group", _GROUP) for row in data["by_group"]]
        for row in self.rows:
            if not 0 <= row["k"] <= row["n"]:
                raise Wrong(f"{row['group']!r} has {row['k']} hits of {row['n']} rows")
        self.families = self._families([(row["k"], row["n"]) for row in self.rows])
        self._check_names()
        self._check_data(data["data"])
        self.candidates = [fields(one, "fairness.candidates", _CANDIDATE)
                           for one in data["candidates"]]  # fmt: skip
        selection = data["selection"]
        if (selection is not None) != bool(self.candidates) or (
            selection is not None and selection not in _SELECTIONS
        ):
            raise Wrong("fairness.selection does not go with the candidates")
        self.asked = asked_confidence(self.confidence, len(self.candidates), selection)
        self.simultaneous = simultaneous_confidence(self.asked, self.families, self.method)

    def check(self, report: Report) -> None:
        """Derive everything again; what is not the same goes into the report."""
        report.attempt("rates and intervals of groups", self._groups)
        report.attempt("gaps and bounds of pairs", self._pairs)
        report.attempt("candidates and the choice among them", self._candidates)
        report.attempt("gap, p-rule and their bounds", self._summary)
        report.attempt("constant decisions", self._constant)
        report.attempt("statement of fairness", lambda: equal(
            self.data["statement"], self._statement(), "fairness.statement"))  # fmt: skip

    def _families(self, counts: list[Count]) -> list[Family]:
        keyed = groupby(
            zip(self.rows, counts), key=lambda one: (one[0]["grouping"], one[0]["condition"])
        )
        found = []
        for (grouping, condition), part in keyed:
            some = list(part)
            names = tuple(row["group"] for row, _ in some)
            if len(set(names)) < len(names) or len(names) < 2:
                raise Wrong(f"{grouping}, {condition}: a group is there twice, or alone")
            found.append(Family(grouping, condition, names, tuple(count for _, count in some)))
        if not found or len({(f.grouping, f.condition) for f in found}) < len(found):
            raise Wrong("fairness.by_group is empty, or not in order")
        return found

    def _check_names(self) -> None:
        metric, names = self.data["metric"], self.data["sensitive_features"]
        if metric not in CONDITIONS or not names:
            raise Wrong(f"fairness is of {metric!r}, which is no metric, or of no groups")
        for name in names:
            typed(name, "fairness.sensitive_features", str)
        for family in self.families:
            if family.grouping not in (*names, " x ".join(names)) and " x " not in family.grouping:
                raise Wrong(f"nobody is grouped by {family.grouping!r}")
            rate, _, where = family.condition.partition(", ")
            within = metric == "conditional_statistical_parity"
            if rate not in CONDITIONS[metric] or (within and not where):
                raise Wrong(f"{metric} is of no condition {family.condition!r}")
            if sum(n for _, n in family.counts) > self.data["n"]:
                raise Wrong(f"there are more rows under {family.condition!r} than in all")

    def _check_data(self, said: Any) -> None:
        """The shape of what is said of the columns; what it says needs them."""
        if said is None:
            return
        column = {"name": str, "sha256": str}
        fields(said, "fairness.data", {"missing": str, "favorable": dict, "sensitive": list},
               features=list, control=list, label=dict, decisions=dict)  # fmt: skip
        lists = [one for role in ("sensitive", "features", "control") for one in said.get(role, [])]
        for one in [*lists, *(said[role] for role in ("label", "decisions") if role in said)]:
            fields(one, "a column of fairness.data", column)
            if not _DIGEST.fullmatch(one["sha256"]):
                raise Wrong(f"the digest of column {one['name']!r} is none")
        if said["missing"] not in ("error", "drop", "group"):
            raise Wrong(f"fairness.data.missing is {said['missing']!r}")
        if [one["name"] for one in said["sensitive"]] != self.data["sensitive_features"]:
            raise Wrong("fairness.sensitive_features are not the columns that data has of them")
        labelled = "label" in said
        if labelled != (self.data["label_favorable"] is not None):
            raise Wrong("fairness.label_favorable does not go with the columns of the data")
        favorable = {"decisions": list, "label": list if labelled else type(None)}
        fields(said["favorable"], "fairness.data.favorable", favorable)
        for texts in said["favorable"].values():
            given = [typed(text, "fairness.data.favorable", str) for text in texts or []]
            if given != sorted(set(given)):
                raise Wrong("fairness.data.favorable has a value twice, or is not in order")

    def _groups(self) -> None:
        for row in self.rows:
            k, n = row["k"], row["n"]
            low, high = clopper_pearson(k, n, self.confidence) if n else (None, None)
            status = "ok" if n else "no rows under this condition"
            derived = {"rate": k / n if n else None, "ci_low": low, "ci_high": high}
            _all_close(row, derived, f"group {row['group']!r}, {row['condition']}")
            equal(row["status"], status, f"status of {row['group']!r}")

    def _pairs(self) -> None:
        derived = list(self._derived_pairs())
        if len(derived) != len(self.data["pairs"]):
            raise Wrong(f"there are {len(derived)} pairs, not {len(self.data['pairs'])}")
        for said, (texts, numbers, counts) in zip(self.data["pairs"], derived):
            where = f"pair {texts['group_high']!r}, {texts['group_low']!r}, {texts['condition']}"
            bounds = ["bound", "bound_simultaneous"] if self.method == "exact" else []
            required: dict[str, Any] = dict.fromkeys(texts, str)
            fields(said, where, required | dict.fromkeys([*numbers, *bounds], _SHARE))
            for name, text in texts.items():
                equal(said[name], text, f"{where}: {name}")
            _all_close(said, numbers, where)
            for name, confidence in zip(bounds, (self.asked, self.simultaneous)):
                if said[name] is None or not pair_holds(
                    said[name], counts[0], counts[1], 1 - confidence
                ):
                    raise Wrong(f"{where}: {name} is {said[name]}, which the exact test refutes")

    def _derived_pairs(self) -> Iterator[tuple[dict[str, str], dict[str, Any], list[Count]]]:
        for family in self.families:
            for a, b in combinations(range(len(family.groups)), 2):
                (ka, na), (kb, nb) = family.counts[a], family.counts[b]
                if na and nb and kb / nb > ka / na:
                    a, b = b, a
                high, low = family.counts[a], family.counts[b]
                yield (
                    {
                        "grouping": family.grouping,
                        "condition": family.condition,
                        "group_high": family.groups[a],
                        "group_low": family.groups[b],
                        "status": "ok" if na and nb else "a group has no rows",
                    },
                    self._of_pair(high, low),
                    [high, low],
                )

    def _of_pair(self, high: Count, low: Count) -> dict[str, Any]:
        known = high[1] > 0 and low[1] > 0
        p, q = (high[0] / high[1], low[0] / low[1]) if known else (0.0, 0.0)
        ends = newcombe(*high, *low, self.confidence) if known else (None, None)
        ratios = [ratio_limit(*two, self.asked, self.method) for two in ((high, low), (low, high))]
        found = {
            "gap": p - q if known else None,
            "ci_low": ends[0],
            "ci_high": ends[1],
            "ratio": None if not known else q / p if p > 0 else 1.0,
            "ratio_bound": min(ratios),
        }
        if self.method != "exact":
            for name, confidence in (
                ("bound", self.asked),
                ("bound_simultaneous", self.simultaneous),
            ):
                found[name] = self._wider(high, low, confidence)
        return found

    def _wider(self, high: Count, low: Count, confidence: float) -> float:
        return max(upper_limit(*two, confidence, self.method) for two in ((high, low), (low, high)))

    def _bounds(self, families: list[Family]) -> tuple[float, float]:
        """Bounds of the largest gap and of the smallest ratio; not of the exact test."""
        gap, p_rule = 0.0, 1.0
        for family in families:
            for first, second in combinations(family.counts, 2):
                gap = max(gap, self._wider(first, second, self.asked))
                for two in ((first, second), (second, first)):
                    p_rule = min(p_rule, ratio_limit(*two, self.asked, self.method))
        return gap, p_rule

    def _meets(self, gap: float, p_rule: float) -> bool:
        most, least = self.data["max_gap"], self.data["min_p_rule"]
        return gap <= (1.0 if most is None else most) and p_rule >= (
            0.0 if least is None else least
        )

    def _own_bounds(self) -> tuple[float, float]:
        """Of the chosen rule, as its pairs have them."""
        if self.method != "exact":
            return self._bounds(self.families)
        return max(pair["bound"] for pair in self.data["pairs"]), self._bounds_of_ratios()

    def _bounds_of_ratios(self) -> float:
        return min(pair["ratio_bound"] for pair in self.data["pairs"])

    def _candidates(self) -> None:
        if not self.candidates:
            equal(self.data["chosen"], None, "fairness.chosen")
            return
        names = [one["candidate"] for one in self.candidates]
        if len(set(names)) < len(names):
            raise Wrong("two candidates have the same name")
        passed = []
        for one in self.candidates:
            for key in ("k", "n"):
                if any(type(count) is not int for count in one[key]) or len(one[key]) != len(
                    self.rows
                ):
                    raise Wrong(f"candidate {one['candidate']!r} has not one {key} a group")
            counts = list(zip(one["k"], one["n"]))
            if any(not 0 <= k <= n for k, n in counts):
                raise Wrong(f"candidate {one['candidate']!r} has more hits than rows")
            families = self._families(counts)
            _all_close(one, {"gap": max(map(_spread, families))}, f"candidate {one['candidate']!r}")
            self._candidate_bounds(one, families)
            passed.append(self._meets(one["bound"], one["p_rule_bound"]))
        self._choice(passed, names)

    def _candidate_bounds(self, one: dict[str, Any], families: list[Family]) -> None:
        where = f"candidate {one['candidate']!r}"
        gap, p_rule = (None, None) if self.method == "exact" else self._bounds(families)
        if gap is not None:
            _all_close(one, {"bound": gap, "p_rule_bound": p_rule}, where)
            return
        pairs = [
            sorted(two, key=lambda c: -(c[0] / c[1] if c[1] else 0.0))
            for family in families
            for two in combinations(family.counts, 2)
        ]
        alpha = 1 - self.asked
        if not all(pair_is_within(one["bound"], two[0], two[1], alpha) for two in pairs):
            raise Wrong(f"{where}: a pair may differ by more than its bound")
        if not any(pair_holds(one["bound"], two[0], two[1], alpha) for two in pairs):
            raise Wrong(f"{where}: its bound is that of no pair")
        ratios = [ratio_limit(two[0], two[1], self.asked, self.method)
                  for pair in pairs for two in (pair, pair[::-1])]  # fmt: skip
        _all_close(one, {"p_rule_bound": min(ratios)}, where)

    def _choice(self, passed: list[bool], names: list[str]) -> None:
        in_sequence = self.data["selection"] == "fixed_sequence"
        holds, going = [], True
        for one, ok in zip(self.candidates, passed):
            status = "certified" if ok and (going or not in_sequence) else "not certified"
            if in_sequence and not going:
                status = "not tested: an earlier candidate failed"
            holds.append(status == "certified")
            going = going and ok
            equal(one["status"], status, f"status of candidate {one['candidate']!r}")
        among = [at for at, ok in enumerate(holds) if ok]
        best = max(among, key=lambda at: (self.candidates[at]["accuracy"] or 0.0, at), default=0)
        equal(self.data["chosen"], names[best], "fairness.chosen")
        own = [[row["k"] for row in self.rows], [row["n"] for row in self.rows]]
        equal([self.candidates[best]["k"], self.candidates[best]["n"]], own, "counts of the chosen")

    def _summary(self) -> None:
        pairs = list(self._derived_pairs())
        gaps = [-1.0 if pair[1]["gap"] is None else pair[1]["gap"] for pair in pairs]
        texts, numbers, _ = pairs[gaps.index(max(gaps))]
        for name in ("group_high", "group_low", "condition", "grouping"):
            equal(self.data[name], texts[name], f"fairness.{name}")
        ratios = [pair[1]["ratio"] for pair in pairs if pair[1]["ratio"] is not None]
        gap, p_rule = self._own_bounds()
        limited = self.data["max_gap"] is not None or self.data["min_p_rule"] is not None
        chosen = [one for one in self.candidates if one["candidate"] == self.data["chosen"]]
        holds = chosen[0]["status"] == "certified" if chosen else self._meets(gap, p_rule)
        equal(self.data["holds"], holds if limited else None, "fairness.holds")
        if chosen and holds and self.data["selection"] == "fixed_sequence":
            most, least = self.data["max_gap"], self.data["min_p_rule"]
            gap, p_rule = (
                1.0 if most is None else float(most),
                0.0 if least is None else float(least),
            )
        derived = {"gap": numbers["gap"], "p_rule": min(ratios, default=None)}
        _all_close(self.data, {**derived, "bound": gap, "p_rule_bound": p_rule}, "fairness")

    def _constant(self) -> None:
        """What everyone's decision is: known where rates are of all decisions."""
        said = self.data["constant"]
        if said not in (None, "favourable", "unfavourable"):
            raise Wrong(f"fairness.constant is {said!r}")
        if not all(family.condition.startswith("selection_rate") for family in self.families):
            return
        rates = {k / n for family in self.families for k, n in family.counts if n}
        alike = (
            {1.0: "favourable", 0.0: "unfavourable"}.get(min(rates)) if len(rates) == 1 else None
        )
        whole = {family.grouping for family in self.families}
        counted = max(sum(n for f in self.families if f.grouping == one for _, n in f.counts)
                      for one in whole)  # fmt: skip
        if alike is None or counted == self.data["n"]:
            equal(said, alike, "fairness.constant")

    def _statement(self) -> str:
        data = self.data
        about = "about " if self.method == "newcombe" else ""
        sure = (
            f"with {about}{100 * self.confidence:g} % confidence, n = {data['n']:,} ({self.method})"
        )
        gap, p_rule = _rounded_up(data["bound"]), -_rounded_up(-data["p_rule_bound"])
        alike = ""
        if data["constant"]:
            alike = (
                f" The rule is constant on these rows: everyone's decision is {data['constant']}."
            )
        if data["holds"] is False:
            parts = {
                "max_gap": ("the gap may be", gap),
                "min_p_rule": ("the p-rule may be", p_rule),
            }
            asked = {
                "max_gap": f"the {data['metric']} gap is at most",
                "min_p_rule": "the p-rule is at least",
            }
            limits = [name for name in parts if data[name] is not None]
            wanted = " and ".join(f"{asked[name]} {data[name]:g}" for name in limits)
            possible = " and ".join(f"{parts[name][0]} {parts[name][1]:g}" for name in limits)
            return f"Not certified that {wanted}: {possible} {sure}.{alike}"
        ratio = f" and the p-rule at least {p_rule:g}" if data["min_p_rule"] is not None else ""
        return f"The {data['metric']} gap is at most {gap:g}{ratio} {sure}.{alike}"


def _rounded_up(bound: float) -> float:
    return math.ceil(bound * 10_000 - 1e-9) / 10_000


def _spread(family: Family) -> float:
    rates = [k / n for k, n in family.counts if n]
    return max(rates) - min(rates) if rates else 0.0


def _all_close(said: dict[str, Any], derived: dict[str, Any], where: str) -> None:
    for name, value in derived.items():
        given = said[name]
        if (given is None) != (value is None) or (
            value is not None and (type(given) is not float or abs(given - value) > CLOSE)
        ):
            raise Wrong(f"{where}: {name} is {given!r}, and is derived as {value!r}")
