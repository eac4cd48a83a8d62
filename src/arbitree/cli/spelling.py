"""Errors name parameters as Python knows them; here they are spelt as options."""

from __future__ import annotations

import ast
import re
import shlex

from .._wording import ASSUMED

_OPTIONS = {
    "favorable_label": "--favorable",
    "label_favorable": "--label-favorable",
    "y_true_favorable": "--label-favorable",
    "score_threshold": "--score-threshold",
    "lower_score_favorable": "--lower-score-favorable",
    "sensitive_features": "--sensitive",
    "group_probabilities": "--sensitive-probabilities",
    "control_features": "--control",
    "sample_weight": "--weight",
    "y_true": "--label",
    "reference_group": "--reference",
    "min_group_size": "--min-group-size",
    "n_resamples": "--resamples",
    "random_state": "--seed",
    "missing_values": "--missing-value",
    "complete_rows": "--complete-rows",
    "min_share": "--min-share",
    "fail_under": "--fail-under",
    "max_gap": "--max-gap",
    "max_leaf_nodes": "--max-leaves",
    "max_depth": "--max-depth",
    "min_samples_leaf": "--min-samples-leaf",
    "test_share": "--test-share",
    "accuracy_cost": "--accuracy-cost",
    "four_fifths": "--four-fifths",
    "pool_share": "--pool-share",
    "calibration_share": "--calibration-share",
    "n_splits": "--splits",
    "max_order": "--max-order",
    "n_bootstrap": "--bootstrap",
    "allow_sensitive_splits": "--allow-sensitive-splits",
    "allow_pickle": "--allow-pickle",
    "model_columns": "--model-columns",
    "contradictions": "--contradictions",
    "monotonic_cst": "--monotonic",
}
# Words of English too: options only where they are given a value, or open the message.
_ALSO_WORDS = {
    name: f"--{name}"
    for name in (
        "bins",
        "where",
        "sep",
        "encoding",
        "decimal",
        "thousands",
        "missing",
        "cross",
        "trust",
    )
} | {"confidence": "--confidence"}
_ALL = _OPTIONS | _ALSO_WORDS

_SENTENCES = {
    "Drop it from X unless that is wanted.": "Leave it out with --exclude unless that is wanted.",
    "leave it out of the features.": "leave it out with --exclude.",
    "Name such columns as sensitive, or leave them out of the features.": "Name such columns "
    "with --sensitive, or leave them out with --exclude.",
    "Read it with features='all', or their names.": "Name some with --features, or exclude fewer.",
    ", or pass missing='certain'.": ", or end the rules with [missing: certain].",
    "is another, pass sep.": "is another, pass --sep.",
    " Where there is no bins, cut it beforehand with pandas.cut.": "",
}
# Of a file, rows are counted among those that are left and drawn: the number says nothing.
_ROW_LABELLED = re.compile(r"""^y has ('[^']*'|"[^"]*"|\S+) at row \d+, which rule""")
_MAPPING = re.compile(r"a mapping such as \{'([^']*)': '([^']*)'\}")
_CUTS = re.compile(r"\bbins=\{'([^']*)': \[([^\]]*)\]\}")
_FLAG = re.compile(rf"(?<![\w'-])({'|'.join(_ALL)})=True\b")
_LITERAL = r"""\[[^\]]*\]|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|-?[\w.]*\w"""
_GIVEN = re.compile(rf"(?<![\w'-])({'|'.join(_ALL)})=({_LITERAL})")
_BARE = re.compile(rf"(?<![\w'-])({'|'.join(_OPTIONS)})(?![\w'])(=(?!\w|'))?")
_FIRST = re.compile(rf"^({'|'.join(_ALSO_WORDS)})(?= (?:is|names|asks)\b)")


def in_options(message: str) -> str:
    """The message with parameters as options; what stands in quotes stays as it is.

    >>> in_options("Pass favorable_label='no' or favorable_label='not yet'.")
    "Pass --favorable no or --favorable 'not yet'."
    >>> in_options("Give ranges, such as bins={'age': [25, 40, 65]}.")
    'Give ranges, such as --bins age=25,40,65.'
    >>> in_options("If it means missing, pass missing_values=['?'].")
    "If it means missing, pass --missing-value '?'."
    >>> in_options("y has 'yes' at row 7, which rule 'minors' forbids.")
    "A row has the label 'yes', which rule 'minors' forbids."
    >>> in_options("confidence is 2.0. Audit with cross=True.")
    '--confidence is 2.0. Audit with --cross.'
    """
    for python, option in _SENTENCES.items():
        message = message.replace(python, option)
    message = _ROW_LABELLED.sub(r"A row has the label \1, which rule", message)
    message = _MAPPING.sub(lambda found: f"{found[1]}={found[2]}", message)
    message = _CUTS.sub(
        lambda found: f"--bins {shlex.quote(found[1])}={found[2].replace(' ', '')}", message
    )
    message = _FLAG.sub(lambda found: _ALL[found[1]], message)
    message = _GIVEN.sub(_given, message)
    message = _BARE.sub(lambda found: _OPTIONS[found[1]], message)
    return _FIRST.sub(lambda found: _ALL[found[1]], message)


def with_option(favorable: str, option: str = "--favorable") -> str:
    """What is favourable; where nobody said so, also what to say it with.

    >>> with_option("favourable: hired = '1' (assumed)")
    "favourable: hired = '1' (assumed; see --favorable)"
    """
    if not favorable.endswith(ASSUMED):
        return favorable
    return f"{favorable.removesuffix(')')}; see {option})"


def _given(found: re.Match[str]) -> str:
    """An option with its value, once for each value of a list."""
    try:
        values = ast.literal_eval(found[2])
    except (ValueError, SyntaxError):
        values = found[2]
    values = values if isinstance(values, list) else [values]
    return " ".join(f"{_ALL[found[1]]} {shlex.quote(str(value))}" for value in values)
