"""Marks for tests that run with one store, where the other shows nothing more. Without a mark a test runs with both."""

from __future__ import annotations

import pytest

sqlite_only = pytest.mark.parametrize("store", ["sqlite"], indirect=True)
postgresql_only = pytest.mark.parametrize("store", ["postgresql"], indirect=True)
