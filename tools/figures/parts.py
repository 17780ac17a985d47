"""What `make figures` measures, part by part. A part yields figures without commit, date and machine; it raises `Skipped` where
what it needs is not there.
"""

from __future__ import annotations

from collections.abc import Callable

from tools.figures.cost import calls, memory, quick, startup, throughput
from tools.figures.crawls import Found
from tools.figures.recorded_webs import webs, webs_http
from tools.figures.synthetic_web import demo, demo900, harvest, http

PARTS: dict[str, Callable[[], Found]] = {
    "demo": demo, "demo900": demo900, "harvest": harvest, "http": http, "webs": webs, "webs-http": webs_http,
    "throughput": throughput, "calls": calls, "memory": memory, "startup": startup, "quick": quick,
}  # fmt: skip
"""In the order of the table."""
