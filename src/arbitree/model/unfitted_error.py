"""The error of a model that is not fitted, which is one of scikit-learn's."""

from __future__ import annotations

from sklearn.exceptions import NotFittedError

from arbitree._errors import InputError


class UnfittedError(InputError, NotFittedError):
    """A model was passed that is not fitted; scikit-learn's error as well as ours."""
