"""focuscrawl from Python, without Scrapy: score texts and pages, order links, read the store of a crawl.

    from focuscrawl.api import Topic, open_crawl

    topic = Topic(keywords=["telescope", "望远镜"])
    topic.judge("The telescope shows the moons of Jupiter.").relevant
    page = topic.read(body, "https://example.org/")          # text, language, verdict, and links, the best first

    with open_crawl("railways") as crawl:
        for page in crawl.pages():
            print(page.url, page.relevance)
        for found in crawl.search("telescope mirror"):
            print(found.url, found.snippet.text)

Everything here is synchronous and reads only: nothing is fetched, and no store is changed. To run a crawl from a script, see
docs/guides/scripts.md.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from focuscrawl.config.seed_list import known_url
from focuscrawl.crawl.link_rules import LinkRules
from focuscrawl.crawl.relevance.stored_topic import judge_of
from focuscrawl.errors import BadInput, quoted
from focuscrawl.inspect.explained import explained
from focuscrawl.items import Lease, Link, Page, Verdict, whole_text
from focuscrawl.reading.page import read_page
from focuscrawl.report.why import sentence
from focuscrawl.search.query import parse
from focuscrawl.search.searching import CrawlSearch, SearchResult
from focuscrawl.store.crawls import Crawl, choose
from focuscrawl.store.explain import Explanation
from focuscrawl.store.pages.stored import StoredPage, stored_pages
from focuscrawl.store.pages.verdicts import chosen_topic, topics_of
from focuscrawl.store.workers.runs import RunRow, all_runs
from focuscrawl.store.workers.status import store_now
from focuscrawl.text.language import guess
from focuscrawl.text.language_labels import asked
from focuscrawl.text.segment import Segmenter
from focuscrawl.url.key import url_key
from focuscrawl.url.scope import Scope
from models.link.link_score import LinkScorer
from models.page import page_model
from models.page.page_context import model_input, page_context
from models.page.page_model import PageModel, verdict_on
from models.topic.vsm import TopicModel

__all__ = [
    "BadInput", "Explanation", "Link", "Page", "RunRow", "SearchResult", "StoredCrawl", "StoredPage", "Topic", "Verdict",
    "open_crawl",
]  # fmt: skip

PageModelName = Literal["calibrated", "vsm", "naive-bayes"]


class Topic:
    """A topic that judges texts and pages and scores links, as a crawl does. Not safe for use from two threads at once."""

    def __init__(
        self,
        keywords: Sequence[str] = (),
        examples: Sequence[str] = (),
        *,
        negative_examples: Sequence[str] = (),
        languages: Sequence[str] = (),
        model: PageModelName = "calibrated",
    ) -> None:
        """Learn a topic.

        Args:
            keywords: Words of the topic, in any language.
            examples: Texts about the topic; a dozen are better than one.
            negative_examples: Texts that are not.
            languages: Codes such as `zh`; texts in other languages are not relevant. Empty: any language.
            model: The page model, as in the setting RELEVANCE_MODEL.

        Raises:
            BadInput: If neither keywords nor examples have a word that says what the topic is, one is a text in place of a
                list, or a language is not known.
        """
        lists = {
            "keywords": keywords, "examples": examples, "negative_examples": negative_examples, "languages": languages,
        }  # fmt: skip
        for name, given in lists.items():
            if isinstance(given, str):  # a sequence, too: of letters
                raise BadInput(f"{name}: {quoted(given)} is a single text; give a list of texts, such as [{quoted(given)}].")
        try:
            languages = asked(languages)
        except ValueError as error:
            raise BadInput(f"languages: {error}.") from None
        segmenter = Segmenter(keywords)
        fitted = TopicModel.fit(
            segmenter, _numbered(examples), keywords,
            negatives=_numbered(negative_examples), languages=languages,
        )  # fmt: skip
        self._use(page_model.make(model, fitted), segmenter)

    @classmethod
    def _stored(cls, judge: PageModel) -> Topic:
        topic = cls.__new__(cls)
        topic._use(judge, Segmenter.of(judge.topic.evidence.vocabulary))
        return topic

    def _use(self, judge: PageModel, segmenter: Segmenter) -> None:
        self._judge = judge
        self._segmenter = segmenter
        self._scorer = LinkScorer(judge.topic, segmenter)

    @property
    def terms(self) -> dict[str, float]:
        """The topic's terms with their weights, the strongest first. English terms are stemmed."""
        weights = self._judge.topic.weights
        return {term: weights[term] for term in sorted(weights, key=lambda term: (-weights[term], term))}

    def judge(self, text: str, *, title: str = "", url: str = "") -> Verdict:
        """Judge a text: `relevance` in [0, 1], `relevant`, `threshold`, and the `terms` that counted.

        Args:
            text: Main text, any length, Chinese or English or both.
            title: What the page calls itself; its words count with the text, and once more by themselves.
            url: Where it is; words of the URL are a weak hint.
        """
        whole, topic = whole_text(title, text) if title else text, self._judge.topic
        verdict = self._judge.judge(self._segmenter.terms(whole), page_context(title, url, self._segmenter))
        return topic.in_language(verdict, guess(whole).language) if topic.languages else verdict

    def read(self, body: bytes, url: str, content_type: str = "text/html", *, scope: Scope | None = None) -> Page:
        """Read a page or document as a crawl would: charset, main text, language, verdict and links.

        Args:
            body: The page's bytes, decompressed.
            url: Where it was fetched; links are resolved against it.
            content_type: The header's value; its charset is a hint, not a promise.
            scope: Links outside are refused (`link.refused` names the rule).

        Returns:
            A `Page` with `text`, `title`, `language`, `kind`, `verdict` and `links`: first those that a crawl would follow,
            by `score`, then the refused ones. `link.parts` says what a score is made of. A document that cannot be read has
            an `error`: `document` or `encrypted`.

        Raises:
            BadInput: If `url` is not an http or https URL.
        """
        canonical = known_url(url)
        key = url_key(canonical)
        page = Page(Lease(key.hid, key.uid, canonical), canonical, 200, time.time(), body=body, content_type=content_type)
        reading = read_page(body, content_type, canonical)
        page.error = reading.error
        page.charset, page.language, page.kind = reading.charset, reading.language, reading.kind
        page.title, page.text, page.summary = reading.title, reading.text, reading.summary
        page.description, page.keywords, page.links = reading.description, reading.keywords, reading.links
        page.words = self._segmenter.terms(page.whole)
        page.verdict = verdict_on(self._judge, *model_input(page, page.words, self._segmenter), page.language)
        self.score_links(page, scope=scope)
        return page

    def score_links(self, page: Page, *, scope: Scope | None = None) -> list[Link]:
        """Score the links of a judged page, and sort them: those to follow by score, then the refused ones.

        Returns:
            `page.links`, sorted in place.
        """
        LinkRules(scope or Scope()).refuse(page)
        for link in page.links:
            self._scorer.score(link, page)
        page.links.sort(key=lambda link: (bool(link.refused), -link.score))
        return page.links


class StoredCrawl:
    """The store of one crawl, opened for reading; the crawl may be running. Use it as a context manager."""

    def __init__(self, crawl: Crawl) -> None:
        """Raises BadInput if the store cannot be read."""
        self._crawl = crawl
        self.name = crawl.name
        self.directory = crawl.directory
        self._db = crawl.open()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._db.close()

    def pages(self, *, everything: bool = False, topic: str = "") -> Iterator[StoredPage]:
        """The stored pages in the order of storing, in constant memory.

        Args:
            everything: All pages with status 200; by default the relevant ones that repeat no other, may be indexed and are
                not gone.
            topic: Relevant to this topic, in a crawl of several.
        """
        return stored_pages(self._db, everything=everything, topic=topic)

    def search(self, words: str, limit: int = 10, *, everything: bool = False) -> list[SearchResult]:
        """The pages that say this, best first, near-duplicates folded.

        Args:
            words: As `scrapy search` takes them: words, "phrases", -word, site:, lang:, title:, after:, before:.
            limit: Pages at most.
            everything: Off-topic pages too.

        Returns:
            Results with `url`, `title`, `score`, `snippet` (`.text`, or `.html` with the words marked), `language`,
            `relevance`, `published`, `fetched_at` and `duplicates`.

        Raises:
            BadInput: If the words cannot be searched for.
        """
        query = replace(parse(words), relevant=not everything)
        with closing(CrawlSearch(self._crawl)) as search:
            return search.search(query, limit)

    def runs(self) -> list[RunRow]:
        """What ran so far, oldest first, with counts, times (epoch seconds) and stop reasons."""
        return all_runs(self._db)

    def explain(self, url: str) -> Explanation:
        """Everything that the store knows about one URL. Raises BadInput for what is not a URL."""
        return explained(self._db, known_url(url))

    def why(self, url: str) -> str:
        """Why this URL was fetched, waits or was refused, in a sentence. Raises BadInput for what is not a URL."""
        return sentence(self.explain(url), store_now(self._db))

    def topic(self, name: str = "", *, model: PageModelName = "calibrated") -> Topic:
        """The crawl's topic with all that it has learned. `name`: which one, in a crawl of several.

        Raises:
            BadInput: If the crawl has no topic yet, or none of that name.
        """
        judge = judge_of(self._db, chosen_topic(topics_of(self._db), name), model, time.time())
        if judge is None:
            raise BadInput(f"crawl {self.name!r} has no topic yet; let it fetch its first pages")
        return Topic._stored(judge)


def open_crawl(name: str = "", crawls_dir: str | Path = "crawls") -> StoredCrawl:
    """Open the store of a crawl for reading.

    Args:
        name: The crawl's name; empty for the latest.
        crawls_dir: The setting CRAWLS_DIR.

    Raises:
        BadInput: If there is no such crawl, with the nearest name, or its store cannot be read.
    """
    return StoredCrawl(choose(Path(crawls_dir), name))


def _numbered(texts: Sequence[str]) -> list[tuple[str, str]]:
    """The texts with names, each behind an empty title."""
    return [(f"text {number}", f"\n{text}") for number, text in enumerate(texts, 1)]
