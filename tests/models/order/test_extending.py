"""The order strategy of docs/extending.md, run as it stands there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from models.order.protocol import OrderContext
from tests.models.order.pages import page

GUIDE = Path(__file__).resolve().parents[3] / "docs/extending.md"
(CODE,) = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)


def test_the_order_in_the_guide_prefers_short_urls(context: OrderContext) -> None:
    names: dict[str, Any] = {}
    exec(CODE, names)
    order = names["ShortUrlsOrder"](context)
    shown = page("http://a.example/", ["http://b.example/", "http://b.example/rather/long"])
    order.see(shown)
    assert [round((link.score - link.priority) * 10_000) for link in shown.links] == [len(link.url) for link in shown.links]
    assert order.focused
    assert order.changes() == []
