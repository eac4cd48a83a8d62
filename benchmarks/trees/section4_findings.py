"""What the paper says of its Figure 1, and what else comes out, in words with numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from page import table
from scipy.stats import spearmanr
from section4_runs import UNBOUND
from section4_tables import bound, by_bound, change, gap, logistic, mean_and_half

RARE = 0.1  # share of constant trees


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Summary:
    """Of LRT and C-LRT on one table; c from LRT's down."""

    by_c: Mapping[float, pd.DataFrame]

    @classmethod
    def of(cls, found: pd.DataFrame) -> Summary:
        return cls(by_c=dict(by_bound(logistic(found))))

    @property
    def lrt(self) -> pd.DataFrame:
        return self.by_c[UNBOUND]

    @property
    def grid(self) -> list[float]:
        """The c of C-LRT, the largest first."""
        return [c for c in self.by_c if c != UNBOUND]

    def gaps(self) -> np.ndarray:
        return np.array([gap(trees).mean() for trees in self.by_c.values()])

    def accuracies(self) -> np.ndarray:
        return np.array([trees["accuracy"].mean() for trees in self.by_c.values()])

    def majority(self) -> float:
        """Accuracy of constant trees."""
        constant = pd.concat(list(self.by_c.values()))
        return float(constant.loc[constant["constant"] == 1, "accuracy"].mean())

    def change(self, c: float, *, varied: bool = False) -> tuple[float, float]:
        """Of the gap against LRT: mean, and half of its interval."""
        trees = self.by_c[c]
        return mean_and_half(change(trees[trees["constant"] == 0] if varied else trees, self.lrt))

    def fairest(self) -> float:
        """The c of the smallest mean gap among those that rarely make constant trees."""
        rare = [c for c in self.grid if self.by_c[c]["constant"].mean() <= RARE]
        return min(rare, key=lambda c: float(gap(self.by_c[c]).mean()))

    def wider(self) -> list[float]:
        """The c whose mean gap is wider than LRT's by more than rounding."""
        return [c for c in self.grid if self.change(c)[0] > 5e-4]


def claims(parts: Mapping[str, pd.DataFrame]) -> str:
    """What the paper says, by table."""
    summaries = [Summary.of(part) for part in parts.values()]
    said = {
        "accuracy falls as fairness rises: Spearman's r of accuracy and gap over c": _trade_off,
        "a large c is as LRT: accuracy and gap at the largest c, less LRT's": _as_lrt,
        "a smaller c is fairer: Spearman's r of c and gap": _monotone,
        "... but for c whose mean gap is wider than LRT's by more than 0.0005": _wider,
        "fairness varies more under a small c: largest standard deviation of the p-rule, of LRT's":
            _spread,
        "constant trees grow more frequent: of the smallest c to the largest": _constants,
        "some c rarely makes constant trees": lambda one: f"c = {one.fairest():g}",
        "... is fairer than LRT: gap, and its change from LRT's": _fairer,
        "... and more accurate than a constant tree: accuracies of both, and of LRT": _better,
    }  # fmt: skip
    rows = [[what, *(say(one) for one in summaries)] for what, say in said.items()]
    return table(["the paper's words, and what is measured", *parts], rows)


def _trade_off(one: Summary) -> str:
    return f"{spearmanr(one.accuracies(), one.gaps()).statistic:.2f}"


def _as_lrt(one: Summary) -> str:
    trees = one.by_c[max(one.grid)]
    by_repetition = [part.set_index("repetition")["accuracy"] for part in (trees, one.lrt)]
    accuracy = float((by_repetition[0] - by_repetition[1]).mean())
    return f"{accuracy:+.4f}, {one.change(max(one.grid))[0]:+.4f}"


def _monotone(one: Summary) -> str:
    return f"{spearmanr(np.arange(len(one.by_c))[::-1], one.gaps()).statistic:.2f}"


def _wider(one: Summary) -> str:
    return ", ".join(f"{c:g}: {one.change(c)[0]:+.4f}" for c in one.wider()) or "none"


def _spread(one: Summary) -> str:
    spread = {c: float(trees["p_rule"].std()) for c, trees in one.by_c.items()}
    c = max(spread, key=spread.__getitem__)
    return f"{spread[c]:.3f} ({bound(c)}), {spread[UNBOUND]:.3f}"


def _constants(one: Summary) -> str:
    return " ".join(f"{one.by_c[c]['constant'].sum():.0f}" for c in reversed(one.grid))


def _fairer(one: Summary) -> str:
    mean, half = one.change(one.fairest())
    return f"{gap(one.by_c[one.fairest()]).mean():.3f}, {mean:+.3f} ± {half:.3f}"


def _better(one: Summary) -> str:
    accuracies = (one.by_c[one.fairest()], one.lrt)
    ours, lrt = (trees["accuracy"].mean() for trees in accuracies)
    return f"{ours:.3f}, {one.majority():.3f}, {lrt:.3f}"


def findings(parts: Mapping[str, pd.DataFrame]) -> str:
    summaries = {name: Summary.of(part) for name, part in parts.items()}
    r = [float(_trade_off(one)) for one in summaries.values()]
    said = [
        f"Over c, accuracy and gap go together (Spearman's r {min(r):.2f} to {max(r):.2f}), and a "
        "large c gives LRT, as the paper says.",
        _halved(summaries),
        _not_narrower(summaries),
        _kept(summaries),
        "Where both groups have the same mean of x, no c changes anything: the review's example "
        "keeps its gap of 0.2, and a mirrored one keeps 0.9.",
    ]
    if all((part["method"] == "budget").any() for part in parts.values()):
        said.append(_budgets(parts))
    return "\n".join(f"- {sentence}" for sentence in said)


def _halved(summaries: Mapping[str, Summary]) -> str:
    """What it takes to halve LRT's gap."""
    words = []
    for name, one in summaries.items():
        half = gap(one.lrt).mean() / 2
        c = next(c for c in one.grid if gap(one.by_c[c]).mean() <= half)
        trees = one.by_c[c]
        words.append(
            f"{name} {c:g} ({trees['constant'].sum():.0f} of {len(trees)} trees constant, accuracy "
            f"{trees['accuracy'].mean():.3f}; of LRT {one.lrt['accuracy'].mean():.3f}, of constant "
            f"trees {one.majority():.3f})"
        )
    return "The largest c that halves the mean gap of LRT: " + "; ".join(words) + "."


def _not_narrower(summaries: Mapping[str, Summary]) -> str:
    wider = {name: [f"{c:g}" for c in one.wider()] for name, one in summaries.items()}
    words = "; ".join(f"{name} {', '.join(cs)}" for name, cs in wider.items() if cs)
    clear = [
        f"{name} {c:g}"
        for name, one in summaries.items()
        for c in one.wider()
        if one.change(c)[0] > one.change(c)[1]
    ]
    after = f"the interval excludes 0 at {', '.join(clear)}" if clear else "all intervals hold 0"
    return (
        "A smaller c need not narrow the gap. The mean gap is above LRT's by more than 0.0005 at "
        f"c = {words}; {after}. The tables below have each c's change."
    )


def _kept(summaries: Mapping[str, Summary]) -> str:
    """Splits under the smallest c that leaves most trees a split."""
    words = []
    for name, one in summaries.items():
        c = min(c for c in one.grid if one.by_c[c]["constant"].mean() <= 0.5)
        trees = one.by_c[c]
        varied = trees[trees["constant"] == 0]
        words.append(
            f"{name}, c = {c:g}: in {(varied['rejected'] > 0).sum()} of {len(varied)} trees (gap "
            f"{gap(varied).mean():.3f}, accuracy {varied['accuracy'].mean():.3f})"
        )
    return (
        "What Theorem 7 needs of every split is not what the bound brings about. Under the "
        "smallest c that leaves half of the trees or more a split, some split depends on the group "
        "within its node, on test rows (5 %, Holm): " + "; ".join(words) + ". Where no test "
        "rejects, look at the accuracy: such trees part off next to nobody, or rows are few."
    )


def _budgets(parts: Mapping[str, pd.DataFrame]) -> str:
    words = []
    for name, part in parts.items():
        ours = part[part["method"] == "budget"].set_index(["c", "repetition"])
        theirs = logistic(part).set_index(["c", "repetition"]).reindex(ours.index)
        differences = ours["accuracy"] - theirs["accuracy"]
        gaps = ours["sp"].abs() - theirs["sp"].abs()
        by_c = [values.groupby("c").mean() for values in (differences, gaps)]
        accuracy, gaps = (f"{means.min():+.3f} to {means.max():+.3f}" for means in by_c)
        words.append(f"{name} {accuracy} (test gap {gaps})")
    return (
        "Against C-LRT's own trees, a tree with a budget of the same training gap and at most as "
        "many leaves changes mean test accuracy, from one c to another, by "
        + "; ".join(words)
        + "."
    )
