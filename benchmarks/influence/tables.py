"""Tables 1 and 2 of 'How Biased are Your Features?', on its 480 instances.

python benchmarks/influence/tables.py                      runs what is missing, writes the page
python benchmarks/influence/tables.py --refresh ours       arbitree again, the rest as it was
python benchmarks/influence/tables.py --only page          the page alone, from what there is
python benchmarks/influence/tables.py --quick              a few instances, prints, writes nothing

Stages are ours, shap and reference (fairxplainer, which makes its own environment and is given
--minutes). Results are kept in benchmarks/.cache/influence-tables; Ctrl-C loses at most one. With
one thread, about 40 minutes of CPU for ours, 10 for shap and 2 hours for reference.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from typing import Any

import reference_runs
import table_ours
import table_shap
from page import progress, write
from table_lines import Line, append, file_of, results
from table_page import page
from table_results import everything

STAGES = ("ours", "shap", "reference")
QUICK = 37  # every 37th instance


def run_ours(every: int = 1) -> None:
    done = results("ours")
    todo = [run for run in table_ours.runs(every) if run.key not in done]
    _run("ours", todo, table_ours.run_one, "arbitree")


def run_shap(every: int = 1) -> None:
    done = results("shap")
    todo = [
        (instance, metric)
        for instance, metric in table_shap.todo(every)
        if f"{instance.key}/{metric}" not in done
    ]
    _run("shap", todo, lambda one: table_shap.run_one(*one), "SHAP")


def _run(name: str, todo: Sequence[Any], run: Callable[[Any], Line], what: str) -> None:
    for one in progress(todo, what):
        append(name, run(one))


def forget(stage: str) -> None:
    """Put a stage's results away, so that it runs again."""
    names = {
        "ours": ("ours",),
        "shap": ("shap",),
        "reference": ("reference-1", "reference-2", "held-out-1", "held-out-2"),
    }
    for name in names[stage]:
        file_of(name).unlink(missing_ok=True)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=_AsWritten)
    parser.add_argument("--refresh", choices=STAGES, action="append", default=[])
    parser.add_argument("--only", choices=[*STAGES, "page"])
    parser.add_argument("--minutes", type=float, default=70, help="of wall time for fairxplainer")
    parser.add_argument("--quick", action="store_true")
    return parser.parse_args()


class _AsWritten(argparse.RawDescriptionHelpFormatter):
    pass


def main() -> None:
    given = arguments()
    every = QUICK if given.quick else 1
    for stage in given.refresh:
        forget(stage)
    wanted = STAGES if given.only is None else (given.only,)
    if "ours" in wanted:
        run_ours(every)
    if "shap" in wanted:
        run_shap(every)
    if "reference" in wanted:
        until = time.monotonic() + 60 * given.minutes
        reference_runs.run_all(until, every)
    write(page(everything()), "influence-tables", quick=given.quick)


if __name__ == "__main__":
    main()
