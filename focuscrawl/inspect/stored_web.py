"""The stored pages and links of one crawl, for replays without a network."""

from __future__ import annotations

from collections.abc import Sequence

from focuscrawl.inspect.replay import PageFinder, ReplayedPage
from focuscrawl.items import Link, whole_text
from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages.fetch_log import redirect_targets
from focuscrawl.store.pages.page_texts import ReplayablePage, replayable_pages, stored_seeds, text_and_links
from focuscrawl.text.segment import Segmenter
from focuscrawl.url.key import UrlId, url_key

DECIDED_AGAIN = frozenset({"tunnel", "yield", "mirror", "depth", "duplicate"})
"""Rules whose refusals depend on what the crawl had met before. Another order meets other pages, so they are asked again. What
other rules refused, such as scope and shape, stays refused."""
KEPT_WORDS = 50_000
"""Most pages whose terms stay in memory, some 5 KB each, because cutting a page takes longer than the rest of its replay."""


class StoredWeb:
    """Implements `focuscrawl.inspect.replay.ReplayWeb` over a store that may be in use."""

    def __init__(self, db: Database, segmenter: Segmenter, topic: str = "") -> None:
        """`topic`: the topic whose verdicts count, in a crawl of several."""
        self._db, self._segmenter = db, segmenter
        self.pages: dict[int, ReplayablePage] = {page.page_id: page for page in replayable_pages(db, topic)}
        """The pages by page_id, in the order in which they were stored."""
        self._page_ids: dict[UrlId, int] = {page.url_id: page.page_id for page in self.pages.values()}
        targets = redirect_targets(db).items()
        self._page_ids |= {start: self._page_ids[target] for start, target in targets if target in self._page_ids}
        self.seeds: Sequence[str] = stored_seeds(db)
        self.find = PageFinder(lambda url: self._page_ids.get(url_key(url).url_id))
        self._words: dict[int, list[str]] = {}

    def read(self, number: int) -> ReplayedPage:
        """The page with this page_id; its links are fresh objects."""
        page = self.pages[number]
        text, links = text_and_links(self._db, number)
        words = self._words.get(number)
        if words is None:
            words = self._segmenter.terms(whole_text(page.title, text))
            if len(self._words) < KEPT_WORDS:
                self._words[number] = words
        return ReplayedPage(
            page.url, words, fresh(links), page.kind, page.title, page.fetched_at, page.group, page.digest, text,
            language=page.language, noindex=page.noindex,
        )  # fmt: skip


def fresh(links: list[Link]) -> list[Link]:
    """The same links, changed in place: without scores, and without refusals by the rules of DECIDED_AGAIN."""
    for link in links:
        link.score, link.parts = 0.0, {}
        if link.refused in DECIDED_AGAIN:
            link.refused = ""
    return links
