"""Whether a model has learnt anything yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arbitree._errors import InputError

if TYPE_CHECKING:
    from arbitree.model.unfitted_error import UnfittedError


def refuse_unfitted(model: Any, *, what: str = "model") -> None:
    """Refuse an estimator that is not fitted, or the class of one.

    Parameters
    ----------
    model : object
        What has no ``fit`` is taken as it is.
    what : str
        The argument it was passed as.

    Raises
    ------
    UnfittedError
        Says which argument it is and what to do.
    InputError
        If it is a class.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> refuse_unfitted(DecisionTreeClassifier())
    Traceback (most recent call last):
    arbitree.model.unfitted_error.UnfittedError: model is a DecisionTreeClassifier that is ...
    """
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    if isinstance(model, type):
        raise InputError(
            f"{what} is the class {model.__name__}. Pass a model made of it and fitted."
        )
    if not hasattr(model, "fit"):
        return
    try:
        check_is_fitted(model)
    except NotFittedError as error:
        raise unfitted(model, what) from error


def refuse_own_unfitted(model: Any) -> None:
    """As `refuse_unfitted`, of our own estimators and of classes: any other is refused anyway."""
    if isinstance(model, type) or type(model).__module__.startswith("arbitree."):
        refuse_unfitted(model)


def unfitted(model: Any, what: str) -> UnfittedError:
    """What to say of a model that is not fitted."""
    from arbitree.model.unfitted_error import UnfittedError

    return UnfittedError(
        f"{what} is a {type(model).__name__} that is not fitted. Call fit(X, y) first."
    )
