"""The engines of a store, for tests that run with each."""

from __future__ import annotations

import pytest

ENGINES = ["sqlite", pytest.param("postgresql", marks=pytest.mark.system)]
