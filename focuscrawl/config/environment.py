"""What depends on the process's environment: which packages are imported, how many threads NumPy has, and settings such as
FOCUSCRAWL_CRAWLS_DIR=/srv/crawls.

Scrapy and Scrapyd append a project's root to `sys.path`, so that a foreign package named `spiders`, `models`, `pipelines` or
`middlewares` would win. Importing this module puts our root first, and ends the program with one sentence if a foreign package
was imported already.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Collection, Mapping
from pathlib import Path

PREFIX = "FOCUSCRAWL_"


def from_environment(environment: Mapping[str, str], names: Collection[str]) -> dict[str, str]:
    """The settings among `names` that the environment gives, as text. An empty variable gives nothing, and `-s` beats them.

    Other variables with the prefix are not refused here, which every command runs, but where a crawl starts
    (`config.given_settings`).
    """
    given = {name.removeprefix(PREFIX): value for name, value in environment.items() if name.startswith(PREFIX)}
    return {name: value for name, value in given.items() if value and name.isupper() and name in names}


ROOT = str(Path(__file__).parents[2])
"""The folder of our top-level packages: a checkout, or an egg of Scrapyd."""
OURS = ("spiders", "middlewares", "pipelines", "models")


def _put_first() -> None:
    if sys.path[:1] != [ROOT]:
        sys.path[:] = [ROOT, *(entry for entry in sys.path if entry != ROOT)]


def _refuse_foreign() -> None:
    for name in OURS:
        spec = importlib.util.find_spec(name)
        origin = (spec.origin or "") if spec else ""
        if not origin.startswith(ROOT):
            sys.exit(
                f"focuscrawl: the package {name!r} comes from {origin or 'nowhere'} instead of {ROOT}; "
                "use an environment of its own for this project"
            )


def _one_thread_for_numpy() -> None:
    """OpenBLAS starts a thread for each core and lets them spin between two products. Ours are small: the threads took 1 to
    2 ms of CPU a page and made nothing faster. OpenBLAS reads the variable when NumPy is imported; a value that the user has
    set stays."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


_put_first()
_refuse_foreign()
_one_thread_for_numpy()
