"""A crawl whose archive has one page, for commands that read it again."""

from __future__ import annotations

from pathlib import Path

from focuscrawl.crawl.relevance.stored_topic import publish
from focuscrawl.items import Lease, Page
from focuscrawl.store.engines.sqlite import connect
from focuscrawl.store.warc.file import WarcWriter
from focuscrawl.text.segment import Segmenter
from models.topic.vsm import TopicModel
from tests.report import sample

URL = sample.PAGES[1][0]
"""Of the page."""


def archived_crawl(directory: Path, html: bytes) -> None:
    """The sample crawl in `directory`, with a topic of two keywords and this page in its archive."""
    sample.sample_crawl(directory)
    (directory / "warc").mkdir()
    writer = WarcWriter(directory / "warc" / "a.warc.gz")
    page = Page(Lease(sample.hid(URL), 1, URL), URL, 200, sample.NOW, body=html, headers=(("Content-Type", "text/html"),))
    where = writer.write(page, {})
    writer.close()
    db = connect(directory / "store.sqlite")
    db.execute("update page set warc='', warc_offset=0")
    db.execute("update page set warc=?, warc_offset=?, ip_address='93.184.216.34' where url=?", (where.file, where.offset, URL))
    publish(db, "", TopicModel.fit(Segmenter(), keywords=["search engine", "crawler"]), None, 1, sample.NOW)
    db.close()
