"""Bulk files: what the `_bulk` API of OpenSearch and Elasticsearch and Meilisearch's documents ask for."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

from focuscrawl.export.bulk import Bulk, mapping
from focuscrawl.export.formats import TableOptions
from focuscrawl.export.rows import CHANGE, FIELDS, row_id, stored_row
from focuscrawl.export.selection import GONE, NEW
from focuscrawl.store.pages.stored import StoredPage
from tests.export.sample import known_page, sample_pages

ALL = TableOptions(tuple(FIELDS))


def lines(pages: list[StoredPage], columns: tuple[str, ...] = tuple(FIELDS), change: str = "") -> list[dict[str, Any]]:
    out = io.BytesIO()
    writer = Bulk(out, TableOptions(columns))
    for page in pages:
        writer.write(stored_row(page, columns, change))
    writer.close()
    assert out.getvalue().endswith(b"\n")
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_actions_and_documents_by_turns(tmp_path: Path) -> None:
    pages = sample_pages(tmp_path)
    found = lines(pages)
    assert found[::2] == [{"index": {"_id": row_id(page.url)}} for page in pages]
    assert [document["url"] for document in found[1::2]] == [page.url for page in pages]
    assert [document["id"] for document in found[1::2]] == [action["index"]["_id"] for action in found[::2]]


def test_ids_are_keys_of_meilisearch(tmp_path: Path) -> None:
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,511}", line["id"]) for line in lines(sample_pages(tmp_path))[1::2])


def test_nothing_empty_and_no_free_field_names(tmp_path: Path) -> None:
    (_, document) = lines(sample_pages(tmp_path)[:1])
    assert not [name for name, value in document.items() if value in ("", [])]
    (_, known) = lines([known_page(tmp_path / "k")])
    assert known["terms"] == [{"term": "搜索", "share": 0.4}, {"term": "crawler", "share": 0.2}]
    assert known["published"] == "2024-05-06"


def test_what_is_gone_is_deleted(tmp_path: Path) -> None:
    page = sample_pages(tmp_path)[0]
    assert lines([page], ("url", CHANGE), GONE) == [{"delete": {"_id": row_id(page.url)}}]
    assert lines([page], ("url", CHANGE), NEW) == [
        {"index": {"_id": row_id(page.url)}},
        {"id": row_id(page.url), "url": page.url},
    ]


def test_the_mapping_knows_every_field_of_a_document(tmp_path: Path) -> None:
    body = json.loads(mapping(ALL))["mappings"]
    fields = body["properties"]
    (_, known) = lines([known_page(tmp_path)])
    assert set(known) <= set(fields) == {"id", *FIELDS}
    assert body["dynamic"] is False
    assert fields["text"] == {"type": "text", "analyzer": "cjk", "fields": {"english": {"type": "text", "analyzer": "english"}}}
    assert (fields["url"]["type"], fields["fetched_at"]["type"], fields["published"]["type"]) == ("keyword", "date", "date")
    assert (fields["words"]["type"], fields["quality"]["type"], fields["relevant"]["type"]) == ("long", "double", "boolean")
    assert set(fields["signals"]["properties"]) == set(known["signals"][0])
    assert "smartcn" in body["_meta"]["chinese"]
