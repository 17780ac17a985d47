"""The private parts of Scrapy that we touch are there in the Scrapy that is installed, and nowhere else do we reach for any."""

from __future__ import annotations

import argparse
import ast
import asyncio
import inspect
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Spider
from scrapy.commands import parse
from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler, _LenientHTTP11ClientProtocol
from scrapy.core.engine import ExecutionEngine
from scrapy.core.scraper import Scraper
from scrapy.crawler import Crawler
from scrapy.utils.test import get_crawler
from twisted.web._newclient import HTTPClientParser

from focuscrawl.scrapy_side import compat

ROOT = Path(__file__).parents[2]
PRODUCT = ("focuscrawl", "spiders", "middlewares", "pipelines")
OWN = ("self", "cls")
FOR_SUBCLASSES = {"_create_crawler"}
"""What Scrapy's commands call on themselves: `scrapy crawl` is such a command."""


def test_a_crawler_has_no_engine_before_it_crawls() -> None:
    crawler = get_crawler()
    assert compat.engine_of(crawler) is None
    assert not compat.is_running(crawler)
    compat.wake_engine(crawler)
    compat.end_idle_close(crawler)


def test_the_engine_is_found_where_scrapy_keeps_it() -> None:
    crawler = get_crawler()
    engine: Any = SimpleNamespace(running=True, _slot=None, scraper=SimpleNamespace(slot=None))
    crawler.engine = engine
    assert compat.engine_of(crawler) is engine
    assert compat.is_running(crawler)


def test_waking_asks_the_engine_to_ask_the_scheduler() -> None:
    asked: list[float] = []
    crawler = get_crawler()
    slot = SimpleNamespace(nextcall=SimpleNamespace(schedule=lambda: asked.append(1)))
    crawler.engine = SimpleNamespace(_slot=slot)  # type: ignore[assignment]
    compat.wake_engine(crawler)
    assert asked == [1]


@pytest.mark.parametrize(
    ("owner", "names"),
    [
        (Crawler.__init__, ["_engine"]),
        (ExecutionEngine.__init__, ["_slot", "scraper", "running"]),
        (ExecutionEngine.open_spider_async, ["nextcall", "_Slot("]),
        (Scraper, ["_check_if_closing", "slot", "closing"]),
        (HTTP11DownloadHandler.__init__, ["_pool", "_factory", "_LenientHTTP11ClientFactory"]),
        (_LenientHTTP11ClientProtocol.request, ["self._parser.__class__ = _LenientHTTPClientParser"]),
        (HTTPClientParser, ["allHeadersReceived", "connHeaders", "Transfer-Encoding"]),
    ],
)
def test_scrapy_has_what_we_reach_for(owner: Any, names: list[str]) -> None:
    """A new Scrapy in which one of these is missing would not raise but make a crawl slow or hang."""
    source = inspect.getsource(owner)
    assert [name for name in names if name not in source] == []


def test_handlers_get_our_protocol() -> None:
    handler: Any = SimpleNamespace(_pool=SimpleNamespace(_factory=None))
    compat.limit_answers(handler, 30.0)
    built = handler._pool._factory(None, None).buildProtocol(None)
    assert isinstance(built, compat.LimitedProtocol)


def test_an_idle_close_is_checked_and_another_is_not() -> None:
    checked: list[str] = []
    crawler = get_crawler()

    def closing(name: str, closing: object) -> None:
        slot = SimpleNamespace(closing=closing)
        scraper = SimpleNamespace(slot=slot, _check_if_closing=lambda: checked.append(name))
        crawler.engine = SimpleNamespace(scraper=scraper)  # type: ignore[assignment]
        compat.end_idle_close(crawler)

    closing("open", None)
    closing("waits", SimpleNamespace(called=False))
    closing("closed", SimpleNamespace(called=True))
    assert checked == ["waits"]


def test_the_parse_command_is_known_by_the_start_that_it_sets() -> None:
    class Plain(Spider):
        name = "plain"

    assert not compat.is_for_parse_command(Plain)
    command: Any = parse.Command()
    command.crawler_process = SimpleNamespace(spider_loader=SimpleNamespace(load=lambda name: Plain))
    command.set_spidercls("http://a.test/", SimpleNamespace(spider="plain"))
    assert compat.is_for_parse_command(Plain)


def test_no_other_module_reaches_for_private_parts() -> None:
    """Attributes with an underscore of anything but `self`, `cls` and classes of the same module, and imports of such names."""
    found = [
        f"{path.relative_to(ROOT)}:{line} {name}"
        for folder in PRODUCT
        for path in sorted((ROOT / folder).rglob("*.py"))
        if path != Path(compat.__file__) and imports_scrapy(path)
        for line, name in private_names(path)
    ]
    assert found == []


def imports_scrapy(path: Path) -> bool:
    return re.search(r"^\s*(from|import) (scrapy|twisted)\b", path.read_text(encoding="utf-8"), re.MULTILINE) is not None


def private_names(path: Path) -> list[tuple[int, str]]:
    """Underscored names that are used in a module and not defined there."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    own = {*FOR_SUBCLASSES, *_of_argparse()}
    own |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and _is_own(node.value):
            own.add(node.attr)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            own.add(node.target.id)
        elif isinstance(node, ast.Assign):
            own.update(target.id for target in node.targets if isinstance(target, ast.Name))
    used = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and _is_private(node.attr) and node.attr not in own:
            used.append((node.lineno, node.attr))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in ("scrapy", "twisted"):
            used += [(node.lineno, alias.name) for alias in node.names if _is_private(alias.name)]
    return used


def _of_argparse() -> set[str]:
    """The command line reaches into argparse: that is the standard library, which changes with Python and not with Scrapy."""
    return set(re.findall(r"self\.(_\w+)", inspect.getsource(argparse)))


def _is_own(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in OWN


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def test_an_engine_is_woken_at_once() -> None:
    """With the real class that the engine keeps: `schedule` runs it in the next turn of the loop, not at a heartbeat."""
    from scrapy.utils.reactor import CallLaterOnce

    assert "schedule" in vars(CallLaterOnce)
    assert asyncio.iscoroutinefunction(ExecutionEngine.close_spider_async)
