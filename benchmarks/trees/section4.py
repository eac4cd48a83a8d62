"""Section 4 of "Local Statistical Parity": LRT and C-LRT on its four tables, 30 times.

python benchmarks/trees/section4.py              3 minutes on one core the first time
python benchmarks/trees/section4.py --budgets    10 minutes more: trees with a budget, 10 times
python benchmarks/trees/section4.py --quick      two repetitions, prints and writes no page

Writes docs/benchmarks/tree-section4.md and its four pictures. Trees are kept in benchmarks/.cache
by the code that grew them, so that a run that was stopped goes on where it was. Reads
../shared/data, which is not part of this repository.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "influence"))

from page import DOCS, progress, write
from section4_data import TABLES
from section4_figures import draw
from section4_page import NAME, filled, picture
from section4_runs import all_results

TEMPLATE = Path(__file__).with_name("section4.template.md")
REPETITIONS = 30
BUDGETED = 10


def main(arguments: list[str]) -> None:
    quick = "--quick" in arguments
    found = all_results(
        TABLES,
        repetitions=2 if quick else REPETITIONS,
        budgets=BUDGETED if "--budgets" in arguments else 0,
        progress=progress,
    )
    text = filled(TEMPLATE.read_text(encoding="utf-8"), found)
    with tempfile.TemporaryDirectory() as temporary:
        for name, of_table in found.groupby("table", sort=False):
            draw(of_table, (Path(temporary) if quick else DOCS) / picture(str(name)))
    write(text, NAME, quick=quick)


if __name__ == "__main__":
    main(sys.argv[1:])
