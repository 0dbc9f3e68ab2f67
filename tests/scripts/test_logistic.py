"""scripts/logistic.py: weights that tell two groups apart, and how well a score does."""

from __future__ import annotations

import logistic
import numpy as np
import pytest


def test_the_weights_tell_the_groups_apart() -> None:
    inputs = np.array([[1.0, x] for x in (-3.0, -2.0, -1.0, -0.5, 0.5, 1.0, 2.0, 3.0)])
    wanted = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 1.0])
    weights = logistic.fit(inputs, wanted, 0.1)
    assert weights[1] > 0
    assert abs(weights[0]) < 1e-6
    found = logistic.chances(inputs, weights)
    assert found[0] < 0.5 < found[-1]
    # At the optimum the slope is that of the penalty.
    assert inputs.T @ (wanted - found) == pytest.approx(0.1 * weights, abs=1e-6)


def test_importance_moves_the_chance() -> None:
    inputs, wanted = np.ones((2, 1)), np.array([1.0, 0.0])
    assert logistic.chances(inputs, logistic.fit(inputs, wanted, 1e-9))[0] == pytest.approx(0.5)
    heavy = logistic.fit(inputs, wanted, 1e-9, np.array([3.0, 1.0]))
    assert logistic.chances(inputs, heavy)[0] == pytest.approx(0.75)


def test_area_counts_pairs_and_halves_ties() -> None:
    assert logistic.area(np.array([2.0, 3.0]), np.array([1.0])) == 1.0
    assert logistic.area(np.array([1.0]), np.array([1.0])) == 0.5
    assert logistic.area(np.array([0.0, 2.0]), np.array([1.0])) == 0.5
