"""How long an explanation takes, against fairxplainer and SALib, and as rows grow.

    python benchmarks/influence/speed.py            about half an hour, most of it fairxplainer's
    python benchmarks/influence/speed.py --quick    a smoke run, into benchmarks/.cache
    python benchmarks/influence/speed.py --ours     keeps what the last run measured of the others

Writes docs/benchmarks/influence-speed.md and .png. Reads ../shared/data, which is not part of this
repository. Needs the extras bench and report. A run that is stopped goes on where it was; without
benchmarks/.cache/influence-speed/run.json it begins anew.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

from page import DOCS
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from speed_measure import KEPT, all_measurements, keep, kept, measured
from speed_page import draw, page


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a smoke run")
    parser.add_argument(
        "--ours", action="store_true", help="measure arbitree again, not the others"
    )
    asked = parser.parse_args()
    name = "quick" if asked.quick else "run"
    found = kept(name)
    if asked.ours:
        last = kept(f"{name}-complete")
        found |= {key: one for key, one in last.items() if "salib" in key or "reference" in key}
        found["others_of_an_earlier_run"] = {"yes": True}
    found.setdefault("load", {"before": os.getloadavg()[0]})
    todo = all_measurements(quick=asked.quick)
    with Progress(
        TextColumn("{task.description:48}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    ) as progress:
        task = progress.add_task("", total=len(todo))
        for one in todo:
            progress.update(task, description=one.key[:48])
            if one.key not in found:
                found[one.key] = measured(one)
                keep(name, found)
            progress.advance(task)
    keep(f"{name}-complete", found)
    (KEPT / f"{name}.json").unlink(missing_ok=True)
    write(found, KEPT if asked.quick else DOCS)


def write(found: dict[str, dict[str, object]], folder: Path) -> None:
    """The page and its picture, written beside and then renamed."""
    folder.mkdir(parents=True, exist_ok=True)
    picture, text = folder / "influence-speed.png", folder / "influence-speed.md"
    beside = picture.with_suffix(".part.png")
    draw(found, beside)
    beside.replace(picture)
    beside = text.with_suffix(".part")
    beside.write_text(page(found, time.strftime("%Y-%m-%d")), encoding="utf-8")
    beside.replace(text)
    print(f"wrote {text}")


if __name__ == "__main__":
    main()
