"""Rules and indented text, read back and applied to rows: a second, plain reader of both."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import numpy as np
import pandas as pd

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|<=|=>|[<>=(){},]|-?\w[\w.+-]*|\S')
_ALONE = {"and", "or", "not", "in", "missing"}


def decided_by_rules(text: str, X: pd.DataFrame) -> np.ndarray:
    """The class, as its text, that rules give each row; an error unless exactly one rule does."""
    found = np.full(len(X), None, dtype=object)
    times = np.zeros(len(X), int)
    for line in text.splitlines():
        if line and not line.startswith("#"):
            tokens = _tokens(line)
            at = _Reader(tokens, X)
            holds = at.either()
            at.take("=>")
            found[holds] = _plain(at.take())
            times += holds
            assert not at.tokens
    assert (times == 1).all()
    return found


def decided_by_text(text: str, X: pd.DataFrame) -> np.ndarray:
    """The class, as its text, of the leaf that each row falls into."""
    found = np.full(len(X), None, dtype=object)
    above: list[np.ndarray] = []
    for line in text.splitlines():
        depth = line.index("|---") // 4
        told = line[depth * 4 + 5 :]
        here = above[depth - 1] if depth else np.ones(len(X), bool)
        if told.startswith("class: "):
            assert (found[here] == None).all()  # noqa: E711
            found[here] = _plain(_tokens(told)[2]) if _tokens(told)[1] == ":" else None
        else:
            above[depth:] = [here & _branch(told, X)]
    assert (found != None).all()  # noqa: E711
    return found


def _branch(told: str, X: pd.DataFrame) -> np.ndarray:
    tokens = _tokens(told)
    name = _plain(tokens[0])
    missing = X[name].isna().to_numpy()
    if tokens[1] == "missing":
        return missing
    if tokens[1] == "none":
        return np.zeros(len(X), bool)
    if tokens[1:3] == ["not", "missing"]:
        return ~missing
    reader = _Reader(tokens, X)
    holds = reader.atom()
    return holds | missing if reader.tokens[:2] == ["or", "missing"] else holds


def _tokens(line: str) -> list[str]:
    return _TOKEN.findall(line)


def _plain(token: str) -> str:
    return json.loads(token) if token.startswith('"') else token


class _Reader:
    """Recursive descent over the tokens of one rule; every method gives the rows it holds for."""

    def __init__(self, tokens: list[str], X: pd.DataFrame) -> None:
        self.tokens = tokens
        self.X = X

    def take(self, wanted: str | None = None) -> str:
        token = self.tokens.pop(0)
        assert wanted in (None, token), (wanted, token)
        return token

    def either(self) -> np.ndarray:
        holds = self.both()
        while self.tokens[:1] == ["or"]:
            self.take()
            holds = holds | self.both()
        return holds

    def both(self) -> np.ndarray:
        holds = self.atom()
        while self.tokens[:1] == ["and"]:
            self.take()
            holds = holds & self.atom()
        return holds

    def atom(self) -> np.ndarray:
        first = self.take()
        if first == "not":
            return ~self.atom()
        if first == "(":
            holds = self.either()
            self.take(")")
            return holds
        if first == "missing":
            self.take("(")
            name = _plain(self.take())
            self.take(")")
            return self.X[name].isna().to_numpy()
        operator = self.take()
        if operator == "in":
            return self._levels(first)
        if operator == "=":
            return _texts(self.X[_plain(first)]).isin([_plain(self.take())]).to_numpy()
        second = self.take()
        if operator == "<":  # low < name <= high
            self.take("<=")
            return self._compared(second, ">", first) & self._compared(second, "<=", self.take())
        return self._compared(first, operator, second)

    def _levels(self, name: str) -> np.ndarray:
        self.take("{")
        levels = []
        while True:
            levels.append(_plain(self.take()))
            if self.take() == "}":
                return _texts(self.X[_plain(name)]).isin(levels).to_numpy()

    def _compared(self, name: str, operator: str, bound: str) -> np.ndarray:
        compare: Callable = np.less_equal if operator == "<=" else np.greater
        column = self.X[_plain(name)]
        if pd.api.types.is_datetime64_any_dtype(column):
            return compare(column.to_numpy(), np.datetime64(_plain(bound)))
        assert bound not in _ALONE
        with np.errstate(over="ignore"):
            values = column.to_numpy(dtype=float, na_value=np.nan).astype(np.float32)
        return compare(values, np.float32(_plain(bound)))


def _texts(column: pd.Series) -> pd.Series:
    return column.astype(object).map(str, na_action="ignore")
