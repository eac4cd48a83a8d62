"""Pipelines are pulled back to raw columns exactly: each row reaches the leaf of its cells."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.feature_selection import VarianceThreshold
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    RobustScaler,
    StandardScaler,
)
from sklearn.tree import DecisionTreeClassifier

import arbitree as ar
from arbitree.rules.bind_to_model import bound_to_reading, forest_of
from arbitree.rules.grid import GridAxis
from arbitree.rules.reading import read_model

ONE_HOT = [
    {"handle_unknown": "error"},
    {"handle_unknown": "ignore"},
    {"handle_unknown": "ignore", "drop": "first"},
    {"handle_unknown": "infrequent_if_exist", "min_frequency": 12},
    {"drop": "if_binary", "sparse_output": False},
]
ORDINAL = [
    {},
    {"handle_unknown": "use_encoded_value", "unknown_value": -1},
    {"handle_unknown": "use_encoded_value", "unknown_value": np.nan},
    {"encoded_missing_value": -5},
]
NUMBERS = [
    "passthrough",
    SimpleImputer(),
    SimpleImputer(strategy="median", add_indicator=True),
    SimpleImputer(strategy="constant", fill_value=-1.5),
    SimpleImputer(missing_values=0.0, strategy="most_frequent"),
    StandardScaler(),
    MinMaxScaler(feature_range=(-1, 3), clip=True),
    make_pipeline(SimpleImputer(strategy="most_frequent"), RobustScaler()),
    make_pipeline(StandardScaler(), SimpleImputer(add_indicator=True), MinMaxScaler()),
]


def table(seed, n_rows=120):
    """Numbers of many sizes, a text, and codes that are numbers; some values are missing."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "x": rng.normal(size=n_rows) * 10.0 ** rng.integers(-3, 4),
            "n": rng.integers(-2, 3, n_rows).astype(float),
            "text": rng.choice(["a", "b", "c", "rare"], n_rows, p=[0.4, 0.3, 0.25, 0.05]),
            "code": rng.choice([1.0, 2.0, 7.0], n_rows),
        }
    )
    X["text"] = X["text"].astype(object)
    X.loc[rng.random(n_rows) < 0.1, "x"] = np.nan
    if seed % 2:
        X.loc[rng.random(n_rows) < 0.1, "text"] = np.nan
    y = (X["x"].fillna(0) > 0).astype(int) ^ (X["text"] == "a") ^ (X["n"] > 0)
    return X, np.where(rng.random(n_rows) < 0.15, 2, y)


def pipeline(numbers, encoder, last):
    columns = [
        ("encode", encoder, ["text", "code"]),
        ("numbers", numbers, ["n", "x"]),
    ]
    return make_pipeline(ColumnTransformer(columns, sparse_threshold=0), last)


def cell_ends(axis: GridAxis, cells, rng):
    """Values of cells: of numbers the least or the largest, at random."""
    values = axis.column(cells).tolist()
    for row, cell in enumerate(cells):
        if cell < len(axis.cuts) and rng.random() < 0.7:
            values[row] = axis.cuts[cell]
        elif 0 < cell <= len(axis.cuts) and rng.random() < 0.7:
            values[row] = np.nextafter(axis.cuts[cell - 1], np.inf)
    return pd.Series(values, dtype=float if len(axis.cuts) else object)


def random_rows(trees, n_rows, rng):
    """Rows of cells that the model decides, and values of them."""
    cells = [rng.choice(np.flatnonzero(axis.occurs), n_rows) for axis in trees.grid]
    values = {
        axis.axis.name: cell_ends(axis, of.tolist(), rng) for axis, of in zip(trees.grid, cells)
    }
    return np.stack(cells, axis=1).astype(np.int32), pd.DataFrame(values)


def reached(trees, codes):
    """The node of the first tree that each row of cells reaches."""
    found = []
    for row in codes:
        node = int(trees.root[0])
        while trees.axis[node] >= 0:
            goes_left = trees.left_cells(node)[row[trees.axis[node]]]
            node = int((trees.left if goes_left else trees.right)[node])
        found.append(node)
    return np.array(found)


@settings(max_examples=20, phases=[Phase.explicit, Phase.generate])
@given(
    seed=st.integers(0, 10_000),
    numbers=st.sampled_from(NUMBERS),
    encoder=st.sampled_from([("hot", o) for o in ONE_HOT] + [("ordinal", o) for o in ORDINAL]),
)
def test_every_row_reaches_the_leaf_of_its_cells(seed, numbers, encoder):
    X, y = table(seed)
    kind, options = encoder
    made = OneHotEncoder(**options) if kind == "hot" else OrdinalEncoder(**options)
    if getattr(numbers, "missing_values", np.nan) == 0:  # and refuses NaN
        X["x"] = X["x"].fillna(0.0)
    model = pipeline(numbers, made, DecisionTreeClassifier(random_state=0)).fit(X, y)
    bound, trees = bound_to_reading(read_model(model), ar.Rules.parse("n > 0.5 => not 2"))
    rng = np.random.default_rng(seed)
    codes, rows = random_rows(trees, 60, rng)
    given_rows = rows[list(X)]
    with np.errstate(all="ignore"):
        transformed = quiet(model[:-1].transform, given_rows)
    assert model[-1].apply(transformed).tolist() == reached(trees, codes).tolist()
    encoded = bound.space.encode(ar_columns(given_rows))
    for place, axis in enumerate(trees.grid):
        assert encoded[place].tolist() == axis.coarse[codes[:, place]].tolist()


def ar_columns(frame):
    from arbitree.table.frames import columns

    return columns(frame, what="X", default_name="x")


def quiet(call, rows):
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call(rows)


@pytest.mark.parametrize("seed", range(6))
def test_a_forest_behind_encoders_scores_as_it_predicts(seed):
    X, y = table(seed)
    encoder = OneHotEncoder(handle_unknown="ignore")
    numbers = make_pipeline(SimpleImputer(), StandardScaler())
    model = pipeline(numbers, encoder, RandomForestClassifier(9, random_state=0)).fit(X, y)
    reading = read_model(model)
    _, trees = bound_to_reading(reading, ar.Rules.parse("n > 0 => not 2"))
    codes, rows = random_rows(trees, 200, np.random.default_rng(seed))
    given_scores = quiet(model.predict_proba, rows[list(X)])
    np.testing.assert_allclose(trees.scores(codes), given_scores, atol=1e-12)


RULES = "feature n: number, never missing\ntext = a and n > 0.5 => not 1  [missing: certain]"


def test_a_grid_search_is_verified_by_its_best_pipeline():
    X, y = table(2)
    numbers = make_pipeline(SimpleImputer(), StandardScaler())
    encoder = OneHotEncoder(handle_unknown="ignore")
    model = pipeline(numbers, encoder, DecisionTreeClassifier(random_state=0))
    search = GridSearchCV(model, {"decisiontreeclassifier__max_depth": [2, 5]}, cv=2).fit(X, y)
    found = ar.verify(search, ar.Rules.parse(RULES))
    again = ar.verify(search.best_estimator_, ar.Rules.parse(RULES))
    assert found.status == again.status == "violated"
    row = found.counterexample
    assert row["text"].iloc[0] == "a"
    assert search.predict(row)[0] == found.verdicts[0].decision == 1


def test_histogram_boosting_reads_codes_that_a_step_made():
    X, y = table(3)
    encoder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan)
    last = HistGradientBoostingClassifier(categorical_features=[0, 1], max_iter=10)
    model = pipeline("passthrough", encoder, last).fit(X, y)
    reading = read_model(model)
    _, trees = bound_to_reading(reading, ar.Rules.parse("n > 0 => not 2"))
    forest = forest_of(reading, trees, 0)
    codes, rows = random_rows(trees, 200, np.random.default_rng(0))
    given_labels = quiet(model.predict, rows[list(X)])
    assert (model.classes_[forest.trees.scores(codes).argmax(axis=1)] == given_labels).all()


def test_levels_that_an_encoder_refuses_are_said():
    X, y = table(2)
    model = pipeline("passthrough", OneHotEncoder(), DecisionTreeClassifier()).fit(X, y)
    found = ar.verify(model, ar.Rules.parse("text = a => not 2"))
    assert any("refuses rows with other levels of 'text'" in notice for notice in found.notices)
    assert any("'text' is never missing" in one or "'text'" in one for one in found.notices)


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (PCA(2), "'pca' of the pipeline is a PCA, which is not followed back"),
        (FunctionTransformer(np.abs), "calls a function"),
        (make_pipeline(StandardScaler(), OrdinalEncoder()), "encodes numbers that another step"),
    ],
)
def test_steps_that_mix_columns_are_refused(step, message):
    X, y = table(2)
    X = X[["n", "code"]]
    model = make_pipeline(step, DecisionTreeClassifier()).fit(X, y)
    with pytest.raises(ar.InputError, match=message):
        ar.verify(model, ar.Rules.parse("n > 0 => not 2"))


def test_columns_that_a_selector_leaves_out_decide_nothing():
    X, y = table(2)
    X = X[["n", "code"]].assign(constant=1.0)
    model = make_pipeline(VarianceThreshold(), DecisionTreeClassifier(random_state=0)).fit(X, y)
    rules = ar.Rules.parse("constant > 0 and n > 0.5 => not 1")
    assert ar.verify(model, rules).counterexample["constant"].iloc[0] > 0
