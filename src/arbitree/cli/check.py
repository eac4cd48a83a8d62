"""``arbitree check``: a certificate derived again, without the programs that made it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .._errors import InputError
from ..table.raw_file import existing
from ..table.whole_file import read_whole
from . import options as opt
from .output import Format, Output
from .words import Words, tell_all


def check(
    certificate: Annotated[
        Path, typer.Argument(metavar="CERTIFICATE", help="JSON that arbitree certify wrote.")
    ],
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="FILE",
            help="CSV or Parquet of the calibration rows: digests and counts are held against it.",
        ),
    ] = None,
    z3: Annotated[
        bool, typer.Option("--z3", help="Ask z3 too whether a leaf breaks a rule.")
    ] = False,
    as_json: opt.AsJson = False,
    quiet: opt.Quiet = False,
) -> int:
    """Derive every claim of a certificate again, from the certificate alone or with its data.

    Exit status: 0 the certificate is valid, 1 it is not, 2 a usage or input error.
    """
    from ..certificate.check.run import check_certificate

    if not read_whole(certificate):
        raise InputError(f"{certificate} is empty: it is no certificate.")
    if data is not None and existing(data).is_dir():
        raise InputError(f"--data {data} is a folder. Name the file of the calibration rows.")
    found = check_certificate(certificate, data, second_opinion="z3" if z3 else None)
    if as_json:
        Output(format=Format.JSON).write(found.to_json())
    else:
        Output(format=Format.TEXT).write(f"{found}\n")
    tell_all("not valid", found.failures)
    if found.valid:
        Words(quiet=quiet).say("the certificate is valid")
    return 0 if found.valid else 1
