"""Makes sure that `spiders`, `models`, `pipelines` and `middlewares` are this project's.

Scrapy and Scrapyd append a project's root to `sys.path`, so that a foreign package of one of these common names would
win. Importing this module puts our root first, and stops with one sentence when a foreign one was there already.
"""

import importlib.util
import sys
from pathlib import Path

ROOT = str(Path(__file__).parent.parent)
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


_put_first()
_refuse_foreign()
