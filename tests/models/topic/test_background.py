from __future__ import annotations

import gzip
import json
import math
import random
from importlib.resources import files
from typing import Any

import pytest

from models.topic import background as room
from models.topic.background import Background, bundled, document_share, draw


def test_the_bundled_data_is_small_and_knows_both_languages() -> None:
    table, digest = bundled()
    assert len(table) == 140_000
    assert len(digest) == 32
    assert table.get("year", 0) > table.get("databas", 0) > table.get("postgresql", 0) > 0
    assert table.get("国家", 0) > table.get("数据库", 0) > 0


def test_every_bundled_term_has_the_frequency_of_its_line_and_nothing_else_has_one() -> None:
    lines = gzip.decompress(files("models").joinpath("data", "background.txt.gz").read_bytes()).decode().splitlines()
    rows = [(term, math.exp(-int(line.split()[0]) / 10)) for line in lines if line[0] != "#" for term in line.split()[1:]]
    found, table = dict(rows), bundled()[0]
    assert len(found) == len(rows) == len(table)
    assert [table.get(term, 0.0) for term in found] == list(found.values())
    others = [part for term in found for part in (term[1:], term[:-1], term + "s", term * 2) if part not in found]
    assert {table.get(other, -1.0) for other in [*others, "", "\ud800", "a b"]} == {-1.0}
    words = {han: [term for term in found if term.isascii() != han] for han in (False, True)}
    for han, terms in words.items():
        drawn = random.Random(3).choices(terms, weights=[found[term] for term in terms], k=50)
        assert draw(random.Random(3), float(han), 50) == drawn


def test_a_documents_share_follows_poisson() -> None:
    assert document_share("databas") == pytest.approx(1 - math.exp(-200 * bundled()[0].get("databas", 0.0)))
    assert document_share("zzzzunknown") < document_share("databas") < document_share("2024")


def test_function_words_are_as_common_as_they_are_in_texts() -> None:
    """They are terms only where a user gives them as keywords."""
    assert min(document_share(word) for word in ("the", "of", "的", "是")) > 0.9
    assert document_share("the") > document_share("who") > document_share("go") > document_share("databas")


def test_idf_is_the_logarithm_of_documents_by_holders() -> None:
    background = Background()
    assert background.idf("databas") == pytest.approx(-math.log(document_share("databas")))
    assert 10 < background.idf("zzzzunknown") < 12


def test_pages_seen_count_only_after_a_refresh() -> None:
    background = Background()
    before = background.idf("footer")
    for _ in range(50):
        background.observe(["footer", "footer"])
    assert background.idf("footer") == before
    background.refresh()
    assert background.idf("footer") < before - 1
    assert background.pages == 50


def test_a_term_is_as_rare_whenever_it_is_asked_for_between_two_refreshes() -> None:
    background, asked_later = Background(), Background()
    for half in (background, asked_later):
        for page in range(50):
            half.observe(["footer"] if page % 2 else ["header"], relevant=page % 5 == 0)
        half.refresh()
    at_once = background.idf("footer")
    for page in range(50):
        asked_later.observe(["footer"] if page % 2 else ["header"], relevant=page % 5 == 0)
    assert asked_later.idf("footer") == pytest.approx(at_once)
    assert background.idf("footer") == at_once


def test_a_term_that_is_asked_for_after_a_restart_has_its_bundled_frequency_until_counts_are_added() -> None:
    background = Background()
    for _ in range(50):
        background.observe(["footer"])
    background.refresh()
    list(background.take())
    background.restart()
    assert background.idf("header") == pytest.approx(-math.log(document_share("header")))
    background.refresh()
    assert background.idf("footer") == pytest.approx(-math.log(document_share("footer")))


def test_idf_never_falls_below_zero() -> None:
    background = Background()
    for _ in range(10_000):
        background.observe(["year"], relevant=True)
        background.observe(["year"])
    background.refresh()
    assert 0 <= background.idf("year") < 1


def test_a_topics_own_words_stay_rare_though_the_crawl_is_full_of_them() -> None:
    background = Background()
    for _ in range(900):
        background.observe(["databas", "footer"], relevant=True)
    for _ in range(100):
        background.observe(["footer"])
    background.refresh()
    assert background.idf("databas") > 2.5
    assert background.idf("footer") < 1


def test_what_was_counted_goes_on_elsewhere() -> None:
    background = Background()
    for _ in range(30):
        background.observe(["footer", "页脚"])
        background.observe(["databas"], relevant=True)
    background.observe([])
    background.refresh()
    again = Background()
    for part in json.loads(json.dumps(list(background.take()))):
        again.add(part)
    again.refresh()
    assert again.pages == background.pages == 61
    assert [again.idf(term) for term in ("footer", "页脚", "databas")] == [
        background.idf(term) for term in ("footer", "页脚", "databas")
    ]


@pytest.mark.parametrize(
    "part",
    [
        {},
        {"relevant": 2, "pages": 0, "counts": {}},
        {"relevant": 0, "pages": "x", "counts": {}},
        {"relevant": 0, "pages": -1, "counts": {}},
        {"relevant": 0, "pages": 1, "counts": []},
        {"relevant": 0, "pages": 1, "counts": {"a": -1}},
    ],
)
def test_other_parts_are_refused_and_change_nothing(part: dict[str, Any]) -> None:
    background = Background()
    with pytest.raises((KeyError, ValueError, TypeError, AttributeError)):
        background.add(part)
    assert background.pages == 0
    assert list(background.whole()) == []


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "COUNTED_TERMS", 10)
    background = Background()
    background.observe(["kept", "too"])
    for number in range(20):
        background.observe(["kept", f"rare{number}"])
    assert len(background._seen.counts[0]) <= 10
    for number in range(30):  # terms that are all met often, more than there is room for
        background.add({"relevant": 0, "pages": 3, "counts": {f"often{number}": 3}})
        assert len(background._seen.counts[0]) <= 10
    assert background._seen.counts[0]["kept"] == 21
    for number in range(50):
        background.idf(f"word{number}")
    assert len(background._idf) <= 10


def test_made_up_pages_are_common_words_in_the_wanted_mix() -> None:
    page = draw(random.Random(1), han_share=0.25, length=400)
    assert len(page) == 400
    assert sum(not term.isascii() for term in page) == 100
    assert draw(random.Random(1), 0.25, 400) == page
    assert all(term.isascii() for term in draw(random.Random(2), 0.0, 50))
