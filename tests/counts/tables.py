"""Small tables of codes for Hypothesis."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

NARROW = [np.uint8, np.uint16]
ALL = [np.uint8, np.uint16, np.uint32, np.int64]


@st.composite
def code_tables(draw, *, max_rows=40):
    """A dict with every argument that a count takes; integer weights, so that sums are exact."""
    n = draw(st.sampled_from([0, 1, 2, 7]) | st.integers(0, max_rows))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))

    def codes(n_codes, kinds):
        return rng.integers(0, n_codes, n).astype(draw(st.sampled_from(kinds)))

    n_bins, n_classes, n_groups, n_nodes = (draw(st.integers(1, 4)) for _ in range(4))
    n_codes = [draw(st.integers(1, n_bins)) for _ in range(draw(st.integers(1, 4)))]
    return {
        "n": n,
        "n_bins": n_bins,
        "n_classes": n_classes,
        "n_groups": n_groups,
        "n_nodes": n_nodes,
        "n_codes": n_codes,
        "codes": [codes(size, ALL if draw(st.booleans()) else NARROW) for size in n_codes],
        "y": codes(n_classes, ALL),
        "group": codes(n_groups, ALL),
        "node": codes(n_nodes, ALL),
        "weights": rng.integers(0, 5, n).astype(float),
        "rows": np.flatnonzero(rng.random(n) < 0.6),
        "rng": rng,
    }
