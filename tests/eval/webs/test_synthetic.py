from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from tools.eval.webs.recorded import meta, pages
from tools.eval.webs.synthetic import KIND, SHAPES, Shape, build


@pytest.mark.slow
def test_a_synthetic_web_is_recorded_with_topics_by_words_and_by_kind_of_page(tmp_path: Path) -> None:
    build(tmp_path, {"small": Shape(("portal", "plain-en", "plain-zh", "journal"), 700)})
    db = sqlite3.connect(tmp_path / "small.sqlite")
    topics = {topic["id"]: topic for topic in meta(db, "topics")}
    urls = {url for url, _ in pages(db)}
    assert {KIND, "astronomy"} <= set(topics)
    assert set(topics["astronomy"]["seeds"]) | set(meta(db, "homes")) <= urls
    labels = [json.loads(text) for (text,) in db.execute("select labels from page")]
    assert sum("topic:astronomy" in mine for mine in labels) == topics["astronomy"]["count"]
    assert {"kind:list", "topic:list"} in [set(mine) for mine in labels]
    assert not [mine for mine in labels if "topic:astronomy" in mine and "kind:article" not in mine]


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_each_shape_has_pages_enough_for_its_hosts(shape: Shape) -> None:
    assert shape.pages >= 20 * len(shape.roles)
