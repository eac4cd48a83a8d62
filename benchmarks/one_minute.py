"""One minute at the command line on a million loan applications: six commands and what they print.

    python benchmarks/one_minute.py [--quick] [folder]

Writes loans.csv, loans.parquet and old_tree.skops into the folder (a temporary one where none is
named), types the commands there one after the other, and writes docs/benchmarks/one-minute.md:
each command, what it printed first, its exit status and its seconds.
--quick takes 20,000 rows and writes no page.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np
import pandas as pd
import skops.io
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

from arbitree.datasets import make_lending

sys.path.append(str(Path(__file__).resolve().parent / "influence"))
from page import environment, table, write

N_ROWS = 1_000_000
MINORS, AGE_UNKNOWN = 0.03, 0.02
YOUNGEST_ADULT = 21
RULE = "age < 18 or missing(age) => no"
COMMANDS = (
    "arbitree audit loans.csv --decision approved --favorable yes --sensitive sex,race --cross "
    "--label repaid",
    "arbitree explain loans.parquet --decision approved --favorable yes --sensitive race",
    "arbitree learn loans.parquet --label repaid --favorable yes --sensitive race "
    "--max-gap 0.02 --max-leaves 8 -o fair.json",
    f'arbitree verify fair.json --rule "{RULE}"',
    f'arbitree verify old_tree.skops --rule "{RULE}"',
    "arbitree report loans.parquet --decision approved --favorable yes --sensitive sex,race "
    "--label repaid -o report.html",
)
SHOWN = 14  # lines


def applications(n_rows: int) -> pd.DataFrame:
    """Loans, and among them minors and people of unknown age: declined, and not repaid."""
    loans = make_lending(n_rows, decided="points").frame
    rng = np.random.default_rng(1)
    draw = rng.random(n_rows)
    minor, unknown = draw < MINORS, (draw >= MINORS) & (draw < MINORS + AGE_UNKNOWN)
    age = loans["age"].to_numpy(float)
    age = np.maximum(age, YOUNGEST_ADULT)
    age[minor] = rng.integers(14, 18, int(minor.sum()))
    age[unknown] = np.nan
    never = minor | unknown
    return loans.assign(
        age=pd.array(np.where(np.isnan(age), None, age), dtype="Int64"),
        approved=np.where(never, "no", loans["approved"]),
        repaid=np.where(never, "no", loans["repaid"]),
    )


def old_tree(loans: pd.DataFrame) -> object:
    """What a bank may have: a tree behind an imputer, which takes an unknown age for the median."""
    numbers = ["age", "income", "zip_income", "tenure"]
    columns = make_column_transformer(
        (SimpleImputer(strategy="median"), numbers),
        (OneHotEncoder(handle_unknown="ignore"), ["education"]),
    )
    model = make_pipeline(columns, DecisionTreeClassifier(max_leaf_nodes=30, random_state=0))
    some = loans.iloc[:100_000].astype({"age": float})
    return model.fit(some[[*numbers, "education"]], some["approved"])


def prepare(folder: Path, n_rows: int) -> None:
    """The three files that the commands read."""
    loans = applications(n_rows)
    loans.to_csv(folder / "loans.csv", index=False)
    loans.to_parquet(folder / "loans.parquet", index=False)
    skops.io.dump(old_tree(loans), folder / "old_tree.skops")


def typed(command: str, folder: Path) -> tuple[str, int, float, float]:
    """What a command prints, its exit status, seconds and CPU seconds."""
    program = Path(sys.executable).with_name("arbitree")
    arguments = [str(program), *shlex.split(command)[1:]]
    start = perf_counter()
    process = subprocess.Popen(
        arguments, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    printed = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    cpu = used.ru_utime + used.ru_stime
    return printed, process.returncode, perf_counter() - start, cpu


def page(found: list[tuple[str, int, float, float]], n_rows: int) -> str:
    """The page's text."""
    rows = [
        [f"`{_beginning(command)}`", f"{status}", f"{seconds:.1f}", f"{cpu:.1f}"]
        for command, (_, status, seconds, cpu) in zip(COMMANDS, found, strict=True)
    ]
    shown = "\n\n".join(
        f"```text\n$ {command}\n{_first(printed)}\n```"
        for command, (printed, *_) in zip(COMMANDS, found, strict=True)
    )
    columns = ["command", "exit status", "seconds", "CPU seconds"]
    return f"""# One minute at the command line, on {n_rows:,} rows

`python benchmarks/one_minute.py`. Loan applications of `arbitree.datasets.make_lending`, and among
them {MINORS:.0%} minors and {AGE_UNKNOWN:.0%} people of unknown age, who were declined and would
not have repaid. The old tree is one of scikit-learn behind an imputer. It breaks the rule, as exit
status 1 says.

{table(columns, rows)}

The first lines that each printed:

{shown}

{environment("scikit-learn", "duckdb")}
"""


def _beginning(command: str) -> str:
    return " ".join(command.split()[:3])


def _first(printed: str) -> str:
    lines = printed.rstrip().splitlines()
    return "\n".join([*lines[:SHOWN], *(["..."] if len(lines) > SHOWN else [])])


def main() -> None:
    """Type the commands, and write the page."""
    quick = "--quick" in sys.argv
    n_rows = 20_000 if quick else N_ROWS
    folders = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(folders[0] if folders else temporary)
        folder.mkdir(parents=True, exist_ok=True)
        prepare(folder, n_rows)
        found = []
        for command in COMMANDS:
            found.append(typed(command, folder))
            print(f"$ {command}\n{found[-1][0]}\n{found[-1][1:]}", flush=True)
    write(page(found, n_rows), "one-minute", quick=quick)


if __name__ == "__main__":
    main()
