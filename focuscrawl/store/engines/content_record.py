"""The table `content`: what the second tier has read of a kept page, declared once as `focuscrawl.items.Content`."""

from __future__ import annotations

from dataclasses import dataclass

from focuscrawl.items import Content, PackedText
from focuscrawl.store.engines.records import RecordTable


@dataclass(slots=True, kw_only=True)
class ContentRecord(Content):
    """A row: the content of a page and its number."""

    page_id: int
    text: PackedText = ""


CONTENTS = RecordTable("content", ContentRecord, ("page_id",))


def content_record(page_id: int, content: Content) -> ContentRecord:
    """The row of a page's content."""
    return ContentRecord(page_id=page_id, **{name: getattr(content, name) for name in CONTENTS.columns if name != "page_id"})
