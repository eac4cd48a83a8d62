"""What tests of pictures share."""

from __future__ import annotations

import pytest


@pytest.fixture
def no_window():
    """Figures need no screen, and none stays open."""
    import matplotlib as mpl
    from matplotlib import pyplot

    mpl.use("agg")
    yield
    pyplot.close("all")
