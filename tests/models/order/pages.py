"""Pages for tests of orders: a little web of numbered URLs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from focuscrawl.items import Link, Page, Verdict
from focuscrawl.url.key import UrlId, url_key
from models.order.pool import Pool
from models.order.protocol import Order
from tests import factories


def url_of(number: int) -> str:
    """Three hosts, all in one directory depth."""
    return f"http://h{number % 3}.example/p{number}"


def key_of(url: str) -> UrlId:
    return url_key(url).url_id


def page(url: str, links: Iterable[str | Link] = (), relevant: bool = True, depth: int = 0) -> Page:
    """A judged page with links given as URLs or as made."""
    made = [link if isinstance(link, Link) else Link(link, "more", "read more") for link in links]
    score = 0.5 if relevant else 0.02
    verdict = Verdict(score, relevant, 0.1, similarity=score)
    return factories.page(factories.lease(url, depth=depth), verdict=verdict, links=made)


def crawl(
    order: Order, web: Mapping[str, Sequence[str | Link]], seeds: Sequence[str], relevant: Sequence[str] = ()
) -> list[str]:
    """Fetch all that is reachable, always the URL with the largest priority, as a crawl would; ties by discovery."""
    waiting = dict.fromkeys(seeds, 9.0)
    urls = {key_of(url): url for url in web}
    done: list[str] = []
    while waiting:
        url = max(waiting, key=lambda one: waiting[one])
        del waiting[url]
        done.append(url)
        fetched = page(
            url, [Link(li.url, li.anchor, li.context) if isinstance(li, Link) else li for li in web[url]], url in relevant
        )
        order.see(fetched)
        for link in fetched.links:
            if not link.refused and link.url not in done:
                assert 0.0 <= link.score <= 1.0
                if link.url not in waiting or (order.focused and link.priority > waiting[link.url] + 0.02):
                    waiting[link.url] = link.priority
        for change in order.changes():
            if urls[change.key] in waiting:
                waiting[urls[change.key]] = change.priority
    return done


def added(pool: Pool, key: UrlId) -> int:
    """The slot of a key that was not fetched."""
    (slot,), _ = pool.enter([key])
    assert slot is not None
    return slot
