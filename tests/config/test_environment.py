"""Settings from the environment."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from focuscrawl.config.environment import from_environment

ROOT = Path(__file__).parents[2]


def test_only_settings_are_taken() -> None:
    given = {
        "FOCUSCRAWL_CRAWLS_DIR": "/srv/crawls", "FOCUSCRAWL_JOB_ROOTS": "/srv", "CRAWLS_DIR": "/x", "FOCUSCRAWL_os": "y",
        "FOCUSCRAWL___name__": "z", "FOCUSCRAWL_": "", "focuscrawl_CONTACT": "a",
        "FOCUSCRAWL_CONTACT": "",
    }  # fmt: skip
    assert from_environment(given, {"CRAWLS_DIR", "CONTACT", "os", "__name__"}) == {"CRAWLS_DIR": "/srv/crawls"}


@pytest.mark.system
def test_the_environment_beats_the_defaults() -> None:
    program = "from focuscrawl import settings; print(settings.CRAWLS_DIR, settings.POLITENESS_DELAY, settings.CONTACT)"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT, env=os.environ | {"FOCUSCRAWL_CRAWLS_DIR": "/srv/crawls", "FOCUSCRAWL_CONTACT": "you@example.org"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.split() == ["/srv/crawls", "1.0", "you@example.org"]
