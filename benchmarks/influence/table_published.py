"""Medians that the paper prints in its Tables 1 and 2; None where it prints a dash."""

from __future__ import annotations

Row = tuple[float | None, ...]

# statistical parity: SHAP, FairXplainer of order 1, of order 2
TABLE_1: dict[tuple[str, str], Row] = {
    ("Titanic", "LR"): (2.018, 0.218, 0.003),
    ("Titanic", "SVM"): (1.000, 0.137, 0.000),
    ("Titanic", "NN"): (None, 0.215, 0.003),
    ("Titanic", "DT"): (0.018, 0.396, 0.079),
    ("German", "LR"): (0.361, 0.205, None),
    ("German", "SVM"): (0.676, 0.218, None),
    ("German", "NN"): (None, 0.181, 0.001),
    ("German", "DT"): (0.000, 0.262, 0.001),
    ("COMPAS", "LR"): (0.468, 0.118, 0.056),
    ("COMPAS", "SVM"): (0.360, 0.037, 0.020),
    ("COMPAS", "NN"): (None, 0.108, 0.053),
    ("COMPAS", "DT"): (0.041, 0.087, 0.055),
    ("Adult", "LR"): (2.751, 0.109, 0.011),
    ("Adult", "SVM"): (0.963, 0.095, 0.001),
    ("Adult", "NN"): (None, 0.067, 0.000),
    ("Adult", "DT"): (0.027, 0.146, 0.081),
}

# equalized odds: SHAP, orders 1 and 2; predictive parity: orders 1 and 2
TABLE_2: dict[tuple[str, str], Row] = {
    ("Titanic", "LR"): (1.697, 0.000, 0.000, 0.251, 0.148),
    ("Titanic", "SVM"): (1.000, 0.000, 0.000, 0.092, 0.045),
    ("Titanic", "NN"): (None, 0.000, 0.000, 0.349, 0.171),
    ("Titanic", "DT"): (0.074, 0.185, 0.059, 0.097, 0.097),
    ("German", "LR"): (0.382, 0.109, 0.001, 0.075, 0.001),
    ("German", "SVM"): (0.435, 0.082, None, 0.060, 0.001),
    ("German", "NN"): (None, 0.149, 0.000, 0.184, 0.000),
    ("German", "DT"): (0.000, 0.000, 0.000, 0.000, 0.000),
    ("COMPAS", "LR"): (0.380, 0.167, 0.071, 0.201, 0.214),
    ("COMPAS", "SVM"): (0.481, 0.043, 0.024, 0.124, 0.117),
    ("COMPAS", "NN"): (None, 0.143, 0.055, 0.078, 0.129),
    ("COMPAS", "DT"): (0.071, 0.069, 0.031, 0.348, 0.340),
    ("Adult", "LR"): (1.647, 0.186, 0.013, 0.090, 0.002),
    ("Adult", "SVM"): (0.703, 0.081, 0.001, 0.109, 0.002),
    ("Adult", "NN"): (None, 0.077, 0.000, 0.091, 0.002),
    ("Adult", "DT"): (0.062, 0.263, 0.190, 0.216, 0.203),
}
