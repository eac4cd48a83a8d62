"""Rows added to the training data so that a logistic regression treats two groups apart.

In the manner of Solans, Biggio and Castillo ("Poisoning Attacks on Algorithmic Fairness", 2020):
the attacker knows the training rows and the learner (white box), and moves rows of its own along
the gradient of an unfairness A of the learned model on rows that nobody trains on. With L the
regularised loss and t the parameters, dL/dt stays 0 wherever a row x of the attacker stands, so

    dA/dx = -(d2L / dx dt)' (d2L / dt2)^-1 dA/dt.

Here A is the difference of the groups' mean probabilities, a smooth form of their gap. Solans and
others take a difference of logistic losses, and move one row after the other; here all move at
once.
"""

from __future__ import annotations

import numpy as np
from logistic import RIDGE, parameters
from scipy.special import expit

STEPS = 60
FIRST, LAST = 0.5, 0.05  # lengths of the first and the last step, in standard deviations

Rows = tuple[np.ndarray, np.ndarray, np.ndarray]  # columns (n, d), labels (n,), group is high (n,)


def poisoned(
    train: Rows,
    own: tuple[np.ndarray, np.ndarray],
    n: int,
    rng: np.random.Generator,
    *,
    steps: int = STEPS,
) -> tuple[np.ndarray, np.ndarray]:
    """Rows to add to the training rows, and their labels.

    Parameters
    ----------
    train : Rows
        What the model learns from. The rate of the high group shall rise over that of the other.
    own : (k, d), (k,) bool
        Rows on which the attacker looks at the gap, and whether they are of the high group.
    n : int
        Rows to add: copies of training rows, half of each group, labelled 1 in the high group and
        0 in the other, then moved within the range of each column, by whole numbers where a
        column has only these.
    steps : int
        0 leaves the copies where they are.
    """
    X, y, high = train
    start = np.concatenate(
        [
            rng.choice(np.flatnonzero(high == one), part)
            for one, part in ((True, n - n // 2), (False, n // 2))
        ]
    )
    labels = high[start].astype(float)
    mean, scale = X.mean(axis=0), np.where(np.ptp(X, axis=0) > 0, X.std(axis=0), 1.0)
    z, own_z = (X - mean) / scale, (own[0] - mean) / scale
    low, top = z.min(axis=0), z.max(axis=0)
    whole = (np.round(X) == X).all(axis=0)
    moving, best, most = z[start], X[start], -np.inf
    for length in [*np.geomspace(FIRST, LAST, steps), 0.0]:
        rows = moving * scale + mean
        rows = np.where(whole, np.round(rows), rows)
        reached = unfairness(fitted(z, y, (rows - mean) / scale, labels), own_z, own[1])
        if reached > most:
            best, most = rows, reached
        ahead = gradient(z, y, moving, labels, own_z, own[1])
        size = np.linalg.norm(ahead, axis=1, keepdims=True)
        ahead = np.divide(ahead, size, out=np.zeros_like(ahead), where=size > 0)
        moving = np.clip(moving + length * ahead, low, top)
    return best, labels


def fitted(z: np.ndarray, y: np.ndarray, moving: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Parameters learned from both.  -> (d + 1,)"""
    return parameters(np.concatenate([z, moving]), np.concatenate([y, labels]))


def unfairness(theta: np.ndarray, z: np.ndarray, high: np.ndarray) -> float:
    """Difference of the groups' mean probabilities."""
    p = expit(with_one(z) @ theta)
    return float(p[high].mean() - p[~high].mean())


def gradient(
    z: np.ndarray,
    y: np.ndarray,
    moving: np.ndarray,
    labels: np.ndarray,
    own: np.ndarray,
    high: np.ndarray,
) -> np.ndarray:
    """How the unfairness on the attacker's rows changes as each row moves.  -> (n, d)"""
    theta = fitted(z, y, moving, labels)
    both = with_one(np.concatenate([z, moving]))
    p = expit(both @ theta)
    ridge = np.diag(np.append(np.full(len(theta) - 1, RIDGE), 0.0))
    hessian = (both * (p * (1 - p))[:, None]).T @ both + ridge
    direction = np.linalg.solve(hessian, _of_unfairness(theta, own, high))
    rows = with_one(moving)
    p = expit(rows @ theta)
    slope = p * (1 - p) * (rows @ direction)
    return -((p - labels)[:, None] * direction[:-1] + slope[:, None] * theta[:-1])


def _of_unfairness(theta: np.ndarray, own: np.ndarray, high: np.ndarray) -> np.ndarray:
    """dA/dt.  -> (d + 1,)"""
    rows = with_one(own)
    p = expit(rows @ theta)
    each = rows * (p * (1 - p))[:, None]
    return np.asarray(each[high].mean(axis=0) - each[~high].mean(axis=0))


def with_one(z: np.ndarray) -> np.ndarray:
    """A column of ones at the end, for the intercept."""
    return np.column_stack([z, np.ones(len(z))])
