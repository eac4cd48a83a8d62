"""The page and the picture of speed.py, from what was measured."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import reference_runs
from speed_measure import (
    ADDED,
    CAP,
    DEFAULT_INTERVALS,
    INTERVALS,
    OF_PAPER,
    OF_REFERENCE,
    SENSITIVE,
)

GIB = 2**30
TIMES_REFERENCE, TIMES_SALIB = 100, 30
SECONDS_OF_MILLION, MEMORY_OF_MILLION = 15, 2 * GIB
LINEAR = 1.1  # a slope above this is not linear
FROM = (0, 100_000, 1_000_000)  # few rows have a fixed part, so slopes are given from several
CALLS = {
    "same columns": "`hdmr.analyze`, the same columns",
    "own": "`FairXplainer.compute`, which keeps the sensitive column",
}

Found = dict[str, dict[str, Any]]

TEMPLATE = """# Speed of an explanation

Made by `python benchmarks/influence/speed.py` on {date}. Times are seconds of CPU (user and
system, of all threads and processes), with the wall clock in brackets.{earlier}

## Aims

| aim | found | |
|---|---|---|
{aims}

## Against fairxplainer

Order 2, {of_reference} intervals, one thread, `cross_fit=0, n_bootstrap=0`. Both groups.

| data | tool | CPU (wall), s | peak memory | arbitree is faster by |
|---|---|--:|--:|--:|
{reference}

fairxplainer is stopped at {cap:.0f} s of CPU a dataset, hence 'more than'.

## Against SALib's HDMR

Order 2, one thread, `K=1` (no bootstrap); arbitree with `cross_fit=0, n_bootstrap=0`. SALib takes
at most 10 intervals. The share is what the terms explain of the variance in each group, summed.

| data | intervals | SALib, s | arbitree, s | faster by | SALib, share | arbitree, share |
|---|--:|--:|--:|--:|--:|--:|
{salib}

{what_differs}

## What the defaults add

{default_intervals} intervals, one thread, order 2.

| data | what | CPU (wall), s | of the first |
|---|---|--:|--:|
{added}

## More rows

Made-up rows: 11 normal numeric features, all 55 pairs, {default_intervals} intervals,
`cross_fit=0, n_bootstrap=0`, two threads on two cores. Each in a process of its own; memory is the
most that the process had, of which the data and the imported packages were there before the call.

| rows | CPU (wall), s | microseconds of CPU a row | peak memory | before the call |
|--:|--:|--:|--:|--:|
{rows}

![CPU seconds, wall seconds and memory against rows, on logarithmic axes](influence-speed.png)

{slopes}

## How it was measured

- Data, {data}.
  COMPAS and Adult: the training part of fold 0 of the paper's runs, and the decisions of a logistic
  regression. normal: made up as the rows of the section above. Every tool gets the same matrix of
  numbers (dummy columns for a category of more than two levels) and the same decisions.
- The sensitive column, {sensitive},
  is left out of the features: it is constant in a group. Only `FairXplainer.compute` keeps it.
- An explanation of a gap needs a fit in each of two groups, so SALib is called on each group and
  its times are added.
- One thread: {threads}
  are 1, and `n_threads=1`. Two threads: the same are 2.
- A small call goes first, so modules are loaded and compiled kernels are read from their cache
  (arbitree, SALib). fairxplainer compiles nothing, so none goes first; its modules are loaded.
  Then medians of {repeats} calls (arbitree) and of 3 (SALib); fairxplainer, and arbitree with
  folds, once. Of more rows: medians of 3 up to a million rows, then once.
- Reading files is not in any time. Coding the columns is part of ours.
- Load of the machine when it began: {load} for {cores} cores. CPU seconds suffer less from it than
  the wall clock, but they do suffer.
- {versions}.
"""

DIFFERS = """What differs:

- SALib fits each pair on its own to what the main effects leave, so shares can exceed 100 %, and
  its ridge is fixed. arbitree fits all terms together and chooses a penalty for each from the data.
- SALib cuts a column into equal lengths; arbitree into equal numbers of distinct values, and a
  column of few values gets an indicator for each.
- From 4 intervals on, some functions of a binary column are 0 in every row. SALib then skips the
  pairs of that column, and leaves its smoother unset (`np.empty` in `_first_order`, SALib 1.6.0),
  so that its shares are whatever was in memory: its times there are of less than the whole work.
  The made-up normal columns have no such fault."""


def page(found: Found, date: str) -> str:
    reference = reference_runs.versions()
    return TEMPLATE.format(
        date=date,
        earlier=_earlier(found),
        aims="\n".join(f"| {aim} | {text} | {verdict} |" for aim, text, verdict in aims(found)),
        of_reference=OF_REFERENCE,
        cap=CAP,
        reference="\n".join(_reference_rows(found)),
        salib="\n".join(_salib_rows(found)),
        what_differs=DIFFERS + _enhanced(found),
        default_intervals=DEFAULT_INTERVALS,
        added="\n".join(_added_rows(found)),
        rows="\n".join(_rows(found)),
        slopes=_slopes(found),
        data="; ".join(_size(found, name) for name in SENSITIVE if _has(found, name)),
        sensitive=", ".join(f"{column} ({name})" for name, column in SENSITIVE.items()),
        threads="OMP_NUM_THREADS, OPENBLAS_NUM_THREADS, MKL_NUM_THREADS and NUMBA_NUM_THREADS",
        repeats=5,
        load=f"{found['load']['before']:.1f}",
        cores=os.cpu_count(),
        versions=f"Python {platform.python_version()}, "
        + ", ".join(f"{name} {version(name)}" for name in ("arbitree", "numpy", "scipy", "numba"))
        + f", SALib {version('SALib')}; fairxplainer {reference['fairxplainer']} in an environment "
        f"of its own with numpy {reference['numpy']} and scipy {reference['scipy']}",
    )


def aims(found: Found) -> list[tuple[str, str, str]]:
    """What was aimed at, what was found, and whether it holds."""
    rows = []
    for name in SENSITIVE:
        theirs, ours = _compared(found, f"{name}/reference/same columns", name, OF_REFERENCE)
        if theirs and ours:
            aim = f"{TIMES_REFERENCE} times faster than fairxplainer on {name}"
            rows.append((aim, *_judged(theirs, ours, TIMES_REFERENCE)))
    for name in OF_PAPER:
        for n in INTERVALS:
            theirs, ours = _compared(found, f"{name}/salib/{n}", name, n)
            if theirs and ours:
                aim = f"{TIMES_SALIB} times faster than SALib on {name}, {n} intervals"
                rows.append((aim, *_judged(theirs, ours, TIMES_SALIB)))
    million = found.get("rows/1000000")
    if million:
        wall, peak = million["wall"], million["peak"]
        aim = f"1,000,000 rows x 11, 55 pairs, two cores: under {SECONDS_OF_MILLION} s"
        rows.append((aim, f"{wall:.1f} s by the clock", _holds(wall < SECONDS_OF_MILLION)))
        aim = f"the same: under {MEMORY_OF_MILLION / GIB:.0f} GiB"
        rows.append((aim, _gib(peak), _holds(peak < MEMORY_OF_MILLION)))
    if len(_of_rows(found)) > 1:
        most = max(slope(found, "cpu", least) for least in FROM if _enough(found, least))
        text = f"slope of log CPU on log rows at most {most:.2f}"
        rows.append(("cost grows no faster than rows", text, _holds(most <= LINEAR)))
    return rows


def _judged(theirs: dict[str, Any], ours: dict[str, Any], aim: float) -> tuple[str, str]:
    if "error" in theirs:
        return f"SALib fails: {theirs['error']}", "not comparable"
    if "more_than" in theirs:
        times = theirs["more_than"] / ours["cpu"]
        return f"more than {_whole(times)}", "holds" if times >= aim else "not shown"
    times = theirs["cpu"] / ours["cpu"]
    return _whole(times), _holds(times >= aim)


def _compared(found: Found, key: str, name: str, n: int) -> tuple[Any, Any]:
    return found.get(key), found.get(f"{name}/arbitree/{n}")


def _reference_rows(found: Found) -> list[str]:
    rows = []
    for name in SENSITIVE:
        ours = found.get(f"{name}/arbitree/{OF_REFERENCE}")
        if not ours or not any(f"{name}/reference/{call}" in found for call in CALLS):
            continue
        rows.append(f"| {name} | arbitree | {_seconds(ours)} | {_gib(ours['peak'])} | |")
        for call, what in CALLS.items():
            theirs = found.get(f"{name}/reference/{call}")
            if theirs:
                times = _judged(theirs, ours, TIMES_REFERENCE)[0]
                peak = _gib(theirs["peak"]) if "peak" in theirs else ""
                rows.append(f"| | fairxplainer: {what} | {_seconds(theirs)} | {peak} | {times} |")
    return rows


def _salib_rows(found: Found) -> list[str]:
    rows = []
    for name in SENSITIVE:
        for n in INTERVALS:
            theirs, ours = _compared(found, f"{name}/salib/{n}", name, n)
            if theirs and ours:
                times = "" if "error" in theirs else _judged(theirs, ours, TIMES_SALIB)[0]
                cells = (name, n, _seconds(theirs), _seconds(ours), times, *_shares(theirs, ours))
                rows.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    return rows


def _shares(*of: dict[str, Any]) -> list[str]:
    """Of both groups, the smaller share first: the tools order groups differently."""
    each = [sorted(one.get("shares", [])) for one in of]
    return [", ".join(_share(share) for share in shares) for shares in each]


def _share(share: float) -> str:
    return f"{share:.0%}" if abs(share) < 10 else f"{share:.0e}"


def _enhanced(found: Found) -> str:
    """What SALib recommends instead has no intervals; whether it works at all on these data."""
    tried = {name: found.get(f"{name}/salib_enhanced") for name in SENSITIVE}
    text = (
        "\n\nSALib 1.6 points to `enhanced_hdmr` (polynomials, so no intervals). At its defaults: "
    )
    each = [
        f"{name}: "
        + (f"fails ({one['error']})" if "error" in one else f"{one['cpu']:.2g} s of CPU")
        for name, one in tried.items()
        if one
    ]
    return text + "; ".join(each) + "." if each else ""


def _added_rows(found: Found) -> list[str]:
    rows = []
    for name in SENSITIVE:
        first = None
        for what in ADDED:
            one = found.get(f"{name}/added/{what}")
            if one:
                first = first or one
                times = f"{one['cpu'] / first['cpu']:.1f} times"
                rows.append(f"| {name} | {what} | {_seconds(one)} | {times} |")
    return rows


def _rows(found: Found) -> list[str]:
    return [
        f"| {n:,} | {_seconds(one)} | {one['cpu'] / n * 1e6:.1f} | {_gib(one['peak'])} | "
        f"{_gib(one['before'])} |"
        for n, one in _of_rows(found).items()
    ]


def _slopes(found: Found) -> str:
    texts = []
    for least in FROM:
        if _enough(found, least):
            where = f"from {least:,} rows on" if least else "over all rows"
            slopes = ", ".join(
                f"{what} {slope(found, what, least):.2f}" for what in ("cpu", "wall")
            )
            texts.append(f"{where}: {slopes}")
    return (
        "Slopes of the logarithm of time on that of rows (1 is linear), " + "; ".join(texts) + "."
    )


def slope(found: Found, what: str, least: int) -> float:
    """Of log `what` on log rows, over runs of at least so many rows."""
    of = {n: one[what] for n, one in _of_rows(found).items() if n >= least}
    return float(np.polyfit(np.log(list(of)), np.log(list(of.values())), 1)[0])


def _enough(found: Found, least: int) -> bool:
    return sum(n >= least for n in _of_rows(found)) > 1


def _of_rows(found: Found) -> dict[int, dict[str, Any]]:
    keys = [key for key in found if key.startswith("rows/")]
    return {int(key.split("/")[1]): found[key] for key in keys}


def _has(found: Found, name: str) -> bool:
    return f"{name}/arbitree/{INTERVALS[0]}" in found


def _size(found: Found, name: str) -> str:
    one = found[f"{name}/arbitree/{INTERVALS[0]}"]
    return f"{name}: {one['rows']:,} rows x {one['features']} features and the sensitive one"


def _earlier(found: Found) -> str:
    if "others_of_an_earlier_run" not in found:
        return ""
    return (
        " With `--ours`: SALib and fairxplainer\n"
        "were measured in an earlier run on the same machine."
    )


def _seconds(one: dict[str, Any]) -> str:
    if "error" in one:
        return f"fails ({one['error']})"
    if "more_than" in one:
        return f"more than {one['more_than']:.0f} ({one['wall']:.0f})"
    return f"{_short(one['cpu'])} ({_short(one['wall'])})"


def _short(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def _whole(times: float) -> str:
    return f"{times:,.0f} times" if times >= 10 else f"{times:.1f} times"


def _gib(size: float) -> str:
    return f"{size / GIB:.2f} GiB"


def _holds(truth: bool) -> str:
    return "holds" if truth else "**does not hold**"


def draw(found: Found, path: Path) -> None:
    """Time and memory against rows."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt
    from matplotlib.ticker import FuncFormatter, NullFormatter

    of = _of_rows(found)
    n = np.array(list(of), dtype=float)
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    for what, label, mark in (("cpu", "CPU", "o"), ("wall", "wall clock", "s")):
        left.loglog(n, [one[what] for one in of.values()], mark + "-", label=label)
    least = max(least for least in FROM[:2] if _enough(found, least))
    part = n[n >= least]
    middle = np.exp(np.mean(np.log([one["cpu"] for k, one in of.items() if k >= least])))
    power = slope(found, "cpu", least)
    fitted = middle * (part / np.exp(np.log(part).mean())) ** power
    left.loglog(part, fitted, "--", color="0.4", label=f"CPU fitted: slope {power:.2f}")
    left.set(xlabel="rows", ylabel="seconds", title="Time, 11 features and 55 pairs")
    for what, label, mark in (("peak", "peak", "o"), ("before", "before the call", "s")):
        right.loglog(n, [one[what] / GIB for one in of.values()], mark + "-", label=label)
    right.set_yscale("log", base=2)
    right.set(xlabel="rows", ylabel="GiB", title="Memory of the process")
    for axes in (left, right):
        axes.legend(frameon=False)
        axes.grid(True, which="major", alpha=0.3)
        for one in (axes.xaxis, axes.yaxis):
            one.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.12g}"))
            one.set_minor_formatter(NullFormatter())
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=150)
    plt.close(figure)
