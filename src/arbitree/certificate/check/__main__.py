"""``python -m arbitree.certificate.check FILE``: a check that needs nothing but Python itself."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from arbitree.certificate.check.run import check_certificate


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 0 the certificate is valid, 1 it is not, 2 a file cannot be read."""
    parser = argparse.ArgumentParser(prog="python -m arbitree.certificate.check")
    parser.add_argument("certificate")
    parser.add_argument("--data", help="CSV of the calibration rows, with groups and labels")
    parser.add_argument("--z3", action="store_true", help="ask z3 too (needs z3-solver)")
    given = parser.parse_args(arguments)
    opinion = "z3" if given.z3 else None
    try:
        found = check_certificate(given.certificate, given.data, second_opinion=opinion)
    except (OSError, UnicodeDecodeError) as error:
        print(error, file=sys.stderr)
        return 2
    print(found)
    return 0 if found.valid else 1


if __name__ == "__main__":
    sys.exit(main())
