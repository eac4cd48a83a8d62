"""The page on Section 4 of "Local Statistical Parity", from the results of single trees."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import section4_examples as examples
import section4_tables as tables
from page import environment, table
from section4_data import TABLES
from section4_findings import claims, findings
from section4_runs import AS_PUBLISHED, SMALL_GAP, SMALL_TREE, STOPPED_OTHERWISE

NAME = "tree-section4"
BUDGETS = """## What a budget for the gap of the whole tree gives

For each LRT and C-LRT tree that is not constant, of the first {budgeted} repetitions,
`ar.TreeClassifier(parity=ar.GapBudget(eps))` with eps the training gap which that tree has, at most
as many leaves, and depth 5 at most. Leaves and training gaps are means, of C-LRT and of the budget
tree.

{budgets}

Where C-LRT is constant there is nothing to match. A tree of at most {small_tree} leaves with a
training gap of at most {small_gap:g}, same repetitions:

{small}
"""


def picture(name: str) -> str:
    return f"{NAME}-{name.lower().replace(' ', '-')}.png"


def filled(template: str, found: pd.DataFrame) -> str:
    parts = {str(name): of_table for name, of_table in found.groupby("table", sort=False)}
    return template.format(
        versions=environment("pandas"),
        repetitions=found["repetition"].nunique(),
        depth=AS_PUBLISHED["max_depth"],
        rows=AS_PUBLISHED["min_samples_split"] - 1,
        data=data(),
        findings=findings(parts),
        claims=claims(parts),
        results="\n\n".join(result(name, part) for name, part in parts.items()),
        gaps="\n\n".join(_under(name, tables.kept_gaps(part)) for name, part in parts.items()),
        examples=table(
            ["population", "covariance", "share of y = 1", *_c(examples.BOUNDS)], examples.rows()
        ),
        checked=STOPPED_OTHERWISE,
        stopping=tables.stopping(found),
        budgets=budgets(found, parts) if (found["method"] == "budget").any() else "",
    )


def budgets(found: pd.DataFrame, parts: Mapping[str, pd.DataFrame]) -> str:
    return BUDGETS.format(
        budgeted=found.loc[found["method"] == "budget", "repetition"].nunique(),
        small_gap=SMALL_GAP,
        small_tree=SMALL_TREE,
        budgets="\n\n".join(_under(name, tables.budgets(part)) for name, part in parts.items()),
        small=tables.small_budgets(found),
    )


def _c(bounds: tuple[float, ...]) -> list[str]:
    return [f"gap at c = {c:g}" for c in bounds]


def _under(name: str, body: str) -> str:
    return f"**{name}**\n\n{body}"


def data() -> str:
    rows = []
    for load in TABLES.values():
        one = load()
        low, high = one.counts[:2], one.counts[2:]
        shares = [f"{sum(part):,}, {part[1] / sum(part):.1%}" for part in (low, high)]
        names = [f"{group}: {said}" for group, said in zip(one.groups, shares)]
        rows.append([one.name, f"{len(one.X):,}", *names, one.said])
    return table(["table", "rows", "A = 0: rows, share of Y = 1", "A = 1", "predictors"], rows)


def result(name: str, found: pd.DataFrame) -> str:
    """Figure and tables of one data set."""
    share = tables.logistic(found).groupby("c", sort=False)["constant"].mean()
    nothing_else = ", ".join(f"{c:g}" for c in share.index[share == 1]) or "no c"
    return f"""### {name}

![{name}: measures against c]({picture(name)})

All trees:

{tables.overview(found)}

Without the constant trees. All trees are constant at {nothing_else}, none at the c not listed here:

{tables.without_constant(found)}"""
