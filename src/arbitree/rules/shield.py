"""Any classifier, with the classes that rules forbid taken out of its decisions."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.metaestimators import available_if

from arbitree._errors import ArbitreeWarning, InputError
from arbitree._wording import counted, listed
from arbitree.model.fitted import refuse_unfitted
from arbitree.rules.bound import BoundRules
from arbitree.rules.contradiction import refuse_contradiction
from arbitree.rules.coverage import RuleCoverage, coverage
from arbitree.rules.loose_domain import bound_to_columns
from arbitree.rules.masked import forbidden_classes, masked, without_classes
from arbitree.rules.ruleset import Rules
from arbitree.table.frames import Column, columns


def _has_probabilities(shield: Shield) -> bool:
    return hasattr(getattr(shield, "estimator_", shield.estimator), "predict_proba")


class Shield(ClassifierMixin, BaseEstimator):
    """A classifier that obeys rules, whatever the classifier in it decides.

    Parameters
    ----------
    estimator : classifier
        A scikit-learn classifier or pipeline, or any object with `predict` (and `predict_proba`),
        or a function of X that returns labels or, a column a class, probabilities. If it is
        fitted, the shield decides at once; `fit` fits a clone of it.
    rules : Rules, str or None, default=None
        What must be decided of known cases. None is no rule.
    domain : frame, array, Schema or sequence of Feature, default=None
        Which rows there are, beside what `rules` declare: see `Rules.bind`. By default those of
        the rows that `fit` saw; without `fit` any: every level, and missing values in all columns
        that are not declared never to be missing. Rows outside of it are refused.
    classes : sequence, default=None
        The classes, in the order of probabilities, of an estimator without `classes_`.

    Attributes
    ----------
    estimator_ : classifier
        The fitted clone.
    classes_ : ndarray
    class_prior_ : ndarray of float64, shape (n_classes,)
        The share of each class in `y`, by weight.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Where X has names.

    Notes
    -----
    The estimator's own decision is kept if no rule forbids it. Else the most probable of the
    allowed classes is decided; by `decision_function` where there are no probabilities, and where
    there is neither, or none of the allowed classes has any probability, the one most frequent in
    `y`, without `fit` the first. A row that facts say cannot be is treated like others; if rules
    leave it no class, the estimator's decision stands, with a warning.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = {"age": [10, 17, 18, 40]}, ["deny", "approve", "approve", "approve"]
    >>> import pandas as pd
    >>> X = pd.DataFrame(X)
    >>> shield = Shield(LogisticRegression(), "age < 18 => deny").fit(X, y)
    >>> shield.predict(X).tolist()
    ['deny', 'deny', 'approve', 'approve']
    >>> shield.predict_proba(X)[1].tolist()
    [0.0, 1.0]
    >>> shield.overruled(X).by_rule[["rule", "n_matching", "n_overruled"]].values.tolist()
    [['line 1', 2, 1]]
    """

    classes_: np.ndarray

    def __init__(
        self, estimator: Any, rules: Any = None, *, domain: Any = None, classes: Any = None
    ) -> None:
        self.estimator = estimator
        self.rules = rules
        self.domain = domain
        self.classes = classes

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> Shield:
        """Fit a clone of the estimator, and learn from the rows which there can be.

        Parameters
        ----------
        X : frame or array, shape (n_rows, n_features)
        y : array or column, shape (n_rows,)
        sample_weight : array, optional
            Passed on to the estimator.
        **fit_params
            Passed on to the estimator.

        Raises
        ------
        RuleError
            If the rules do not fit X and the classes.
        ContradictionError
            If they leave a row that can exist none of the classes.
        """
        from sklearn.utils.validation import column_or_1d

        given = (
            fit_params if sample_weight is None else fit_params | {"sample_weight": sample_weight}
        )
        estimator = self.estimator
        if hasattr(estimator, "fit"):
            estimator = clone(estimator).fit(X, y, **given)
        classes = self._classes_of(estimator)
        bound = None if not len(self._rules()) else self._bound(X, classes, loose=False)
        self.estimator_, self.classes_, self.bound_ = estimator, classes, bound
        labels = column_or_1d(np.asarray(y), warn=True)
        weight = np.ones(len(labels)) if sample_weight is None else np.asarray(sample_weight, float)
        self.class_prior_ = np.array([weight[labels == label].sum() for label in classes])
        self.class_prior_ /= self.class_prior_.sum() or 1.0
        known = getattr(estimator, "n_features_in_", None)
        self.n_features_in_ = len(self._columns(X)) if known is None else known
        if hasattr(estimator, "feature_names_in_"):
            self.feature_names_in_ = estimator.feature_names_in_
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The class of each row, never one that a rule forbids.

        Parameters
        ----------
        X : frame or array, shape (n_rows, n_features)

        Returns
        -------
        ndarray, shape (n_rows,)
        """
        estimator, classes = self._ready()
        place, scores = self._decided(estimator, classes, X)
        forbidden = self._forbidden(X, classes, len(place))
        wrong = forbidden[np.arange(len(place)), place]
        if wrong.any():
            scores = self._scores(estimator, classes, X) if scores is None else scores
            allowed = np.where(forbidden, -np.inf, self._prior(classes))
            if scores is not None:
                scored = np.where(forbidden, -np.inf, scores)
                none = (scored == 0).sum(axis=1) + forbidden.sum(axis=1) == len(classes)
                allowed = np.where(none[:, None], allowed, scored)
            place = np.where(wrong, allowed.argmax(axis=1), place)
        return classes[place]

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any) -> np.ndarray:
        """The probability of each class among those that no rule forbids.

        The estimator's probabilities of allowed classes, divided by their sum; if all are 0, the
        shares of these classes in the `y` of `fit`, and without it equal ones.

        Returns
        -------
        ndarray of float64, shape (n_rows, n_classes)
        """
        estimator, classes = self._ready()
        shares = _checked(estimator.predict_proba(X), classes)
        return masked(shares, self._forbidden(X, classes, len(shares)), self._prior(classes))

    @available_if(_has_probabilities)
    def predict_log_proba(self, X: Any) -> np.ndarray:
        """The logarithm of `predict_proba`; minus infinity for a probability of 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def overruled(self, X: Any) -> RuleCoverage:
        """What the estimator decides against the rules.

        Parameters
        ----------
        X : frame or array, shape (n_rows, n_features)

        Returns
        -------
        RuleCoverage
            Of the estimator's own decisions: `by_rule` counts the rows that each rule overrules,
            `contradicting` lists them.

        Raises
        ------
        InputError
            If there is no rule.
        """
        estimator, classes = self._ready()
        bound = self._bound_for(X, classes)
        if bound is None:
            raise InputError("There are no rules, so nothing is overruled.")
        place, _ = self._decided(estimator, classes, X)
        named = {column.name: column.values.to_native() for column in self._columns(X)}
        return coverage(bound, named, classes[place])

    def _rules(self) -> Rules:
        rules = Rules(()) if self.rules is None else self.rules
        rules = Rules.parse(rules) if isinstance(rules, str) else rules
        if not isinstance(rules, Rules):
            raise InputError(
                f"rules is a {type(rules).__name__}. Pass Rules.parse(...), or a text."
            )
        return rules

    def _ready(self) -> tuple[Any, np.ndarray]:
        """The fitted estimator, and its classes."""
        if hasattr(self, "estimator_"):
            return self.estimator_, self.classes_
        if isinstance(self.estimator, BaseEstimator):
            refuse_unfitted(self.estimator, what="The estimator of the Shield")
        return self.estimator, self._classes_of(self.estimator)

    def __sklearn_is_fitted__(self) -> bool:
        from sklearn.exceptions import NotFittedError

        try:
            self._ready()
        except (NotFittedError, InputError):
            return False
        return True

    def __getattr__(self, name: str) -> Any:
        # Of an estimator that was fitted before, for tools that ask for them.
        if name in ("classes_", "n_features_in_", "feature_names_in_"):
            return getattr(self.__dict__.get("estimator"), name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _classes_of(self, estimator: Any) -> np.ndarray:
        found = getattr(estimator, "classes_", self.classes)
        found = self._rules().schema.classes if found is None else found
        if isinstance(found, list) and any(np.ndim(one) for one in found):
            raise InputError("The estimator decides several things at once. Pass one of them.")
        if not len(found):
            raise InputError(
                f"A {type(estimator).__name__} does not say its classes. Pass classes=[...], in "
                "the order of its probabilities."
            )
        if isinstance(found, np.ndarray):
            return found
        kept = np.empty(len(found), object)
        kept[:] = found
        return kept

    def _bound(self, X: Any, classes: np.ndarray, *, loose: bool) -> BoundRules:
        """The rules over the domain, where they leave every row one of the classes."""
        rules = self._rules()
        labels = classes.tolist()
        if self.domain is None:
            bound = bound_to_columns(rules, self._columns(X), labels, loose=loose)
        else:
            bound = rules.bind(self.domain, classes=labels)
        bound = without_classes(bound, len(labels))
        refuse_contradiction(bound)
        return bound

    def _bound_for(self, X: Any, classes: np.ndarray) -> BoundRules | None:
        if hasattr(self, "bound_"):
            return self.bound_
        return self._bound(X, classes, loose=True) if len(self._rules()) else None

    def _columns(self, X: Any) -> list[Column]:
        """Columns of X; of an array under the names that the estimator knows."""
        if issparse(X):
            raise InputError("X is sparse, and rules read whole columns. Pass X.toarray().")
        is_array = not hasattr(X, "columns") and (hasattr(X, "__array__") or isinstance(X, list))
        found = columns(np.asarray(X) if is_array else X, what="X", default_name="x")
        named = getattr(self, "feature_names_in_", ())
        if not is_array or len(named) != len(found):
            return found
        return [Column(name, one.values, one.index) for name, one in zip(named, found)]

    def _forbidden(self, X: Any, classes: np.ndarray, n_rows: int) -> np.ndarray:
        """Classes that rules forbid of each row, but for rows that would have none left."""
        bound = self._bound_for(X, classes)
        if bound is None:
            return np.zeros((n_rows, len(classes)), bool)
        found = forbidden_classes(bound, bound.space.encode(self._columns(X)))
        if len(found) != n_rows:
            raise InputError(
                f"The estimator decided {counted(n_rows, 'row')}, and X has {len(found):,}. "
                "Pass one that decides each row."
            )
        none_left = found.all(axis=1)
        if none_left.any():
            n, first = int(none_left.sum()), int(np.argmax(none_left))
            warnings.warn(
                f"{counted(n, 'row')}, the first at row {first}, can by the facts not be, and the "
                "rules leave no class: decided as the estimator does.",
                ArbitreeWarning,
                stacklevel=3,
            )
            found[none_left] = False
        return found

    def _decided(
        self, estimator: Any, classes: np.ndarray, X: Any
    ) -> tuple[np.ndarray, np.ndarray | None]:
        """The place of each decision among the classes, and scores where they come with it."""
        found = np.asarray(estimator.predict(X) if hasattr(estimator, "predict") else estimator(X))
        if found.ndim == 2 and found.shape[1] == len(classes) > 1:
            scores = _checked(found, classes)
            return scores.argmax(axis=1), scores
        place = np.full(len(found), -1, np.intp)
        for at, label in enumerate(classes):
            place[found.ravel() == label] = at
        if (place < 0).any():
            strange = found.ravel()[place < 0][:1]
            raise InputError(
                f"The estimator decided {listed(strange)}, which is none of the classes "
                f"{listed(classes)}. Pass classes=[...]."
            )
        return place, None

    def _scores(self, estimator: Any, classes: np.ndarray, X: Any) -> np.ndarray | None:
        if hasattr(estimator, "predict_proba"):
            return _checked(estimator.predict_proba(X), classes)
        if not hasattr(estimator, "decision_function"):
            return None
        found = np.asarray(estimator.decision_function(X), float)
        if found.ndim == 1:
            found = np.column_stack([-found, found])
        # Above 0 whatever they are, as 0 is a probability of nothing.
        return found - found.min() + 1.0 if found.shape[1] == len(classes) else None

    def _prior(self, classes: np.ndarray) -> np.ndarray:
        """What classes count for where the estimator gives none that is allowed a chance."""
        return getattr(self, "class_prior_", np.ones(len(classes)))

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import get_tags

        tags = super().__sklearn_tags__()
        if isinstance(self.estimator, BaseEstimator):
            inner = get_tags(self.estimator)
            tags.input_tags = inner.input_tags
            tags.input_tags.sparse &= self.rules is None  # whose columns have no names
            tags.non_deterministic = inner.non_deterministic
            if inner.classifier_tags is not None:
                tags.classifier_tags = inner.classifier_tags
                tags.classifier_tags.multi_label = False
        return tags


def _checked(shares: Any, classes: np.ndarray) -> np.ndarray:
    found = np.asarray(shares, float)
    if found.ndim != 2 or found.shape[1] != len(classes):
        raise InputError(
            f"The estimator gives probabilities of shape {found.shape}, and there are "
            f"{len(classes)} classes: {listed(classes)}."
        )
    if np.isnan(found).any():
        row = int(np.isnan(found).any(axis=1).argmax())
        raise InputError(f"The estimator gives no probability (NaN) at row {row}.")
    return found
