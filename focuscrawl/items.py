"""The program's vocabulary: what travels from the frontier through fetch, reading and judging to the one commit.

Plain data, no behavior beyond small derived properties; imports nothing of ours but the key of a URL and the outline of a
text, so that every room above may use it. Times are seconds since the epoch (float). `hid` and `uid` are the two numbers of a
URL's key (`focuscrawl.url.key`).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Annotated, Any, TypeAlias

from focuscrawl.text.blocks import Outline
from focuscrawl.url.key import UrlId, UrlKey, url_key

LINK, SEED, EXAMPLE, SITEMAP, FEED, SOFT404_PROBE = range(6)
"""Kinds of URLs, as the store keeps them. Sitemaps and feeds tell of pages; a probe is an address that cannot be, which shows
what a host says then."""
SOURCES = frozenset({SITEMAP, FEED})


Int16 = Annotated[int, "16 bits"]
Int64 = Annotated[int, "64 bits"]
Hash64 = Annotated[int, "64 bits, unsigned"]
PackedText = Annotated[str, "compressed"]
"""How the store keeps a field of a record, where its type alone does not say it: see `focuscrawl.store.engines.records`."""
Names: TypeAlias = tuple[str, ...]
Terms: TypeAlias = tuple[tuple[str, float], ...]
"""Terms with their shares of a score, the largest first."""
Features: TypeAlias = tuple[int, ...]
"""64-bit hashes of shingles or winnowed k-grams."""


@dataclass(slots=True, frozen=True)
class Lease:
    """The right of one worker to fetch one URL now; it ends with exactly one commit or by being taken back."""

    hid: int
    uid: int
    url: str
    priority: float = 0.0
    """What the frontier sorts by, larger first."""
    depth: int = 0
    """Clicks from a seed."""
    distance: int = 0
    """Tunnelling depth: irrelevant pages in a row on the way here (0: the parent is relevant or a seed)."""
    tries: int = 0
    """Failed tries so far."""
    crashes: int = 0
    """Times a worker died while it parsed this URL."""
    hops: int = 0
    """Redirects that led here."""
    parent: str = ""
    """URL of the page whose link gave this score; empty for a seed."""
    example: bool = False
    """An example page of the topic: relevant by definition, fetched first."""
    robots: bool = False
    """Not a page: the robots.txt of this origin, fetched under the host's politeness."""
    ip_address: str = ""
    """Of the host, as far as known: a place on it was taken with the lease."""
    etag: str = ""
    last_modified: str = ""
    length: int = -1
    """Content-Length of the stored version; -1: it was not told."""
    kind: int = LINK
    revisit: bool = False
    """It was fetched before, and is revisited."""
    trusted: bool = False
    """When the headers of the answer agree with those of the stored version, the body need not be read."""
    stored_at: float = 0.0
    """When the stored version was fetched, as its archived response says; 0: not known."""
    at: float = field(default=0.0, compare=False)
    """When it was given, by the store's clock: the delay of the IP address counts from then."""
    probe: bool = field(default=False, compare=False)
    """Its host has failed again and again, and is asked whether it is back: a failure says little of this URL."""

    @property
    def url_id(self) -> UrlId:
        """(hid, uid)"""
        return self.hid, self.uid


@dataclass(slots=True)
class Link:
    """A link as read from a page, later with its score or the rule that refused it."""

    url: str
    """Normalized, absolute."""
    anchor: str = ""
    context: str = ""
    """Text under the aggregation node (the parent of the link's element), anchor included, capped."""
    position: str = ""
    """Path of tags and first classes from the root to the link, digits removed: `body/div.main/ul/li/a`."""
    rel: tuple[str, ...] = ()
    in_site: bool = True
    score: float = 0.0
    """In [0, 1]: how promising."""
    parts: dict[str, float] = field(default_factory=dict)
    """What the score is made of, by name: the recorded reason."""
    refused: str = ""
    """Name of the rule that refused the link; empty when it enters the frontier."""
    priority: float = 0.0
    """What the frontier sorts by, larger first: the order strategy's word."""
    _key: UrlKey | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def key(self) -> UrlKey:
        """The key of `url`, computed when it is first asked for: many links are refused before anybody does."""
        if self._key is None:
            self._key = url_key(self.url)
        return self._key

    def plain(self) -> dict[str, Any]:
        """The fields as plain values, for JSON; the key follows from `url`."""
        values = asdict(self)
        del values["_key"]
        return values


@dataclass(slots=True, frozen=True)
class SourceEntry:
    """What a sitemap or feed tells of a page."""

    url: str
    """Normalized."""
    modified: float = 0.0
    """Epoch seconds; 0: not told."""
    title: str = ""
    summary: str = ""


@dataclass(slots=True, frozen=True)
class PageSignature:
    """What two versions of a page are compared by: the words of title and main text, numbers and dates apart; in a table of
    numbers those, too."""

    digest: bytes = b""
    """16 bytes of the words in order; empty when none were read."""
    simhash: int = 0
    """64 bits, unsigned."""
    runs: bytes = b""
    """64 bytes, a sketch of the runs of words; empty for a short text, and of versions from before there was one."""
    numbers: bytes = b""
    """72 bytes, a digest of the numbers in order and a sketch of their runs; empty where the page is no table of numbers."""


@dataclass(slots=True, frozen=True)
class Verdict:
    """The topic model's word on a text."""

    relevance: float
    """The page model's score, in [0, 1]."""
    relevant: bool
    threshold: float
    terms: Terms = ()
    """Those that counted."""
    similarity: float = 0.0
    """Cosine of the page's text with the topic, equation 2; what link scores use."""


@dataclass(slots=True, frozen=True)
class Fingerprint:
    """What duplicates are found by."""

    digest: bytes = b""
    """16 bytes of the normalized text; empty when there is no text to compare."""
    simhash: int = 0
    """64 bits, unsigned."""
    features: Features = ()
    """Empty for the simhash method."""


@dataclass(slots=True, frozen=True)
class Duplicate:
    """A page's text was there before."""

    original: int
    """Page id (`page_id`) of the original."""
    url: str
    kind: str
    """`exact` or `near`."""
    similarity: float


@dataclass(slots=True)
class Page:
    """One fetched URL with all that was read from it and decided about it. Failures and redirects are Pages too."""

    lease: Lease
    url: str
    status: int = 0
    """HTTP status; 0 when no answer came."""
    fetched_at: float = 0.0
    latency: float = 0.0
    """Seconds from request to complete answer."""
    ip_address: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    request_headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    certificate: str = ""
    """Over TLS, `valid`, or what is wrong with the host's certificate, with commas between: `name`, `expired`, `early` (its
    time has not come), `self-signed`, `issuer`, `weak`, `invalid`."""
    truncated: str = ""
    """Why the body is not whole: `length`, `time` (we cut it), `disconnect` (the server did), `coding` (its content coding
    broke off or is corrupt); empty when it is."""
    error: str = ""
    """What failed, as a short name (`dns`, `timeout`, `connect`, `robots`, `type`, `parse`, …); empty when fine."""
    redirect: str = ""
    """Normalized target of a redirect answer."""
    retry_after: float | None = None
    """Seconds, from a Retry-After header."""

    content_type: str = ""
    charset: str = ""
    language: str = ""
    """`zh`, `en` or another ISO 639-1 code; empty when unknown."""
    title: str = ""
    keywords: str = ""
    description: str = ""
    summary: str = ""
    text: str = ""
    """Main text."""
    words: list[str] = field(default_factory=list)
    """Terms of title and main text in order, as the topic's segmenter cut them."""
    kind: str = ""
    """`index` or `content`."""
    noindex: bool = False
    nofollow: bool = False
    links: list[Link] = field(default_factory=list)

    verdict: Verdict | None = None
    """Of the topic; in a crawl of several topics the best of `verdicts`."""
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    """By topic name; empty in a crawl of one topic."""
    fingerprint: Fingerprint = Fingerprint()
    duplicate: Duplicate | None = None
    unmodified: str = ""
    """Why the body was not read: `304`, or `headers` that agree with those of the stored version."""
    signature: PageSignature = PageSignature()
    feeds: list[str] = field(default_factory=list)
    """Normal addresses of feeds that the page names."""
    entries: list[SourceEntry] = field(default_factory=list)
    """Of a sitemap or feed."""
    share: float = 0.0
    """Of a sitemap or feed: share of its host's pages that are relevant."""
    looked: int = 0
    """Last stored page (`page_id`) that the search for an original has seen."""
    timings: dict[str, float] = field(default_factory=dict)
    """Milliseconds by stage: CPU time of the event loop's thread; for `worker` the time until its process answered."""

    @property
    def ok(self) -> bool:
        """A page with content: status 200, nothing failed, and its body was read."""
        return self.status == 200 and not self.error and not self.unmodified

    @property
    def collected(self) -> bool:
        """A page with content that belongs to the collection: no sitemap, feed or probe."""
        return self.ok and self.lease.kind <= EXAMPLE


CONTENT_VERSION = 2
"""Raised when `focuscrawl.reading.content.read_content` gives other values: rows of an older one are made again by `scrapy
extract`."""


@dataclass(slots=True, kw_only=True)
class Content:
    """What is known of a page that was read whole; empty where it is not. Dates are ISO 8601, as exact as they are known."""

    extractor: str = ""
    """How its main text was chosen: `vote`, or `fast` where the page was too large to ask the extractors; of what is no HTML
    its format, such as `pdf`."""
    template: str = ""
    """Names pages of one site that are built alike: tag and class of the main element and of the two around it."""
    language: str = ""
    """BCP 47 tag of the prose: `en`, `zh-Hans`, `zh-Hant`."""
    languages: Names = ()
    """Of a mixed page: all that have their share, the largest first."""
    author: str = ""
    published: str = ""
    """The day, `2021-03-04`; so is `modified`, which is never before it."""
    modified: str = ""
    canonical: str = ""
    """Normal URL that the page gives as its own."""
    site_name: str = ""
    category: str = ""
    """Of its site, as the page says, levels with ` / ` between them: `focuscrawl.reading.category`."""
    licence: str = ""
    """SPDX identifier where it is a known one, else its address or words: see `focuscrawl.reading.licence`."""
    reserved: Names = ()
    """What the page, its headers or the robots.txt of its origin reserve against machines: `focuscrawl.politeness.reserved`."""
    words: int = 0
    """Of the main text without code; so are `signals` and `quality`."""
    characters: int = 0
    """Of the main text."""
    code_share: float = 0.0
    """Of the characters of the main text, those in code."""
    link_share: float = 0.0
    """Of the characters of the main text, those in links."""
    quality: float = 0.0
    """Share of the quality rules that the text passes."""
    signals: dict[str, float] = field(default_factory=dict)
    """Quality signals by name: see `focuscrawl.text.quality`."""
    # What is long stands last: SQLite reads a row from its beginning, and statistics need the rest only.
    text: str = ""
    """The main text, plain; empty when there is nothing better than the fast tier's."""
    outline: Outline = ()
    """Its blocks: see `focuscrawl.text.blocks`."""
