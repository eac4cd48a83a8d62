"""Small models of other libraries in files, with what they decide."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

NUMBERS = ["income", "years employed", "age"]
COLUMNS = ["income", "region", "member", "age"]


@dataclass(frozen=True)
class Written:
    """A model's file, what it should decide on the people, and how it has to be read."""

    path: Path
    decisions: np.ndarray
    options: dict[str, Any]


def people(n: int = 500) -> pd.DataFrame:
    """Rows with numbers, texts, truths and missing values."""
    rng = np.random.default_rng(3)
    sex = rng.choice(["f", "m"], n)
    income = np.round(rng.normal(40, 9, n) + 4 * (sex == "m"), 2)
    region = rng.choice(["north", "south, inner", "östlich"], n)
    hired = np.where(income + 3 * (region == "north") + rng.normal(0, 5, n) > 42, "yes", "no")
    return pd.DataFrame(
        {
            "income": np.where(rng.random(n) < 0.1, np.nan, income),
            "years employed": rng.integers(0, 40, n),
            "age": rng.integers(18, 70, n),
            "region": region,
            "member": rng.random(n) < 0.4,
            "sex": sex,
            "hired": hired,
        }
    )


def pipeline(frame: pd.DataFrame) -> Any:
    """A pipeline over raw columns, texts and truths among them."""
    from sklearn.compose import make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    numbers = make_pipeline(SimpleImputer(), StandardScaler())
    levels = OneHotEncoder(handle_unknown="ignore")
    columns = make_column_transformer((numbers, ["income", "age"]), (levels, ["region", "member"]))
    return make_pipeline(columns, LogisticRegression()).fit(frame[COLUMNS], frame["hired"])


def write_all(frame: pd.DataFrame, folder: Path) -> dict[str, Written]:
    """A file of each kind."""
    import joblib
    import lightgbm
    import skops.io
    import xgboost

    model = pipeline(frame)
    decisions = model.predict(frame[COLUMNS])
    skops.io.dump(model, folder / "model.skops")
    joblib.dump(model, folder / "model.joblib")
    numbers, hired = frame[NUMBERS], (frame["hired"] == "yes").astype(int)
    boosted = xgboost.XGBClassifier(n_estimators=5, max_depth=3, n_jobs=1).fit(numbers, hired)
    boosted.save_model(folder / "xgboost.json")
    boosted.save_model(folder / "xgboost.ubj")
    light = lightgbm.LGBMClassifier(n_estimators=5, verbose=-1, n_jobs=1).fit(numbers, hired)
    light.booster_.save_model(folder / "lightgbm.txt")
    told = {"model.skops": decisions, "model.joblib": decisions}
    told |= dict.fromkeys(("xgboost.json", "xgboost.ubj"), boosted.predict(numbers))
    told["lightgbm.txt"] = light.predict(numbers)
    options: dict[str, dict[str, Any]] = {
        "model.joblib": {"allow_pickle": True},
        "lightgbm.txt": {"model_columns": NUMBERS},  # it has spelt the spaces otherwise
    }
    return {
        name: Written(path=folder / name, decisions=found, options=options.get(name, {}))
        for name, found in told.items()
    }
