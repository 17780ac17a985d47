from __future__ import annotations

import logging
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request, signals
from scrapy.exceptions import NotConfigured
from scrapy.settings import Settings
from scrapy.signalmanager import SignalManager

from focuscrawl.scrapy_side.contact import ContactReminder


def crawler_with(contact: str) -> Any:
    return SimpleNamespace(settings=Settings({"CONTACT": contact}), signals=SignalManager())


def ask(crawler: Any, address: str) -> None:
    request = Request("http://a.test/", meta={"ip_address": address} if address else {})
    crawler.signals.send_catch_log(signals.request_reached_downloader, request=request, spider=None)


def test_one_warning_for_public_addresses_only(caplog: pytest.LogCaptureFixture) -> None:
    crawler = crawler_with("")
    extension = ContactReminder.from_crawler(crawler)
    with caplog.at_level(logging.WARNING):
        for address in ("127.0.0.1", "", "10.0.0.1", "::1"):
            ask(crawler, address)
        assert not caplog.records
        for address in ("93.184.215.14", "2606:2800:21f::1"):
            ask(crawler, address)
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "CONTACT" in caplog.text
    assert extension is not None


def test_nothing_to_say_with_a_contact() -> None:
    with pytest.raises(NotConfigured):
        ContactReminder.from_crawler(crawler_with("me@example.org"))
