"""Everything that can go wrong, as a tree.

ArbitreeError
├── InputError(ValueError)        the data or an argument makes no sense
│   ├── LabelError                it cannot be known which value is favourable
│   │   └── NoValuesError         ... as no row has any
│   ├── AlignmentError            two inputs do not describe the same rows
│   ├── MissingValueError         values are missing and the policy is "error"
│   ├── ColumnError(KeyError)     a column that is not there, or is there twice
│   ├── RuleError                 a rule cannot be read, or does not fit the features
│   │   └── ContradictionError    rules leave a row that can exist no class
│   │       └── MissingContradictionError   ... only where a value is missing
│   ├── UnfittedError(NotFittedError)   a model is not fitted (model.unfitted_error)
│   └── NoGroupsError(AttributeError)   a tree that saw no groups has nothing to say of them
├── NotEstimableError             a number was asked for that these data cannot give
└── MissingDependencyError(ImportError)   an extra is needed; names it

ArbitreeWarning(UserWarning)      the answer stands, but read this
└── UnsafeTreeWarning             a tree was learnt in a way that may break its rules
"""

from __future__ import annotations


class ArbitreeError(Exception):
    """Base of all errors that arbitree raises on purpose."""


class InputError(ArbitreeError, ValueError):
    """The data or an argument makes no sense."""


class LabelError(InputError):
    """It cannot be known which value of an outcome is favourable."""


class AlignmentError(InputError):
    """Two inputs do not describe the same rows in the same order."""


class MissingValueError(InputError):
    """Values are missing and the policy asked for is ``"error"``."""


class NoValuesError(LabelError, MissingValueError):
    """A column of decisions or labels has no value in any row."""


class ColumnError(InputError, KeyError):
    """A named column does not exist, or exists more than once."""

    # KeyError shows the repr of its argument; a sentence should read as one.
    __str__ = Exception.__str__


class RuleError(InputError):
    """A rule cannot be read, or does not fit the features and classes."""


class ContradictionError(RuleError):
    """Rules forbid every class of a row that can exist."""


class MissingContradictionError(ContradictionError):
    """Rules forbid every class of some rows, all of which have missing values."""


class NoGroupsError(InputError, AttributeError):
    """A tree that saw no groups has nothing to say of them."""


class NotEstimableError(ArbitreeError):
    """The data cannot give the number that was asked for."""


class MissingDependencyError(ArbitreeError, ImportError):
    """An optional dependency is needed."""


class ArbitreeWarning(UserWarning):
    """The answer stands, but the user should read this."""


class UnsafeTreeWarning(ArbitreeWarning):
    """A tree was learnt in a way that may break its rules."""
