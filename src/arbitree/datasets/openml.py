"""Classic data sets, fetched from OpenML by scikit-learn's client and kept in its cache.

Values are as OpenML serves them. Each set is checked against the columns that its parts name, so
that a changed source is an error and not another data set under the same name.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

from arbitree._errors import ArbitreeError, ColumnError
from arbitree._wording import listed
from arbitree.datasets.dataset import Dataset


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """Where a set lies on OpenML, and what its columns are."""

    name: str
    openml: dict[str, Any]  # data_id, or name and version
    sensitive: tuple[str, ...]
    favorable: object
    label: str | None = None  # None: OpenML's own target
    left_out: tuple[str, ...] = ()  # neither features nor outcomes


_ADULT = _Source(
    name="Adult", openml={"data_id": 1590}, sensitive=("sex", "race", "age"), favorable=">50K"
)
_COMPAS = _Source(
    name="COMPAS",
    openml={"data_id": 42193},
    sensitive=("sex", "race_African-American"),
    favorable="0",
    left_out=("race_Caucasian",),
)
_GERMAN = _Source(
    name="German credit",
    openml={"data_id": 31},
    sensitive=("personal_status", "age", "foreign_worker"),
    favorable="good",
)
_LAW_SCHOOL = _Source(
    name="Law school",
    openml={"name": "law-school-admission-bianry", "version": 1},  # spelt so on OpenML
    sensitive=("race1", "gender"),
    label="bar",
    favorable="TRUE",
)
_TITANIC = _Source(
    name="Titanic",
    openml={"data_id": 40945},
    sensitive=("sex", "pclass", "age"),
    favorable="1",
    left_out=("name", "ticket", "cabin", "boat", "body", "home.dest"),
)
_CREDIT_DEFAULT = _Source(
    name="Taiwan credit", openml={"data_id": 42477}, sensitive=("x2", "x5"), favorable="0"
)


def fetch_adult(*, data_home: str | None = None) -> Dataset:
    """Fetch Adult: 48,842 people of the 1994 US census, label income above 50,000.

    Parameters
    ----------
    data_home : str, optional
        Folder of the cache; by default scikit-learn's own.

    Returns
    -------
    Dataset

    Raises
    ------
    ArbitreeError
        Where the set is not in the cache and OpenML cannot be reached, or serves other columns.
    """
    return _fetch(_ADULT, data_home)


def fetch_compas(*, data_home: str | None = None) -> Dataset:
    """Fetch COMPAS: 5,278 defendants, African-American or Caucasian, label new charge in two years.

    OpenML's version codes sex as 1 for male and race as one column a race. The favourable label
    is "0": no new charge. Parameters, result and errors as for `fetch_adult`.
    """
    return _fetch(_COMPAS, data_home)


def fetch_german(*, data_home: str | None = None) -> Dataset:
    """Fetch German credit: 1,000 borrowers, label good or bad risk.

    Parameters, result and errors as for `fetch_adult`.
    """
    return _fetch(_GERMAN, data_home)


def fetch_law_school(*, data_home: str | None = None) -> Dataset:
    """Fetch Law school: 20,800 students of US law schools, label passing the bar.

    Parameters, result and errors as for `fetch_adult`.
    """
    return _fetch(_LAW_SCHOOL, data_home)


def fetch_titanic(*, data_home: str | None = None) -> Dataset:
    """Fetch Titanic: 1,309 passengers, label survival.

    Parameters, result and errors as for `fetch_adult`.
    """
    return _fetch(_TITANIC, data_home)


def fetch_credit_default(*, data_home: str | None = None) -> Dataset:
    """Fetch Taiwan credit: 30,000 holders of credit cards, label default in the next month.

    The favourable label is "0": no default. OpenML's version names columns x1 to x23; x2 is sex
    (2 is female) and x5 age. Parameters, result and errors as for `fetch_adult`.
    """
    return _fetch(_CREDIT_DEFAULT, data_home)


def _fetch(source: _Source, data_home: str | None) -> Dataset:
    bunch = _download(source, data_home)
    label = source.label or bunch.target.name
    apart = {label, bunch.target.name, *source.sensitive, *source.left_out}
    try:
        dataset = Dataset(
            name=source.name,
            about=f"{source.name}, from OpenML ({_where(source)}).",
            frame=bunch.frame,
            features=tuple(column for column in bunch.frame.columns if column not in apart),
            sensitive=source.sensitive,
            label=label,
            favorable={label: source.favorable},
        )
    except ColumnError as error:
        raise _other_data(source, str(error)) from error
    seen = bunch.frame[label].dropna().unique().tolist()
    if source.favorable not in seen:
        raise _other_data(source, f"Its column {label!r} has {listed(seen)}.")
    return dataset


def _where(source: _Source) -> str:
    return ", ".join(f"{key} {value}" for key, value in source.openml.items())


def _other_data(source: _Source, why: str) -> ArbitreeError:
    return ArbitreeError(
        f"OpenML ({_where(source)}) serves another {source.name} data set than the one that "
        f"arbitree knows. {why} Fetch it with sklearn.datasets.fetch_openml and name its columns "
        f"yourself."
    )


def _download(source: _Source, data_home: str | None) -> Any:
    from sklearn.datasets import fetch_openml

    try:
        with warnings.catch_warnings():
            # One line for each retry; the error below says it once.
            warnings.filterwarnings("ignore", message="A network error occurred")
            return fetch_openml(**source.openml, data_home=data_home, as_frame=True)
    except (OSError, ValueError) as error:  # URLError is an OSError, OpenMLError a ValueError
        raise ArbitreeError(
            f"Could not fetch the {source.name} data set from OpenML: {error}. The first fetch "
            f"needs a network that reaches openml.org; later ones read the cache in "
            f"{_cache(data_home)}. Without a network, use make_lending, or read a file of your "
            f"own."
        ) from error


def _cache(data_home: str | None) -> str:
    from sklearn.datasets import get_data_home

    return str(get_data_home(data_home))
