"""The fields of a stored page, declared once: the table `page`, the statement of the commit and what is read follow from them.
So does the table `content`, what the second tier has read of a kept page, from `focuscrawl.items.Content`.

To add a field: declare it in `PageRecord`, give its value in `record_of`, and raise `store.engines.meta.VERSION`; with a field
of the same name in `store.pages.stored.StoredPage` it is exported, too.
"""

from __future__ import annotations

from dataclasses import dataclass

from focuscrawl.items import UNJUDGED, Content, Features, Hash64, Int16, Int64, PackedText, Page, Terms
from focuscrawl.store.engines.records import RecordTable


@dataclass(slots=True, frozen=True)
class WarcLocation:
    """Where the WARC record of a response is: name of the file, offset and length of its gzip member in bytes."""

    file: str = ""
    offset: int = 0
    length: int = 0


@dataclass(slots=True, kw_only=True)
class PageRecord:
    """A row of the table `page` without its number `page_id`, which the store gives it.

    The texts and links lie in `body`, what its revisits need in `revisit`, what each topic says of it in `verdict`.
    """

    hid: Int64
    """Number of its origin."""
    uid: Int64
    """Number of the URL that was asked for."""
    url: str
    """URL of the response."""
    run: int
    worker: int
    status: Int16
    fetched_at: float
    latency: float
    """Seconds from the request to the whole answer."""
    ip_address: str
    content_type: str
    charset: str
    language: str
    length: int
    """Bytes of the decoded body."""
    truncated: str
    """Why the body is cut; empty when whole."""
    certificate: str = ""
    """As `focuscrawl.items.Page` has it; empty without TLS."""
    etag: str
    last_modified: str
    title: str
    keywords: str
    description: str
    summary: str
    kind: str
    """`index` or `content`."""
    relevance: float
    """The page model's score."""
    relevant: bool
    threshold: float
    terms: Terms
    similarity: float = 0.0
    """Cosine of text and topic, which link scores use."""
    priority: float
    """With which its URL waited in the frontier."""
    depth: int
    distance: Int16
    parent: Int64
    """`page_id` of the page whose link counts; 0 for a seed."""
    example: bool
    noindex: bool
    digest: bytes
    """Of the normalized text: pages with the same one are exact duplicates."""
    simhash: Hash64
    features: Features
    original: int | None
    """`page_id` of the page that this one repeats."""
    original_similarity: float
    """To that page, 0 to 1; 0 where there is none."""
    warc: str
    """Name of the file with its response."""
    warc_offset: Int64
    warc_length: Int64
    timings: dict[str, float]
    """Milliseconds by stage, as in `focuscrawl.items.Page`."""
    content_version: Int16 = 0
    """`focuscrawl.items.CONTENT_VERSION` by which it was read for the table `content`; 0: it was not yet."""
    gone: Int16 = 0
    """As `recrawl.gone.Gone`; from GONE on the page is in no export. What was just stored is live."""


PAGES = RecordTable("page", PageRecord, ("hid", "uid"))


def record_of(page: Page, where: WarcLocation, *, run: int = 0, worker: int = 0, parent: int = 0) -> PageRecord:
    """The record of a page that was just fetched.

    Args:
        page: With its verdict, fingerprint and duplicate.
        where: Its response in the archive.
        run: Which start of the crawl fetched it.
        worker: Which process did.
        parent: `page_id` of the page whose link led here; 0 for a seed.
    """
    from focuscrawl.recrawl.validators import stored_validators  # late: an export needs no dates of HTTP

    lease, fingerprint, duplicate = page.lease, page.fingerprint, page.duplicate
    verdict = page.verdict or UNJUDGED
    etag, last_modified = stored_validators(page.headers)
    return PageRecord(
        hid=lease.hid,
        uid=lease.uid,
        url=page.url,
        run=run,
        worker=worker,
        status=page.status,
        fetched_at=page.fetched_at,
        latency=page.latency,
        ip_address=page.ip_address,
        content_type=page.content_type,
        charset=page.charset,
        language=page.language,
        length=len(page.body),
        truncated=page.truncated,
        certificate=page.certificate,
        etag=etag,
        last_modified=last_modified,
        title=page.title,
        keywords=page.keywords,
        description=page.description,
        summary=page.summary,
        kind=page.kind,
        relevance=verdict.relevance,
        relevant=verdict.relevant,
        threshold=verdict.threshold,
        terms=verdict.terms,
        similarity=verdict.similarity,
        priority=lease.priority,
        depth=lease.depth,
        distance=lease.distance,
        parent=parent,
        example=lease.example,
        noindex=page.noindex,
        digest=fingerprint.digest,
        simhash=fingerprint.simhash,
        features=fingerprint.features,
        original=duplicate.original if duplicate else None,
        original_similarity=duplicate.similarity if duplicate else 0.0,
        warc=where.file,
        warc_offset=where.offset,
        warc_length=where.length,
        timings=page.timings,
    )


@dataclass(slots=True, kw_only=True)
class ContentRecord(Content):
    """A row of the table `content`: the content of a page and its number."""

    page_id: int
    text: PackedText = ""


CONTENTS = RecordTable("content", ContentRecord, ("page_id",))


def content_record(page_id: int, content: Content) -> ContentRecord:
    """The row of a page's content."""
    return ContentRecord(page_id=page_id, **{name: getattr(content, name) for name in CONTENTS.columns if name != "page_id"})
