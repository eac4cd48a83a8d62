"""The methods of a fitted tree that take it elsewhere; each format is a file in `export`."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from arbitree.table.whole_file import write_whole
from arbitree.tree.checked_columns import checked_columns

if TYPE_CHECKING:
    from arbitree.model.tree import Tree


class TreeExports:
    """What `TreeClassifier` can be written as."""

    tree_: Tree
    classes_: np.ndarray
    criterion: str

    def export_text(self, *, max_depth: int | None = None, decimals: int = 2) -> str:
        """The tree as indented text, a line a branch.

        Parameters
        ----------
        max_depth : int, optional
            Splits below are left out, and counted.
        decimals : int
            Of the shares of classes in a leaf.

        Returns
        -------
        str
        """
        from arbitree.tree.export.text_tree import text_tree

        return text_tree(self._learnt(), max_depth=max_depth, decimals=decimals)

    def to_rules(self) -> str:
        """The tree as rules, a leaf a line: ``age <= 40.5 and job in {a, c} => yes``.

        Returns
        -------
        str
            Each row obeys exactly one rule.
        """
        from arbitree.tree.export.rules_text import rules_text

        return rules_text(self._learnt())

    def to_python(self) -> str:
        """The tree as Python source with a function ``predict(row)``; needs no package.

        Returns
        -------
        str
        """
        from arbitree.tree.export.python_source import python_source

        return python_source(self._learnt())

    def to_sql(self, *, columns: Mapping[Hashable, str] | None = None) -> str:
        """The tree as an expression in standard SQL; NULL is missing.

        No line ends it, so that it goes into a statement: ``f"SELECT {tree.to_sql()} FROM t"``.

        Parameters
        ----------
        columns : mapping of feature to str, optional
            SQL to use for a feature instead of its quoted name: ``{"age": 't."age"'}``. It is
            used as it is; never build it from data.

        Returns
        -------
        str
        """
        from arbitree.tree.export.sql_source import sql_source

        return sql_source(self._learnt(), columns=columns)

    def to_sklearn(self) -> Any:
        """The tree as a fitted scikit-learn estimator.

        Returns
        -------
        DecisionTreeClassifier or Pipeline
            A `DecisionTreeClassifier` where every column of X holds numbers or truth values; else
            a pipeline whose first step, part of arbitree, makes numbers of X.

        Notes
        -----
        In a leaf whose decision is not its largest class, because of parity, `predict_proba` of
        the result gives all of the share to the decision. scikit-learn refuses infinite numbers.
        """
        from arbitree.tree.export.sklearn_tree import to_sklearn

        names = getattr(self, "feature_names_in_", None)
        return to_sklearn(self._learnt(), self.classes_, names=names, criterion=self.criterion)

    def to_onnx(self) -> Any:
        """The tree as an ONNX model with outputs ``label`` and ``probabilities``.

        Returns
        -------
        onnx.ModelProto
            Its input is ``X``, a matrix of float32, where every column of X holds numbers or
            truth values; else there is one input for each column that the tree reads.

        Raises
        ------
        MissingDependencyError
            If onnx is not installed.
        """
        from arbitree.tree.export.onnx_model import to_onnx

        return to_onnx(self._learnt())

    def onnx_inputs(self, X: Any) -> dict[str, np.ndarray]:
        """Rows as an ONNX runtime is given them for the model of `to_onnx`.

        Parameters
        ----------
        X : frame or array, shape (n_rows, n_features)

        Returns
        -------
        dict of str to ndarray
        """
        from arbitree.tree.export.onnx_inputs import onnx_inputs

        return onnx_inputs(self._learnt(), checked_columns(self, X, reset=False))

    def to_json(self) -> str:
        """The tree as the text of ``tree.json``, which `arbitree.read_tree` reads.

        Returns
        -------
        str
            Strict JSON; the same tree gives the same text.
        """
        from arbitree.tree.saved_text import saved_text

        self._learnt()
        return saved_text(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write ``tree.json``: whole, or not at all.

        Parameters
        ----------
        path : str or path
        """
        write_whole(self.to_json().encode("utf-8", "backslashreplace"), Path(path))

    def _learnt(self) -> Tree:
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        return self.tree_
