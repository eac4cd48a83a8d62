"""Results beside their pictures, as scikit-learn has displays: made once, drawn as often as asked.

Each holds a result and draws it by the function of its name, ``FrontierDisplay`` by
``plot_frontier``: the functions return axes, the displays keep them in ``ax_`` and ``figure_``.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from ..groups.audit import audit as audited
from .comparison_plot import plot_comparison
from .frontier_plot import plot_frontier
from .influence_phrases import MAX_DISPLAY
from .influence_plot import plot_influence
from .interaction_plot import plot_interaction
from .plot_display import PlotDisplay
from .plots import plot_groups
from .tree_plot import plot_tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..groups.result import Audit
    from ..influence.before_after import Comparison
    from ..influence.result import Influence
    from ..tree.frontier_result import Frontier


class GroupsDisplay(PlotDisplay):
    """Rates of groups with their intervals: see `arbitree.plot_groups`.

    Make one with `from_audit`, `from_estimator` or `from_predictions`.

    Parameters
    ----------
    audit : Audit

    Attributes
    ----------
    audit : Audit
    ax_ : matplotlib Axes
        Of the last drawing.
    figure_ : matplotlib Figure

    Examples
    --------
    >>> import arbitree as ar
    >>> from matplotlib.figure import Figure
    >>> shown = ar.GroupsDisplay.from_predictions(
    ...     None, [1, 1, 0, 0], sensitive_features={"sex": ["f", "m", "f", "f"]},
    ...     ax=Figure().subplots(),
    ... )
    >>> shown.ax_.get_xlabel()
    'selection rate, 95% intervals'
    >>> shown.audit.n_rows
    4
    """

    told = "Rates of groups with their intervals"

    def __init__(self, audit: Audit) -> None:
        self.audit = audit

    @classmethod
    def from_audit(cls, audit: Audit, *, ax: Axes | None = None, **options: Any) -> GroupsDisplay:
        """Draw an audit.

        Parameters
        ----------
        audit : Audit
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.
        **options
            As for `plot`.
        """
        return cls(audit).plot(ax, **options)

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        sensitive_features: Any,
        favorable_label: Any = None,
        sample_weight: Any = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> GroupsDisplay:
        """Audit predictions, and draw what was found.

        Parameters
        ----------
        y_true : array-like (n,) or None
            True labels, coded as the predictions; None where there are none.
        y_pred : array-like (n,)
        sensitive_features : as for `arbitree.audit`
        favorable_label : label, optional
            Needed where labels are no 0/1, -1/1 or booleans.
        sample_weight : array-like (n,), optional
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.
        **options
            As for `plot`.
        """
        found = audited(
            y_pred,
            sensitive_features=sensitive_features,
            y_true=y_true,
            favorable_label=favorable_label,
            sample_weight=sample_weight,
        )
        return cls.from_audit(found, ax=ax, **options)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, sensitive_features: Any, **options: Any
    ) -> GroupsDisplay:
        """Audit what a fitted classifier predicts, and draw what was found.

        Parameters
        ----------
        estimator : classifier
            Fitted, or a pipeline that ends in one.
        X : frame or array (n, d)
        y : array-like (n,) or None
        sensitive_features : as for `arbitree.audit`
        **options
            As for `from_predictions`.
        """
        predicted = estimator.predict(X)
        return cls.from_predictions(y, predicted, sensitive_features=sensitive_features, **options)

    def plot(self, ax: Axes | None = None, **options: Any) -> GroupsDisplay:
        """Draw again; options are those of `arbitree.plot_groups`, such as ``grouping``."""
        self._drawn_on(plot_groups(self.audit, ax=ax, **options))
        return self


class InfluenceDisplay(PlotDisplay):
    """How a gap adds up: see `arbitree.plot_influence`.  Make one with `from_influence`.

    Parameters
    ----------
    infl : Influence

    Attributes
    ----------
    infl : Influence
    ax_ : matplotlib Axes
        Of the last drawing.
    figure_ : matplotlib Figure
    """

    told = "How the gap between two groups adds up"

    def __init__(self, infl: Influence) -> None:
        self.infl = infl

    @classmethod
    def from_influence(
        cls, infl: Influence, *, ax: Axes | None = None, max_display: int = MAX_DISPLAY
    ) -> InfluenceDisplay:
        """Draw an explanation; parameters are those of `arbitree.plot_influence`."""
        return cls(infl).plot(ax, max_display=max_display)

    def plot(self, ax: Axes | None = None, *, max_display: int = MAX_DISPLAY) -> InfluenceDisplay:
        """Draw again."""
        self._drawn_on(plot_influence(self.infl, ax=ax, max_display=max_display))
        return self


class InteractionDisplay(PlotDisplay):
    """What a pair of features does in two groups: see `arbitree.plot_interaction`.

    Make one with `from_influence`.

    Parameters
    ----------
    infl : Influence
    features : pair of names

    Attributes
    ----------
    infl : Influence
    features : pair of names
    axes_ : pair of matplotlib Axes
        Of the high and of the low group, in the last drawing; `ax_` is the first.
    figure_ : matplotlib Figure
    """

    told = "What a pair of features does in two groups"
    axes_: tuple[Axes, Axes]

    def __init__(self, infl: Influence, features: tuple[Hashable, Hashable]) -> None:
        self.infl = infl
        self.features = features

    @classmethod
    def from_influence(
        cls, infl: Influence, features: tuple[Hashable, Hashable], *, axes: Any = None
    ) -> InteractionDisplay:
        """Draw a pair of an explanation; parameters are those of `arbitree.plot_interaction`."""
        return cls(infl, features).plot(axes)

    def plot(self, axes: Any = None) -> InteractionDisplay:
        """Draw again, on a pair of axes."""
        self.axes_ = plot_interaction(self.infl, self.features, axes=axes)
        self._drawn_on(self.axes_[0])
        return self


class ComparisonDisplay(PlotDisplay):
    """Each part of a gap before and after: see `arbitree.plot_comparison`.

    Make one with `from_comparison`.

    Parameters
    ----------
    comparison : Comparison

    Attributes
    ----------
    comparison : Comparison
    ax_ : matplotlib Axes
        Of the last drawing.
    figure_ : matplotlib Figure
    """

    told = "Each part of the gap before and after"

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison

    @classmethod
    def from_comparison(
        cls, comparison: Comparison, *, ax: Axes | None = None, max_display: int = MAX_DISPLAY
    ) -> ComparisonDisplay:
        """Draw a comparison; parameters are those of `arbitree.plot_comparison`."""
        return cls(comparison).plot(ax, max_display=max_display)

    def plot(self, ax: Axes | None = None, *, max_display: int = MAX_DISPLAY) -> ComparisonDisplay:
        """Draw again."""
        self._drawn_on(plot_comparison(self.comparison, ax=ax, max_display=max_display))
        return self


class TreeDisplay(PlotDisplay):
    """A tree: see `arbitree.plot_tree`.  Make one with `from_estimator`.

    Parameters
    ----------
    estimator : TreeClassifier or Tree
        Fitted.
    favorable_label : label or list of labels, optional
        Of a Tree, which does not know it.

    Attributes
    ----------
    estimator : TreeClassifier or Tree
    favorable_label : label or list of labels
    ax_ : matplotlib Axes
        Of the last drawing.
    figure_ : matplotlib Figure
        By default as large as the tree needs.

    Examples
    --------
    >>> import arbitree as ar
    >>> from matplotlib.figure import Figure
    >>> tree = ar.TreeClassifier().fit({"age": [20, 30, 40, 50]}, [0, 0, 1, 1])
    >>> shown = ar.TreeDisplay.from_estimator(tree, ax=Figure(figsize=(8, 4)).subplots())
    >>> shown.ax_.texts[0].get_text()
    '2 leaves, depth 1; 4 training rows'
    >>> 'style="max-width: 100%; min-width: ' in shown.to_svg()
    True
    """

    told = "A decision tree, its root on the left"

    def __init__(self, estimator: Any, *, favorable_label: Any = None) -> None:
        self.estimator = estimator
        self.favorable_label = favorable_label

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        favorable_label: Any = None,
        max_depth: int | None = None,
        ax: Axes | None = None,
    ) -> TreeDisplay:
        """Draw a fitted tree; parameters are those of `arbitree.plot_tree`."""
        return cls(estimator, favorable_label=favorable_label).plot(ax, max_depth=max_depth)

    def plot(self, ax: Axes | None = None, *, max_depth: int | None = None) -> TreeDisplay:
        """Draw again."""
        options = {"max_depth": max_depth, "favorable_label": self.favorable_label}
        self._drawn_on(plot_tree(self.estimator, ax=ax, **options))
        return self


class FrontierDisplay(PlotDisplay):
    """Accuracy against the gap on held-out rows: see `arbitree.plot_frontier`.

    Make one with `from_frontier`.

    Parameters
    ----------
    frontier : Frontier

    Attributes
    ----------
    frontier : Frontier
    ax_ : matplotlib Axes
        Of the last drawing.
    figure_ : matplotlib Figure
    """

    told = "Accuracy against the gap on held-out rows"

    def __init__(self, frontier: Frontier) -> None:
        self.frontier = frontier

    @classmethod
    def from_frontier(
        cls,
        frontier: Frontier,
        *,
        accuracy: str = "accuracy",
        max_gap: float | None = None,
        ax: Axes | None = None,
    ) -> FrontierDisplay:
        """Draw a frontier; parameters are those of `arbitree.plot_frontier`."""
        return cls(frontier).plot(ax, accuracy=accuracy, max_gap=max_gap)

    def plot(
        self, ax: Axes | None = None, *, accuracy: str = "accuracy", max_gap: float | None = None
    ) -> FrontierDisplay:
        """Draw again."""
        self._drawn_on(plot_frontier(self.frontier, accuracy=accuracy, max_gap=max_gap, ax=ax))
        return self
