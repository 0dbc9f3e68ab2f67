"""Logistic regression in numpy, and how well a score tells two groups apart: what the fit scripts share."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.float64]


def fit(inputs: Rows, wanted: Rows, penalty: float, importance: Rows | None = None, rounds: int = 60) -> Rows:
    """Weights of the columns of `inputs` (one row an example) for `wanted` (0 or 1 each), by Newton's method.

    `penalty` is that of the squared weights; `importance` weighs the examples, all alike without it.
    """
    weigh = np.ones(len(wanted)) if importance is None else importance
    weights = np.zeros(inputs.shape[1])
    for _ in range(rounds):
        share = chances(inputs, weights)
        slope = inputs.T @ (weigh * (wanted - share)) - penalty * weights
        bend = (inputs * (weigh * share * (1.0 - share))[:, None]).T @ inputs + penalty * np.eye(len(weights))
        weights = weights + np.linalg.solve(bend, slope)
    return weights


def chances(inputs: Rows, weights: Rows) -> Rows:
    """The logistic curve: the chance of each row, 0..1."""
    found: Rows = 1.0 / (1.0 + np.exp(-inputs @ weights))
    return found


def area(good: Rows, bad: Rows) -> float:
    """AUROC: how often a score of `good` lies above one of `bad`; a tie counts half."""
    above = (good[:, None] > bad[None, :]).mean()
    return float(above + (good[:, None] == bad[None, :]).mean() / 2)
