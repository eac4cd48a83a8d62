"""Time a first start: imports, kernels compiled for the first time, kernels read from the cache.

    python benchmarks/cold_start.py

Each line is a new Python process, the fastest of five (of one, where kernels are compiled into an
empty cache), without the bare interpreter's own start: seconds by the clock, and of CPU, which a
busy machine stretches less. Fails when `import arbitree` loads a
module that it must not.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

MUST_NOT_LOAD = ("matplotlib", "duckdb", "dask", "sklearn", "numba", "pyarrow", "polars", "jinja2")

LOADED = f"""
import sys, arbitree
print(*[name for name in {MUST_NOT_LOAD!r} if name in sys.modules])
"""

AUDIT_COUNT = """
from arbitree.counts.cells import count_cells
count_cells([0, 1], 2, decisions=[0, 1], labels=[1, 1])
"""

ONE_KERNEL = """
import numpy as np
from arbitree.counts.histograms import histogram
one = np.zeros(1, np.uint8)
histogram([one], one, one, n_bins=2, n_classes=2, n_groups=2)
"""

ALL_KERNELS = """
import numpy as np
from arbitree.counts.histograms import histogram
for kind in (np.uint8, np.uint16, np.uint32):
    for weights in (None, [1.0]):
        one = np.zeros(1, kind)
        histogram([one], one, one, n_bins=2, n_classes=2, n_groups=2, weights=weights)
"""


def main() -> int:
    bare = fastest("", None, 5)

    def show(what: str, code: str, *, cache: str | None = None, repeats: int = 5) -> None:
        clock, cpu = (took - start for took, start in zip(fastest(code, cache, repeats), bare))
        print(f"{what:54} {clock:6.2f} s {cpu:6.2f} s of CPU")

    show("import arbitree", "import arbitree")
    show("import numpy, for comparison", "import numpy")
    show("import pandas, for comparison", "import pandas")
    show("count of an audit (nothing is compiled)", AUDIT_COUNT)
    with tempfile.TemporaryDirectory() as cache:
        show("import numba, one kernel, empty cache", ONE_KERNEL, cache=cache, repeats=1)
        show("import numba, one kernel, cached", ONE_KERNEL, cache=cache)
    with tempfile.TemporaryDirectory() as cache:
        show(
            "import numba, all kernels for all types, empty cache",
            ALL_KERNELS,
            cache=cache,
            repeats=1,
        )
        show("import numba, all kernels for all types, cached", ALL_KERNELS, cache=cache)
    show("import numba, for comparison", "import numba")
    found = run(LOADED).split()
    print(f"\nimport arbitree loads none of {', '.join(MUST_NOT_LOAD)}: {not found}", *found)
    return int(bool(found))


def fastest(code: str, cache: str | None, repeats: int) -> tuple[float, float]:
    """Least seconds by the clock, and of CPU, of some runs."""
    clock, cpu = zip(*(seconds(code, cache) for _ in range(repeats)))
    return min(clock), min(cpu)


def seconds(code: str, cache: str | None) -> tuple[float, float]:
    before, start = os.times(), time.perf_counter()
    run(code, cache)
    clock, after = time.perf_counter() - start, os.times()
    cpu = after.children_user + after.children_system
    return clock, cpu - before.children_user - before.children_system


def run(code: str, cache: str | None = None) -> str:
    """What a new process prints."""
    environment = os.environ if cache is None else os.environ | {"NUMBA_CACHE_DIR": cache}
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
