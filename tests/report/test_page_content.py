from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

from focuscrawl.items import Content
from focuscrawl.report.page_content import content_table
from focuscrawl.report.table import Table
from focuscrawl.report.why import as_json, details
from focuscrawl.store.crawls import open_store
from focuscrawl.store.engines.page_record import CONTENTS, content_record
from focuscrawl.store.explain import explain
from tests.report import sample

URL = sample.PAGES[1][0]
KNOWN = Content(
    author="Ada", published="2021-03-04", canonical=URL, licence="CC-BY-4.0", reserved=("noai", "rsl"), language="en",
    words=1_234, code_share=0.25, extractor="vote", quality=0.9, text="the text",
    signals={"c4_sentences": 1.0, "gopher_top_2_gram": 0.3, "gopher_words": 1_234.0},
)  # fmt: skip


def rows(content: Content) -> dict[str, str]:
    return dict(content_table(content, URL).cells())


def test_what_is_known_has_a_row_and_what_is_not_has_none() -> None:
    shown = rows(KNOWN)
    assert (shown["author"], shown["published"], shown["licence"]) == ("Ada", "2021-03-04", "CC-BY-4.0")
    assert shown["rights reserved"] == "noai, rsl"
    assert shown["main text"] == "1,234 words by vote, 25 % code"
    assert not {"modified", "site", "gives as its URL"} & set(shown)
    assert rows(Content(canonical="http://a.example/"))["gives as its URL"] == "http://a.example/"


def test_rules_that_it_does_not_pass_are_named_with_their_bounds() -> None:
    assert rows(KNOWN)["quality"] == "0.90 of the rules; not gopher_top_2_gram 0.3 (at most 0.2); c4_sentences 1 (at least 3)"
    assert rows(Content(language="zh-Hans", quality=1.0, signals={"gopher_top_2_gram": 0.25}))["quality"] == "1.00 of the rules"


def test_why_shows_it(tmp_path: Path) -> None:
    sample.sample_crawl(tmp_path)
    with closing(open_store(tmp_path)) as db:
        assert explain(db, URL).content is None
        db.execute(CONTENTS.upsert, CONTENTS.to_row(content_record(2, KNOWN)))
        facts = explain(db, URL)
    assert "What is known of it" in [part.title for part in details(facts, sample.NOW) if isinstance(part, Table)]
    told = json.loads(json.dumps(as_json(facts, sample.NOW, "c")))["content"]
    assert told["author"] == "Ada"
    assert told["signals"]["c4_sentences"] == 1
    assert not {"text", "outline", "page_id"} & set(told)
