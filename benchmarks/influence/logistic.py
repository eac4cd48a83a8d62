"""A logistic regression on standardised columns: learned by scikit-learn, held as numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

RIDGE = 1.0  # times half the sum of squares of the coefficients; scikit-learn's default


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Logistic:
    """Decides 1 where ``(X - mean) / scale @ coefficients + intercept > 0``."""

    mean: np.ndarray  # (d,)
    scale: np.ndarray  # (d,)
    coefficients: np.ndarray  # (d,)
    intercept: float

    def standard(self, X: np.ndarray) -> np.ndarray:
        return (X - self.mean) / self.scale

    def decide(self, X: np.ndarray) -> np.ndarray:
        """Decisions, 0 or 1.  (n, d) -> (n,)"""
        return (self.standard(X) @ self.coefficients + self.intercept > 0).astype(float)

    def without(self, column: int, *, raw: bool = False) -> Logistic:
        """The same with one coefficient set to zero.

        Every row then has that column's mean; or, `raw`, has 0 in the column's own units, as where
        the columns were never standardised.
        """
        coefficients = self.coefficients.copy()
        coefficients[column] = 0.0
        moved = self.coefficients[column] * self.mean[column] / self.scale[column] if raw else 0.0
        return replace(self, coefficients=coefficients, intercept=self.intercept - moved)


def learn(X: np.ndarray, y: np.ndarray, sample_weight: np.ndarray | None = None) -> Logistic:
    """The regression of these rows.  (n, d), (n,) -> Logistic"""
    scaler = StandardScaler().fit(X)
    found = parameters(scaler.transform(X), y, sample_weight)
    return Logistic(
        mean=np.asarray(scaler.mean_),
        scale=np.asarray(scaler.scale_),
        coefficients=found[:-1],
        intercept=float(found[-1]),
    )


def parameters(z: np.ndarray, y: np.ndarray, sample_weight: np.ndarray | None = None) -> np.ndarray:
    """Coefficients and, last, the intercept.  (n, d), (n,) -> (d + 1,)"""
    found = LogisticRegression(C=1 / RIDGE, solver="newton-cholesky", tol=1e-8, max_iter=1000)
    found.fit(z, y, sample_weight=sample_weight)
    return np.append(found.coef_[0], found.intercept_)


def gap(decisions: np.ndarray, high: np.ndarray) -> float:
    """Rate of the rows in the high group minus that of the others."""
    return float(decisions[high].mean() - decisions[~high].mean())
