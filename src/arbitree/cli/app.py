"""The commands, and what an exit status means."""

from __future__ import annotations

import platform
import signal
import sys
import traceback
from collections.abc import Sequence
from contextlib import redirect_stdout
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated

import typer

from .._errors import ArbitreeError, NotEstimableError
from .audit import audit
from .certify import certify
from .check import check
from .demo import demo
from .explain import explain
from .export import export
from .learn import learn
from .repair import repair
from .report import report
from .spelling import in_options
from .verify import verify
from .words import tell

INPUT_ERROR = 2
NOT_ESTIMABLE = 3
TERMINATED = 143
INTERRUPTED = 130
# sysexits.h: an error within the program, which must not read as a gate that failed.
INTERNAL_ERROR = 70

_PACKAGES = (
    "numpy",
    "scipy",
    "pandas",
    "scikit-learn",
    "narwhals",
    "numba",
    "typer",
    "rich",
    "duckdb",
    "pyarrow",
    "matplotlib",
    "vl-convert-python",
    "onnx",
    "onnxruntime",
    "skops",
    "xgboost",
    "lightgbm",
    "shap",
)

app = typer.Typer(
    name="arbitree",
    help="Where group bias comes from, what small tree decides fairly, and whether it keeps rules.",
    epilog="Exit status: 0 fine, 1 a gate or rule failed, 2 a usage or input error, 3 not "
    "estimable or not decided.",
    pretty_exceptions_enable=False,
)
app.command(name="audit")(audit)
app.command(name="explain")(explain)
app.command(name="learn")(learn)
app.command(name="export")(export)
app.command(name="verify")(verify)
app.command(name="repair")(repair)
app.command(name="certify")(certify)
app.command(name="check")(check)
app.command(name="report")(report)
app.command(name="demo")(demo)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"arbitree {version('arbitree')}")
        typer.echo(f"python {platform.python_version()}")
        for package in _PACKAGES:
            typer.echo(f"{package} {_version(package)}")
        raise typer.Exit()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    show_version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_print_version,
            is_eager=True,
            help="Show the version, and those of the packages it runs on.",
        ),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        # With rich, the help is printed as it is made, and what is returned is empty.
        with redirect_stdout(sys.stderr):
            typer.echo(context.get_help(), nl=False)
        raise typer.Exit(INPUT_ERROR)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Parameters
    ----------
    arguments : sequence of str, optional
        Those of the process by default.

    Returns
    -------
    int
        0 fine, 1 a gate or rule failed, 2 a usage or input error, 3 not estimable or not decided,
        70 an error in arbitree itself, 130 interrupted.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    if arguments is None:
        signal.signal(signal.SIGTERM, _terminated)
    try:
        status = app(args=given, prog_name="arbitree", standalone_mode=False) or 0
    except (KeyboardInterrupt, typer.Abort):
        status = INTERRUPTED
    except NotEstimableError as error:
        tell(f"not estimable: {_words(error)}")
        status = NOT_ESTIMABLE
    except (ArbitreeError, OSError) as error:
        tell(_words(error))
        status = INPUT_ERROR
    except Exception as error:
        if not hasattr(error, "format_message"):
            traceback.print_exc()
            tell("this is an error in arbitree itself; please report it with the lines above")
            return INTERNAL_ERROR
        said = error.format_message().replace(": Value error, ", ": ").rstrip(".")
        tell(f"{said}. See {_command(given)} --help.")
        status = INPUT_ERROR
    if status == INTERRUPTED:
        tell("interrupted; nothing was written")
    return int(status)


def _terminated(*_: object) -> None:
    """End in the orderly way, which deletes what standard input was copied to."""
    raise SystemExit(TERMINATED)


def _command(given: Sequence[str]) -> str:
    """The command whose help is of use."""
    commands = {command.name for command in app.registered_commands}
    return f"arbitree {given[0]}" if given and given[0] in commands else "arbitree"


def _words(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return in_options(str(error))
