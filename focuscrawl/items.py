"""The program's vocabulary: what travels from the frontier through fetch, reading and judging to the one commit.

Plain data with no behavior beyond small derived properties. It imports nothing of ours but the key and the host of a URL and
the outline of a text, so that every room above may use it. Times are seconds since the epoch (float). `hid` and `uid` are the
two numbers of a URL's key (`focuscrawl.url.key`).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Annotated, Any, NamedTuple, TypeAlias

from focuscrawl.text.blocks import Outline
from focuscrawl.url.hosts import bare_host
from focuscrawl.url.key import UrlId, UrlKey, url_key

LINK, SEED, EXAMPLE, SITEMAP, FEED, SOFT404_PROBE = range(6)
"""Kinds of URLs, as the store keeps them. Sitemaps and feeds announce pages. A soft-404 probe is a URL that cannot exist, to
see what the host answers then."""
SOURCES = frozenset({SITEMAP, FEED})


Int16 = Annotated[int, "16 bits"]
Int64 = Annotated[int, "64 bits"]
Hash64 = Annotated[int, "64 bits, unsigned"]
PackedText = Annotated[str, "compressed"]
"""These annotations say how the store keeps a field where its type alone does not: see `focuscrawl.store.engines.records`."""
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
    robots: bool = False
    """Whether this is not a page but the robots.txt of the origin, which is fetched at the host's pace, too."""
    ip_address: str = ""
    """Of the host, if known. The lease then holds a place on this address."""
    etag: str = ""
    last_modified: str = ""
    length: int = -1
    """Content-Length of the stored version; -1: not known."""
    kind: int = LINK
    revisit: bool = False
    """Whether the URL was fetched before and is revisited."""
    trusted: bool = False
    """Whether the body need not be read if the headers of the answer agree with those of the stored version."""
    stored_at: float = 0.0
    """When the stored version was fetched, as its archived response says; 0: not known."""
    at: float = field(default=0.0, compare=False)
    """When the lease was given, by the store's clock. The delay of the IP address counts from then."""
    probe: bool = field(default=False, compare=False)
    """Whether the host failed repeatedly and this request tests if it is back. A failure then says little about this URL."""

    @property
    def url_id(self) -> UrlId:
        """(hid, uid)"""
        return self.hid, self.uid

    @property
    def example(self) -> bool:
        """Whether this is an example page of the topic: relevant by definition, fetched first."""
        return self.kind == EXAMPLE


UNFOLLOWED = ("nofollow", "ugc", "sponsored")
"""Tokens of `rel` that say that a link is not to be followed."""
CANONICAL = "canonical"
"""The token of `rel` of the link to the URL that a page names as its own, where that is another one of its host."""
FILE = "file"
"""The token added to `rel` where the link itself says, by `type` or `download`, that it leads to a file and not to a page."""


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
    """Link score, in [0, 1]."""
    parts: dict[str, float] = field(default_factory=dict)
    """The parts of the score by name, which are recorded as its reason."""
    refused: str = ""
    """Name of the rule that refused the link; empty when it enters the frontier."""
    priority: float = 0.0
    """What the frontier sorts by, larger first, as the order strategy decided."""
    language: str = ""
    """Code of the language in which the page there is, as this page says (`hreflang`): `de`; empty: it says nothing, or two."""
    _key: UrlKey | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def key(self) -> UrlKey:
        """The key of `url`, computed on first use, because many links are refused before they need one."""
        if self._key is None:
            self._key = url_key(self.url)
        return self._key

    def plain(self) -> dict[str, Any]:
        """The fields as plain values for JSON, without the key, which follows from `url`."""
        values = asdict(self)
        del values["_key"]
        return values


@dataclass(slots=True, frozen=True)
class SourceEntry:
    """What a sitemap or feed says of a page."""

    url: str
    """Normalized."""
    modified: float = 0.0
    """Epoch seconds; 0: not given."""
    title: str = ""
    summary: str = ""


@dataclass(slots=True, frozen=True)
class PageSignature:
    """What two versions of a page are compared by: the words of title and main text without numbers and dates. On a page that
    is a table of numbers, the numbers count, too."""

    digest: bytes = b""
    """16 bytes, a digest of the words in order; empty if there were no words."""
    simhash: int = 0
    """64 bits, unsigned."""
    runs: bytes = b""
    """64 bytes, a sketch of the runs of words; empty for a short text, and for versions from before this field existed."""
    numbers: bytes = b""
    """72 bytes, a digest of the numbers in order and a sketch of their runs; empty if the page is not a table of numbers."""


@dataclass(slots=True, frozen=True)
class Verdict:
    """What a page model says of a page."""

    relevance: float
    """The page model's score, in [0, 1]."""
    relevant: bool
    threshold: float
    terms: Terms = ()
    """The terms that counted, the best first, then marks of share 0: OF_SITE, IN_TITLE."""
    similarity: float = 0.0
    """Cosine of the page's text with the topic (equation 2 of the customizable focused crawler), which link scores use."""


OF_SITE = "site:"
"""In the terms of a verdict: before a keyword that the page has, but of which only what it says beyond the name of its site
counts. Its share is 0."""
IN_TITLE = "title:"
"""In the terms of a verdict: the page names the topic in its title alone, and where it repeats that. The page model calls it
relevant; a person, or its language, may say that it is not. Its share is 0."""


def counted(terms: Terms) -> Terms:
    """The terms of a verdict that counted."""
    return tuple(pair for pair in terms if not pair[0].startswith((OF_SITE, IN_TITLE)))


def left_out(terms: Terms) -> tuple[str, ...]:
    """The keywords among the terms of a verdict that are in the name of the page's site."""
    return tuple(term.removeprefix(OF_SITE) for term, _ in terms if term.startswith(OF_SITE))


def only_in_title(terms: Terms) -> bool:
    """Whether the terms of a verdict say that the page names the topic in its title alone."""
    return any(term == IN_TITLE for term, _ in terms)


UNJUDGED = Verdict(0.0, False, 1.0)
"""Stands for the verdict of a topic that has not judged a page: it is irrelevant."""


@dataclass(slots=True, frozen=True)
class Fingerprint:
    """What duplicates of a text are found by."""

    digest: bytes = b""
    """16 bytes of the normalized text; empty when there is no text to compare."""
    simhash: int = 0
    """64 bits, unsigned."""
    features: Features = ()
    """Empty for the simhash method."""


class Outgrown(NamedTuple):
    """An original that says less than the page that was compared with it, or names that page's URL as its own."""

    page_id: int
    digest: bytes
    """Of the text that was compared."""
    similarity: float
    named_by: str = ""
    """Its URL, if it names the page's URL as its own."""


@dataclass(slots=True, frozen=True)
class Duplicate:
    """A page repeats the text of another one, its original."""

    original: int
    """Page id (`page_id`) of the original."""
    url: str
    kind: str
    """`exact` or `near`."""
    similarity: float
    leads_on: bool = False
    """Whether it is a further page of the list of which the original is a page, or the list of another section or column
    (`focuscrawl.links.series`). Then its links are followed, and it has repeated nothing."""
    mirrored: bool = False
    """Whether it lies on another host, and leads to the same paths there as the original does on its own."""

    own: frozenset[str] = frozenset()
    """The links below its own URL, or in its own version of a manual (`focuscrawl.links.series`), which are followed to see
    whether they lead to the same pages as the original's. If it leads on, no others are, and whether it is a copy is open."""

    def hides_links(self, url: str, focused: bool) -> bool:
        """Whether no link of the copy is followed, because those of its original are. A copy on another host has links of its
        own: many sites greet with the same words.

        url: normal URL of the copy. focused: whether the order strategy chooses by score. If not, near-duplicates hide
        nothing."""
        return not (self.leads_on or self.own) and bare_host(url) == bare_host(self.url) and self._hides(focused)

    def hides_most_links(self, focused: bool) -> bool:
        """Whether only so many links of the copy are followed as show whether it leads to the same as its original."""
        return bool(self.mirrored or self.own) and self._hides(focused)

    def _hides(self, focused: bool) -> bool:
        return focused or self.kind == "exact"


def broke_off(truncated: str) -> bool:
    """Whether an answer with this value of `Page.truncated` ended anywhere, so that two answers of one page cannot be compared.
    `length` is our own limit, at which each version of a page ends."""
    return truncated not in ("", "length")


def whole_text(title: str, text: str) -> str:
    """A page as it is judged, compared and cut into terms: its title, then its main text."""
    return f"{title}\n{text}"


@dataclass(slots=True)
class Page:
    """One fetched URL with all that was read from it and decided about it. Failures and redirects are Pages, too."""

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
    broke off or is corrupt); empty if it is whole."""
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
    canonical: str = ""
    """The normal URL that its head names as its own: a hint."""
    noindex: bool = False
    nofollow: bool = False
    links: list[Link] = field(default_factory=list)

    verdict: Verdict | None = None
    """The verdict of the topic; in a crawl of several topics the best of `verdicts`."""
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    """By topic name; empty in a crawl of one topic."""
    fingerprint: Fingerprint = Fingerprint()
    duplicate: Duplicate | None = None
    outgrown: list[Outgrown] = field(default_factory=list)
    """Originals on its host that it replaces: it has all of their text and more, or they name its URL as their own."""
    unmodified: str = ""
    """Why the body was not read: `304`, or `headers` that agree with those of the stored version."""
    signature: PageSignature = PageSignature()
    feeds: list[str] = field(default_factory=list)
    """Normal URLs of feeds that the page names; of a sitemap index, of further sitemaps."""
    lists: list[str] = field(default_factory=list)
    """Normal URLs of further lists of pages, named by a list that was given as a seed. They are fetched as seeds, too."""
    entries: list[SourceEntry] = field(default_factory=list)
    """The entries of a sitemap or feed."""
    left: bool = False
    """Whether pages or further sitemaps that it lists were left for later visits."""
    share: float = 0.0
    """For a sitemap or feed, the share of its host's pages that are relevant."""
    logged: bool = False
    """Whether it was read back from the log of fetches: an earlier run or another worker has fetched it."""
    again: bool = False
    """Whether an order strategy is shown it once more, for its links alone: those that were refused and may be followed now."""
    searched_to: int = 0
    """The last stored page (`page_id`) that the search for an original covered."""
    timings: dict[str, float] = field(default_factory=dict)
    """Milliseconds by stage: CPU time of the event loop's thread, but for `worker` the time until that process answered."""

    @property
    def ok(self) -> bool:
        """Whether this is a page with content: status 200, nothing failed, and its body was read."""
        return self.status == 200 and not self.error and not self.unmodified

    @property
    def whole(self) -> str:
        """Title and main text."""
        return whole_text(self.title, self.text)

    @property
    def collected(self) -> bool:
        """Whether this is a page with content for the collection: not a sitemap, feed or probe."""
        return self.ok and self.lease.kind <= EXAMPLE

    @property
    def relevant(self) -> bool:
        """Whether the page was judged, and is relevant."""
        return self.verdict is not None and self.verdict.relevant

    @property
    def in_collection(self) -> bool:
        """Whether the page belongs to the collection: it is relevant and no copy, and may be indexed."""
        return self.ok and self.relevant and self.duplicate is None and not self.noindex


CONTENT_VERSION = 12
"""To be raised when `focuscrawl.reading.content.read_content` gives other values. `scrapy extract --missing` renews rows of
older versions."""


@dataclass(slots=True, kw_only=True)
class Content:
    """What is known of a page that was read whole; unknown fields are empty. Dates are ISO 8601, as exact as they are known."""

    extractor: str = ""
    """How its main text was chosen: `vote`, or `fast` if the page was too large to ask the extractors; for a document that is
    not HTML its format, such as `pdf`."""
    template: str = ""
    """The same for pages of one site that are built alike: tag and class of the main element and of the two around it."""
    language: str = ""
    """BCP 47 tag of the prose: `en`, `zh-Hans`, `zh-Hant`."""
    languages: Names = ()
    """All languages of a mixed page, the one with the largest share first; empty for other pages."""
    author: str = ""
    published: str = ""
    """The day, such as `2021-03-04`. So is `modified`, which is never earlier."""
    modified: str = ""
    canonical: str = ""
    """The normal URL that the page names as its own."""
    site_name: str = ""
    category: str = ""
    """Category within its site, as the page says, its levels joined by ` / `: see `focuscrawl.reading.category`."""
    licence: str = ""
    """SPDX identifier of a known licence, else its URL or words: see `focuscrawl.reading.licence`."""
    reserved: Names = ()
    """Rights that the page, its headers or its robots.txt reserve against machines: see `focuscrawl.politeness.reserved`."""
    words: int = 0
    """Words of the main text without code, which `signals` and `quality` are about, too."""
    characters: int = 0
    """Characters of the main text."""
    code_share: float = 0.0
    """Share of the characters of the main text that are in code."""
    link_share: float = 0.0
    """Share of the characters of the main text that are in links."""
    quality: float = 0.0
    """Share of the quality rules that the text passes."""
    signals: dict[str, float] = field(default_factory=dict)
    """Quality signals by name: see `focuscrawl.text.quality`."""
    # Long fields come last: SQLite reads a row from its beginning, and statistics need only the fields above.
    text: str = ""
    """The main text, plain; empty if there is none better than that of the fast tier."""
    outline: Outline = ()
    """The blocks of `text`: see `focuscrawl.text.blocks`."""
