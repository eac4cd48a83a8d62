"""How a notebook shows a tree: scikit-learn's diagram, and once it is fitted the tree itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arbitree.model.tree import Tree


class ShownTree:
    """Adds the tree to what scikit-learn shows of an estimator; stands before its classes."""

    tree_: Tree

    @property
    def _repr_html_(self) -> Callable[[], str]:
        # scikit-learn's is a property, so that there is none where the display is text.
        diagram: Callable[[], str] = super()._repr_html_  # type: ignore[misc]
        return lambda: diagram() + self._tree_html()

    def _repr_mimebundle_(self, **options: Any) -> dict[str, str]:
        shown: dict[str, str] = super()._repr_mimebundle_(**options)  # type: ignore[misc]
        if "text/html" in shown:
            shown["text/html"] += self._tree_html()
        return shown

    def _tree_html(self) -> str:
        from arbitree.tree.export.html_tree import html_tree

        return html_tree(self.tree_) if hasattr(self, "tree_") else ""
