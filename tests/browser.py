"""Debian's Chromium for browser tests, driven by Playwright, whose own browsers are not needed."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess

NAMES = ("chromium", "chromium-browser", "google-chrome")
APT = ("apt-get", "-o", "DPkg::Lock::Timeout=120", "install", "-y", "-qq", "--no-install-recommends", "chromium")
SECONDS = 400.0


class Unavailable(Exception):
    """There is no browser, and why, in one sentence."""


@functools.cache
def chromium() -> str:
    """Its program; where it is missing, apt-get gets it for root. Raises Unavailable."""
    if found := _found():
        return found
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        raise Unavailable("no Chromium is installed here; on Debian, 'apt install chromium' brings one")
    for command in (APT, ("apt-get", "update", "-qq"), APT):
        subprocess.run(command, capture_output=True, check=False, timeout=SECONDS)
        if found := _found():
            return found
    raise Unavailable("no Chromium is installed here, and apt-get could not install one")


def _found() -> str:
    return next((path for name in NAMES if (path := shutil.which(name))), "")
