"""Records and outlooks for the tests of planning."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from focuscrawl.recrawl.columns import Numbers, PolicyInput
from focuscrawl.recrawl.state import DAY

NOW = 1.7e9


def column(*values: float) -> Numbers:
    return np.asarray(values, dtype=np.float64)


def outlook(**columns: float) -> PolicyInput:
    """One page, looked at NOW, of usual weight and rate."""
    values = {field.name: 0.0 for field in fields(PolicyInput)}
    values |= {
        "at": NOW,
        "rate": 0.1,
        "weight": 0.5,
        "period": 10.0,
        "least": 1 / 24,
        "longest": 180.0,
        "threshold": 1.0,
    } | columns
    return PolicyInput(**{name: column(value) for name, value in values.items()})


def days(moment: Numbers) -> float:
    """From NOW until the first of these moments."""
    return (float(moment[0]) - NOW) / DAY
