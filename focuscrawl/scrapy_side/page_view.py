"""What the topic spider makes of one page, for `scrapy parse --spider=topic URL`: no crawl, no store, nothing is written.

The page is read as in a crawl, and its links pass the rules that hold without one (form, shape, `nofollow`). What a topic says
of it is for `scrapy trace URL --fetch`, which has the topic of a crawl.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from scrapy.http import Request, Response

from focuscrawl.crawl.link_rules import LinkRules
from focuscrawl.crawl.page_reading import set_facts
from focuscrawl.items import Lease, Link, Page
from focuscrawl.reading.page import read_page
from focuscrawl.scrapy_side.responses import page_of
from focuscrawl.url.key import url_key
from focuscrawl.url.normalize import normalize
from focuscrawl.url.scope import Scope

LONGEST_TEXT = 2000
"""Characters of the main text that the item has."""


class PageView:
    """Shows pages as items and their links as requests. `agent`: our product token in robots directives."""

    def __init__(self, agent: str) -> None:
        self._agent = agent
        self._rules = LinkRules(Scope())

    def show(self, response: Response) -> Iterator[dict[str, Any] | Request]:
        """The item, then a request for every link that would enter the frontier."""
        page = self._page(response)
        yield item_of(page)
        for link in page.links:
            if not link.refused:
                yield Request(link.url)

    def _page(self, response: Response) -> Page:
        assert response.request is not None
        url = normalize(response.url) or response.url
        hid, uid = url_key(url).url_id
        response.request.meta["lease"] = Lease(hid, uid, url)
        page = page_of(response, time.time())
        if page.ok:
            reading = read_page(page.body, page.content_type, page.url)
            if reading.error:
                page.error = reading.error
            else:
                set_facts(page, reading, self._agent)
                self._rules.refuse(page)
        return page


def item_of(page: Page) -> dict[str, Any]:
    """The fields of a page that say what was read."""
    values = {
        "url": page.url,
        "status": page.status,
        "error": page.error,
        "redirect": page.redirect,
        "content_type": page.content_type,
        "charset": page.charset,
        "truncated": page.truncated,
        "language": page.language,
        "kind": page.kind,
        "title": page.title,
        "keywords": page.keywords,
        "description": page.description,
        "summary": page.summary,
        "text": page.text[:LONGEST_TEXT],
        "text_length": len(page.text),
        "noindex": page.noindex,
        "nofollow": page.nofollow,
        "links": [_link(link) for link in page.links],
    }
    return {name: value for name, value in values.items() if value not in ("", False)}


def _link(link: Link) -> dict[str, Any]:
    values = {"url": link.url, "anchor": link.anchor, "position": link.position, "refused": link.refused}
    return {name: value for name, value in values.items() if value}
