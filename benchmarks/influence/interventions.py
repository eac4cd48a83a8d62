"""What an intervention changed: reweighing, poisoned training data, a coefficient set to zero.

python benchmarks/influence/interventions.py           about 15 minutes on one core the first time
python benchmarks/influence/interventions.py --quick   one fold, prints and writes no page

Writes docs/benchmarks/influence-interventions.md and its pictures. Shapley values and influences
by fairxplainer are kept in benchmarks/.cache, so that a run that was stopped goes on where it was;
influences by arbitree are always new. Reads ../shared/data, which is not part of this repository.
"""

from __future__ import annotations

import sys
import tempfile
import warnings
from collections.abc import Mapping
from pathlib import Path

import intervention_page as page
import intervention_pictures as pictures
import matplotlib as mpl
from coefficients import Zeroed, zeroed
from held_out import HIGH, Decided, interventions
from intervention_data import CASES, Case, compas, folds
from intervention_findings import ATTACK
from page import DOCS, progress, write

import arbitree as ar
from arbitree import Influence

TEMPLATE = Path(__file__).with_name("interventions.template.md")


def explained(case: Case, decided: Decided, *, n_bootstrap: int) -> Influence:
    """Why the groups' rates differ, on held-out rows of the explained columns."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ar.ArbitreeWarning)
        return ar.explain_gap(
            case.explained,
            decided.decisions,
            sensitive_features={"race": case.groups},
            groups=(HIGH, "Caucasian"),
            n_bootstrap=n_bootstrap,
            n_threads=1,
        )


def coefficients(*, quick: bool) -> dict[str, list[Zeroed]]:
    """Each case and fold."""
    cases = [case() for case in (CASES[:1] if quick else CASES)]
    parts = [
        (case, train)
        for case in cases
        for train, _ in list(folds(len(case.y)))[: 1 if quick else None]
    ]
    found: dict[str, list[Zeroed]] = {case.name: [] for case in cases}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ar.ArbitreeWarning)
        for case, train in progress(parts, "coefficients set to zero"):
            found[case.name].append(zeroed(case, train, n_samples=20 if quick else 100))
    return found


def draw(
    influences: Mapping[str, Influence], cases: Mapping[str, list[Zeroed]], folder: Path
) -> None:
    for name, way in (("reweighing", "reweighing"), ("attack", ATTACK)):
        path = folder / f"{page.NAME}-{name}.png"
        pictures.comparison(influences["nothing"], influences[way], path)
    pictures.scatter(cases, folder / f"{page.NAME}-coefficients.png")
    pictures.strongest(cases, folder / f"{page.NAME}-strongest.png")


def main(arguments: list[str]) -> None:
    quick = "--quick" in arguments
    mpl.use("agg")
    case = compas()
    with_race, without = (
        interventions(case, group_in_model=one, quick=quick) for one in (True, False)
    )
    influences = [
        {
            way: explained(case, found[way], n_bootstrap=20 if quick else 200)
            for way in ("nothing", "reweighing", ATTACK)
        }
        for found in (with_race, without)
    ]
    cases = coefficients(quick=quick)
    text = page.filled(
        TEMPLATE.read_text(encoding="utf-8"), (with_race, without), influences, cases
    )
    with tempfile.TemporaryDirectory() as temporary:
        draw(influences[0], cases, Path(temporary) if quick else DOCS)
    write(text, page.NAME, quick=quick)


if __name__ == "__main__":
    main(sys.argv[1:])
