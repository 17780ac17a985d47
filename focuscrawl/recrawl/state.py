"""The values that revisits are decided from: a page's revisit record, the profile of its host, and what a revisit observed.

Times are seconds since the epoch, rates changes per day, exposures and periods days.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from focuscrawl.items import LINK, SEED, Hash64, Int16, Int64, PageSignature

DAY = 86_400.0
MATERIAL = 3
"""Bits of the 64 of a SimHash. Versions that are further apart count as changed, also for the change rate. Manku, Jain and Das
Sarma (WWW 2007) take texts within 3 bits for near-duplicates."""
DIGEST, RUNS, NUMBERS = 16, 64, 72
"""Bytes of the parts of a signature, as in `items.PageSignature`. Stored rows depend on them."""


@dataclass(slots=True, frozen=True)
class RevisitRecord:
    """When a URL is fetched again, and what its fetches so far have shown: a row of the table `revisit`, column by column.

    Pages have one from their first fetch on; sitemaps, feeds and soft-404 probes from when they are found."""

    hid: Int64
    uid: Int64
    kind: Int16 = LINK
    """As `items.Lease.kind`."""
    due_at: float = 0.0
    value: float = 0.0
    """Rank among the pages that are due, in (0, 1); the largest goes first; 0: not ranked."""
    first_at: float = 0.0
    """First fetch."""
    checked_at: float = 0.0
    """Last fetch that showed whether it had changed, by its body, a 304 or its headers."""
    read_at: float = 0.0
    """When its body was last read."""
    changed_at: float = 0.0
    """Last change of more than 3 bits that was observed."""
    visits: int = 0
    """Revisits that succeeded: the first fetch does not count."""
    changes: int = 0
    """Revisits that observed a change of more than 3 bits."""
    unread: Int16 = 0
    """Revisits in a row whose body was not read."""
    shape: float = 0.0
    """Parameter of the Gamma distribution of the change rate, see `recrawl.change_rate`."""
    exposure: float = 0.0
    """The other parameter of that distribution, in days."""
    period: float = 0.0
    """Days between revisits, for policies that use a period."""
    weight: float = 0.0
    """What its freshness is worth: its relevance plus its hub value."""
    hub: float = 0.0
    """Hub value: the scores of new links that a revisit is expected to bring, summed."""
    magnitude: float = 0.0
    """Mean size of its changes, 0 to 1."""
    signal: float = 0.0
    """Changes that sitemaps and feeds announced since the last revisit, as an expected number."""
    signal_at: float = 0.0
    """The time of change that the last of them named."""
    signal_kind: Int16 = 0
    """What announced it: SITEMAP or FEED, or SEED for an operator (`focuscrawl.items`)."""
    gone: Int16 = 0
    """Revisits in a row that did not find it, as `recrawl.gone` counts them."""
    gone_at: float = 0.0
    """When the first of these was."""
    signature_simhash: Hash64 = 0
    signature_digest: bytes = b""
    """The rest of the signature, its parts joined: DIGEST bytes, then RUNS and NUMBERS bytes if there are any. Empty: no words
    were read yet, or the texts of a gone page were deleted from the store."""
    length: Int64 = -1
    """Content-Length of its last body, in bytes as sent; -1: not given."""
    etag: str = ""
    """Only for sitemaps and feeds; that of a page is in `page`."""
    modified: str = ""
    """Last-Modified, only for sitemaps and feeds, too."""
    rest: Int16 = 3
    """State of the URL (`frontier.states.State`) before it was woken, to which it returns when it is put off."""

    @property
    def asked_for(self) -> bool:
        """Whether an operator asked for this revisit (`store.frontier.operator_changes`), so that it comes first."""
        return self.signal_kind == SEED and self.due_at == self.signal_at

    @property
    def signature(self) -> PageSignature:
        """Signature of the version that was read last."""
        digest, rest = self.signature_digest[:DIGEST], self.signature_digest[DIGEST:]
        runs = rest[:RUNS] if len(rest) in (RUNS, RUNS + NUMBERS) else b""
        return PageSignature(digest, self.signature_simhash, runs, rest[len(runs) :])

    def signed(self, signature: PageSignature, length: int | None = None) -> RevisitRecord:
        """The record with the signature of the version just read, and with its `length`; None keeps the former length."""
        parts, length = signature.digest + signature.runs + signature.numbers, self.length if length is None else length
        return replace(self, signature_digest=parts, signature_simhash=signature.simhash, length=length)


@dataclass(slots=True, frozen=True)
class SiteProfile:
    """How a host behaves, as learned from all its pages: a row of the table `site_profile`, column by column."""

    hid: Int64 = 0
    changes: float = 0.0
    """Estimated number of changes of all its pages together."""
    exposure: float = 0.0
    """Days over which these changes were observed, summed over the pages."""
    threshold: float = 0.0
    """Revisit threshold of a host that may not be asked as often as its pages deserve; 0: that of the crawl holds."""
    headers_right: int = 0
    """How often the headers said that the stored version is current and the body was indeed the same."""
    headers_wrong: int = 0
    """How often the headers said so and the body was different."""
    sitemap_right: int = 0
    """Announced changes that a revisit confirmed."""
    sitemap_wrong: int = 0
    """Announced changes that a revisit did not find."""
    feed_right: int = 0
    feed_wrong: int = 0
    failure_share: float = 0.0
    """Share of its fetches that failed, in which the latest ones count most."""
    soft404_simhash: Hash64 | None = None
    """SimHash of its answer to a soft-404 probe; None: it answers 404, or was not probed."""
    soft404_probed_at: float = 0.0
    """When it was probed; 0: never."""


@dataclass(slots=True, frozen=True)
class Observation:
    """What a successful revisit has shown."""

    at: float
    distance: int | None = None
    """Bits between the last version and this one, see `page_signature.distance`; None: the body was not read, because the
    server or the headers said that it is the same."""
    modified_at: float = 0.0
    """Time of the last change by a trusted Last-Modified; 0: not known."""
    new_link_scores: float = 0.0
    """Sum of the scores of the links that the frontier did not know."""
    relevance: float = 0.0
    """Weight of the page itself, in [0, 1]."""
