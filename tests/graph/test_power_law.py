"""Exponents of numbers that were drawn from known laws."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from focuscrawl.graph.power_law import PowerLaw, fit

LARGEST = 1_000_000


def drawn(alpha: float, xmin: int, number: int, seed: int = 1) -> npt.NDArray[np.int64]:
    values = np.arange(xmin, LARGEST)
    shares = values ** -float(alpha)
    return np.random.default_rng(seed).choice(values, number, p=shares / shares.sum())


@pytest.mark.parametrize(("alpha", "xmin"), [(2.1, 1), (2.45, 1), (2.45, 6), (3.0, 2)])
def test_a_power_law_is_found_with_its_exponent(alpha: float, xmin: int) -> None:
    found = fit(drawn(alpha, xmin, 20_000))
    assert found is not None
    assert found.alpha == pytest.approx(alpha, abs=3 * found.error)
    assert found.error < 0.03
    assert found.plausible


def test_a_tail_is_found_behind_other_values() -> None:
    body = np.random.default_rng(2).integers(1, 20, 20_000)
    found = fit(np.concatenate([body, drawn(2.5, 20, 20_000)]))
    assert found is not None
    assert 18 <= found.xmin <= 30
    assert found.alpha == pytest.approx(2.5, abs=0.06)
    assert found.plausible


@pytest.mark.parametrize("numbers", ["geometric", "lognormal"])
def test_other_laws_are_ruled_out(numbers: str) -> None:
    random = np.random.default_rng(3)
    other = {"geometric": random.geometric(0.05, 50_000), "lognormal": random.lognormal(3, 0.7, 50_000) + 1}
    found = fit(other[numbers].astype(np.int64))
    assert found is not None
    assert not found.plausible


def test_what_falls_off_faster_than_any_power_is_said() -> None:
    found = fit(np.random.default_rng(4).poisson(50, 20_000))
    assert found is not None
    assert found.too_steep
    assert not found.plausible


@pytest.mark.parametrize("values", [[], [0] * 500, [1, 2] * 500, [1, 2, 3, 4, 5, 6]])
def test_too_few_values_say_nothing(values: list[int]) -> None:
    assert fit(values) is None


def test_the_p_value_of_true_laws_is_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under the law p is about uniform: of 40 samples 4 should fall below .1, 14 or more would not."""
    monkeypatch.setattr("focuscrawl.graph.power_law.REPLICATES", 40)
    found = [fit(drawn(2.3, 1, 1000, seed)) for seed in range(40)]
    low = sum(isinstance(law, PowerLaw) and not law.plausible for law in found)
    assert low < 12
    assert all(isinstance(law, PowerLaw) and law.alpha == pytest.approx(2.3, abs=0.35) for law in found)
