"""Certificates of fairness: whose gap, at most how large, how sure."""

from __future__ import annotations

import json
from itertools import product
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

import arbitree as ar
from arbitree._errors import AlignmentError, InputError, LabelError, NotEstimableError
from arbitree.certificate.fairness import certify
from arbitree.certificate.gap_bounds import gap_bounds
from arbitree.certificate.selection import asked_confidence, best, certified

N = 1200


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "sex": rng.choice(["f", "m"], N, p=[0.4, 0.6]),
            "race": rng.choice(["a", "b", "c"], N),
            "job": rng.choice(["x", "y"], N),
            "x": rng.normal(size=N),
        }
    )
    frame["repaid"] = (frame["x"] + rng.normal(size=N) > 0.5).astype(int)
    frame["decided"] = (frame["x"] > 0.4).astype(int)
    return frame


class _Rule:
    """Decides yes above a limit of x."""

    classes_ = np.array(["no", "yes"])

    def __init__(self, limit):
        self.limit = limit

    def predict(self, X):
        return np.where(np.asarray(X["x"]) > self.limit, "yes", "no")


def test_the_bound_is_made_of_the_counts_in_the_certificate(people):
    for metric in ("statistical_parity", "equalized_odds", "accuracy_equality"):
        found = certify(
            people["decided"], None, people["repaid"], metric=metric,
            sensitive_features=people[["sex", "race"]],
        )  # fmt: skip
        tables = [part for _, part in found.by_group.groupby("condition", sort=False)]
        bounds = gap_bounds([part["k"] for part in tables], [part["n"] for part in tables])
        assert (found.bound, found.p_rule_bound) == (bounds.gap, bounds.p_rule)
        assert found.pairs["bound"].max() == found.bound
        assert (found.pairs["bound_simultaneous"] >= found.pairs["bound"]).all()
        assert found.gap == found.pairs["gap"].max() <= found.bound


def test_a_gap_is_that_of_the_audit(people):
    import arbitree as ar

    audit = ar.audit(
        people["decided"], sensitive_features=people["race"], y_true=people["repaid"]
    ).gaps.set_index("metric")
    for metric in audit.index:
        found = certify(
            people["decided"], y_cal=people["repaid"], metric=metric,
            sensitive_features=people["race"],
        )  # fmt: skip
        assert found.gap == pytest.approx(audit.loc[metric, "value"])
        assert found.group_high == audit.loc[metric, "group_high"]


def test_a_limit_is_certified_or_not(people):
    sex = people["sex"]
    assert certify(people["decided"], sensitive_features=sex, max_gap=0.2).holds is True
    found = certify(people["decided"], sensitive_features=sex, max_gap=0.01)
    assert found.holds is False
    assert found.statement.startswith("Not certified that the statistical_parity gap is at most")
    assert certify(people["decided"], sensitive_features=sex).holds is None


def test_a_p_rule_is_certified_alone_or_with_the_gap(people):
    sex = people["sex"]
    free = certify(people["decided"], sensitive_features=sex)
    low, high = free.p_rule_bound - 0.01, free.p_rule_bound + 0.01
    assert certify(people["decided"], sensitive_features=sex, min_p_rule=low).holds is True
    assert certify(people["decided"], sensitive_features=sex, min_p_rule=high).holds is False
    both = certify(people["decided"], sensitive_features=sex, min_p_rule=low, max_gap=free.bound)
    assert both.holds is True
    assert "and the p-rule at least" in both.statement
    one = certify(people["decided"], sensitive_features=sex, min_p_rule=high, max_gap=free.bound)
    assert one.holds is False
    chosen = certify({"a": people["decided"]}, sensitive_features=sex, min_p_rule=low)
    assert (chosen.bound, chosen.p_rule_bound, chosen.holds) == (1, low, True)


def test_a_model_decides_on_the_calibration_rows(people):
    by_model = certify(_Rule(0.4), people, sensitive_features=people["sex"], favorable_label="yes")
    by_decisions = certify(people["decided"], sensitive_features=people["sex"])
    assert by_model.bound == by_decisions.bound
    assert by_model.favorable == "favourable: decision = 'yes'"


def test_a_constant_rule_says_that_it_is_one(people):
    found = certify(_Rule(99), people, sensitive_features=people["sex"], favorable_label="yes")
    assert (found.gap, found.p_rule, found.p_rule_bound) == (0, 1, 0)
    assert found.constant
    assert "The rule is constant on these rows: everyone's decision is" in found.statement
    assert "constant" in found.to_dict()["statement"]


def test_the_favourable_label_of_a_model_of_words_must_be_known(people):
    with pytest.raises(LabelError, match="cannot be known which is favourable"):
        certify(_Rule(0), people, sensitive_features=people["sex"])


def test_a_tree_knows_its_favourable_class(people):
    import arbitree as ar

    half = people.index < N // 2
    labels = people["repaid"].map({0: "bad", 1: "good"})
    tree = ar.TreeClassifier(max_depth=3, favorable_label="bad")
    tree.fit(people.loc[half, ["x", "job"]], labels[half], sensitive_features=people["sex"][half])
    rest = people[~half]
    found = certify(
        tree, rest[["x", "job"]], labels[~half], sensitive_features=rest["sex"],
        metric="equalized_odds",
    )  # fmt: skip
    assert (found.favorable, found.label_favorable) == (
        "favourable: decision = 'bad'",
        "favourable: repaid = 'bad'",
    )


def test_rows_are_paired_by_index(people):
    groups = people["sex"].sample(frac=1, random_state=0)
    straight = certify(people["decided"], sensitive_features=people["sex"])
    assert certify(people["decided"], sensitive_features=groups).bound == straight.bound
    with pytest.raises(AlignmentError):
        certify(people["decided"], sensitive_features=people["sex"].iloc[1:])


def test_marginal_groups_are_certified_column_by_column(people):
    columns = people[["sex", "race"]]
    found = certify(people["decided"], sensitive_features=columns, joint=False)
    alone = [certify(people["decided"], sensitive_features=columns[[c]]).bound for c in columns]
    assert found.bound == max(alone)
    assert found.pairs["grouping"].unique().tolist() == ["sex", "race"]


def test_controls_are_conditions(people):
    found = certify(
        people["decided"], sensitive_features=people["sex"], control_features=people["job"]
    )
    assert found.pairs["condition"].tolist() == ["selection_rate, job=x", "selection_rate, job=y"]
    x = people["job"] == "x"
    alone = certify(people.loc[x, "decided"], sensitive_features=people.loc[x, "sex"])
    assert found.pairs["bound"][0] == alone.bound


def test_a_group_without_labels_of_the_condition_has_no_bound(people):
    repaid = people["repaid"].where(people["race"] != "c", 0)
    found = certify(
        people["decided"], y_cal=repaid, metric="equal_opportunity", max_gap=0.5,
        sensitive_features=people["race"],
    )  # fmt: skip
    assert (found.bound, found.holds, found.p_rule_bound) == (1, False, 0)
    assert found.pairs["status"].tolist() == ["ok", "a group has no rows", "a group has no rows"]
    assert found.by_group["status"].tolist()[-1] == "no rows under this condition"


def test_a_group_that_nobody_is_in_is_left_out_in_words(people):
    sex = people["sex"].astype(pd.CategoricalDtype(["f", "m", "x"]))
    found = certify(people["decided"], sensitive_features=sex)
    assert found.by_group["group"].tolist() == ["f", "m"]
    assert any("1 group without rows, about which nothing is said: 'x'" in n for n in found.notices)


def test_one_group_alone_cannot_be_compared(people):
    with pytest.raises(NotEstimableError, match="rows of at least two groups"):
        certify(people["decided"], sensitive_features=["all"] * N)


def test_rows_that_may_be_those_of_training_are_suspected(people):
    rule = _Rule(0.4)
    rule.tree_ = SimpleNamespace(n=np.array([N]))
    found = certify(rule, people, sensitive_features=people["sex"], favorable_label="yes")
    assert any("If these are the same rows, nothing is certified" in n for n in found.notices)


def _candidates(limits):
    return {f"above {limit}": _Rule(limit) for limit in limits}


def test_a_fixed_sequence_stops_at_the_first_that_fails(people):
    decided = {
        name: np.where((people["sex"] == "f") & (np.arange(N) % 10 < tenths), 0, people["decided"])
        for name, tenths in {"fair": 0, "fair too": 0, "unfair": 9, "fair again": 0}.items()
    }
    found = certify(decided, y_cal=people["repaid"], sensitive_features=people["sex"], max_gap=0.15)
    assert found.candidates["status"].tolist() == [
        "certified",
        "certified",
        "not certified",
        "not tested: an earlier candidate failed",
    ]
    assert (found.holds, found.chosen, found.selection) == (True, "fair too", "fixed_sequence")
    # No smaller bound than the limit survives the choice.
    assert found.bound == found.max_gap == 0.15
    assert found.p_rule_bound == 0


def test_the_most_accurate_certified_candidate_is_chosen(people):
    rules = _candidates([2.5, 0.4, 2.0])
    found = certify(
        rules, people, np.where(people["repaid"] == 1, "yes", "no"), max_gap=0.15,
        sensitive_features=people["sex"], favorable_label="yes",
    )  # fmt: skip
    assert found.candidates["status"].tolist() == ["certified"] * 3
    assert found.chosen == "above 0.4"


def test_bonferroni_asks_more_of_each_of_more_candidates(people):
    rules = _candidates([0.4])
    bounds = [
        certify(
            {str(at): _Rule(0.4) for at in range(many)}, people, sensitive_features=people["sex"],
            favorable_label="yes", max_gap=1.0, procedure="bonferroni",
        ).bound
        for many in (1, 2, 50)
    ]  # fmt: skip
    assert bounds == sorted(bounds)
    alone = certify(
        rules["above 0.4"], people, sensitive_features=people["sex"], favorable_label="yes",
        confidence=1 - 0.05 / 50,
    )  # fmt: skip
    assert bounds[-1] == pytest.approx(alone.bound)


def test_certificates_are_written_whole_and_strict(people, tmp_path):
    found = certify(people["decided"], sensitive_features=people[["sex", "race"]], max_gap=0.3)
    path = tmp_path / "certificate.json"
    found.write(path)
    found.write(path)
    assert [file.name for file in tmp_path.iterdir()] == ["certificate.json"]
    read = json.loads(path.read_text(encoding="utf-8"), parse_constant=pytest.fail)
    assert (read["schema"], read["schema_version"]) == ("arbitree/certificate", 2)
    assert read["fairness"]["bound"] == found.bound
    assert len(read["fairness"]["by_group"]) == 6
    assert found.to_json() == path.read_text(encoding="utf-8")
    with pytest.raises(OSError, match="nowhere"):
        found.write(tmp_path / "nowhere" / "certificate.json")


def test_certificates_say_the_same_in_every_format(people):
    found = certify(people["decided"], sensitive_features=people["sex"])
    for text in (found.to_markdown(), found.to_html(), repr(found)):
        assert found.statement in text
    assert "No rules were given" in found.to_dict()["rules"]


def test_false_certificates_are_as_rare_as_promised_even_after_choosing():
    rng, limit, n = np.random.default_rng(0), 0.05, np.array([1000, 2000])
    rates = np.array([[0.3, 0.3 - gap] for gap in [0.0, 0.03, *[0.055] * 30]])
    false = {"fixed_sequence": 0, "bonferroni": 0, "naive": 0}
    for _ in range(200):
        k, accuracy = rng.binomial(n, rates), rng.random(len(rates))
        for procedure in false:
            asked = asked_confidence(0.95, len(rates), procedure=procedure)
            each = gap_bounds(k, np.broadcast_to(n, k.shape), confidence=asked, method="newcombe")
            bounds = each.upper.max(axis=(1, 2))
            chosen = best(certified(bounds <= limit, procedure=procedure), accuracy, rank=float)
            gap = rates[chosen, 0] - rates[chosen, 1]
            false[procedure] += bool(bounds[chosen] <= limit and gap > limit)
    # 5 % of 200 is 10, with a standard deviation of 3.1.
    assert max(false["fixed_sequence"], false["bonferroni"]) <= 17
    assert false["naive"] > 40


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        ({"rules": "a = b => c"}, "has no leaves to prove rules of"),
        ({"max_gap": 2}, "Pass a number from 0 to 1"),
        ({"metric": "statistical_party"}, "Did you mean 'statistical_parity'"),
        ({"metric": "equal_opportunity"}, "Pass y_cal"),
        ({"confidence": 1}, "below 1"),
        ({"method": "wald"}, "There are"),
        ({"procedure": "naive"}, "There are 'fixed_sequence' and 'bonferroni'"),
    ],
)
def test_errors_say_what_to_do(people, arguments, advice):
    with pytest.raises(InputError, match=advice):
        certify(people["decided"], sensitive_features=people["sex"], **arguments)


def test_candidates_need_a_limit_and_models_need_features(people):
    with pytest.raises(InputError, match="Pass max_gap"):
        certify({"a": people["decided"]}, sensitive_features=people["sex"])
    with pytest.raises(InputError, match="Pass at least one"):
        certify({}, sensitive_features=people["sex"], max_gap=0.1)
    with pytest.raises(InputError, match="Pass X_cal"):
        certify(_Rule(0), sensitive_features=people["sex"])


def test_weights_are_refused_with_the_reason():
    with pytest.raises(InputError, match="a row of weight 3 is not three people"):
        certify([0, 1, 0, 1], sensitive_features=list("aabb"), sample_weight=[1, 2, 3, 4])


def test_parity_within_controls_is_that_of_each_level():
    sex, branch = list("ffmm" * 50), list("nsns" * 50)
    decided = [0] * 20 + [1] * 180
    options = {"sensitive_features": sex, "control_features": {"branch": branch}}
    found = certify(decided, metric="conditional_statistical_parity", **options)
    assert found.bound == certify(decided, **options).bound
    assert found.metric == "conditional_statistical_parity"
    with pytest.raises(InputError, match="Pass control_features"):
        certify(decided, sensitive_features=sex, metric="conditional_statistical_parity")


def test_newcombe_limits_are_said_to_be_approximate_and_of_which_group_they_are_not_even_that():
    sex = ["f"] * 60 + ["m"] * 60
    common = [0, 1, 1] * 20
    found = certify(common * 2, sensitive_features={"sex": sex}, method="newcombe")
    assert "with about 95 % confidence" in found.statement
    assert any("hold about as often as stated" in notice for notice in found.notices)
    rare = certify([1] * 3 + [0] * 57 + common, sensitive_features={"sex": sex}, method="newcombe")
    assert any(
        "f has 3 of 60 (selection_rate). Pass method='exact'" in notice for notice in rare.notices
    )
    exact = certify(common * 2, sensitive_features={"sex": sex}, method="exact")
    assert "with 95 % confidence" in exact.statement
    assert not any("Newcombe" in notice for notice in exact.notices)


def test_newcombe_bounds_hold_as_often_as_documented():
    rates = (0.1, 0.3, 0.5, 0.9)
    assert min(_share_held(p, 50, 0.95) for p in product(rates, rates)) >= 0.92
    rare = (0.01, 0.05, 0.2, 0.95)
    worst = min(_share_held(p, 20, 0.95) for p in product(rare, rare))
    assert 0.8 <= worst < 0.92


def _share_held(p, n, confidence):
    k = np.stack(np.indices((n + 1, n + 1)), axis=-1).reshape(-1, 2)
    found = gap_bounds(k, np.full(k.shape, n), confidence=confidence, method="newcombe")
    bound = found.upper.max(axis=(1, 2))
    weight = binom.pmf(k, n, p).prod(axis=1)
    return weight[bound >= abs(p[0] - p[1]) - 1e-12].sum()


def test_what_is_favourable_is_asked_for_where_the_bound_depends_on_it():
    rng = np.random.default_rng(0)
    X = {"x": rng.normal(size=400)}
    y = np.where(X["x"] + rng.normal(size=400) > 0, "approve", "deny")
    sex = rng.choice(["f", "m"], 400)
    tree = ar.TreeClassifier(max_depth=2).fit(X, y)
    with pytest.raises(ar.LabelError, match=r"equal_opportunity depends.*Pass favorable_label"):
        ar.certify(tree, X, y, sensitive_features=sex, metric="equal_opportunity")
    said = ar.certify(
        tree, X, y, sensitive_features=sex, metric="equal_opportunity", favorable_label="approve"
    )
    assert said.bound > 0
    assert "assumed" in " ".join(ar.certify(tree, X, y, sensitive_features=sex).notices)
