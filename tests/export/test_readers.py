"""What others load: Hugging Face `datasets`, pandas, polars and DuckDB on a data set; the card as the hub reads it."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from focuscrawl.export.card import Origin, Tally, card, rounded
from focuscrawl.export.rows import FIELDS
from focuscrawl.export.tables import OURS, write_dataset
from focuscrawl.export.targets import folder_at, writing
from focuscrawl.store.pages.stored import StoredPage
from tests.export.sample import known_page, sample_pages, selected
from tests.patience import PATIENCE

ORIGIN = Origin(
    crawl="sky", topic="Astronomy | 天文", terms=("telescope", "望远镜"), seeds=("http://news.example.com/",),
    strategy="learned", user_agent="focuscrawl/0.2 (+me@example.org)",
    runs=2, first_at=1_790_000_000.0, last_at=1_790_100_000.0, fetched=9,
)  # fmt: skip
LEFT_OUT = {"irrelevant": 4, "duplicate": 2, "--min-words": 1}
READERS = {
    "datasets": """
from datasets import load_dataset
pages = load_dataset(folder, split="train", cache_dir=folder + "-cache")
rows = [{name: row[name] for name in ("url", "terms", "fetched_at", "published")} for row in pages]
assert pages.num_rows == 5, pages
""",
    "pandas": """
import pandas
table = pandas.read_parquet(folder + "/data")
assert str(table["fetched_at"].dtype).startswith("datetime64") and table["fetched_at"].dt.tz is not None, table.dtypes
rows = [{**row, "terms": list(row["terms"])} for row in table.to_dict("records")]
""",
    "polars": """
import polars
table = polars.read_parquet(folder + "/data/*.parquet")
assert table["fetched_at"].dtype.time_zone == "UTC", table.schema
rows = table.to_dicts()
""",
    "duckdb": """
import duckdb
found = duckdb.sql(f"select url, terms, fetched_at, published from '{folder}/data/*.parquet'")
assert str(found.types[2]) == "TIMESTAMP WITH TIME ZONE", found.types
assert str(found.types[3]) == "DATE", found.types
terms = duckdb.sql(f"select distinct t.unnest.term from '{folder}/data/*.parquet' p, unnest(p.terms) t order by 1").fetchall()
assert terms == [("crawler",), ("搜索",)], terms
rows = [dict(zip(found.columns, row)) for row in duckdb.sql(f"set timezone='UTC'; select * from found").fetchall()]
""",
}
CHECKED = """
known = next(row for row in rows if str(row["published"])[:10] == "2024-05-06")
assert known["url"] == "http://news.example.com/", known
assert [dict(term) for term in known["terms"]] == [{"term": "搜索", "share": 0.4}, {"term": "crawler", "share": 0.2}], known
assert (known["fetched_at"].year, known["fetched_at"].hour, known["fetched_at"].minute) == (2026, 14, 13), known
print(len(rows))
"""


def dataset(folder: Path, pages: list[StoredPage]) -> Path:
    target = folder_at(str(folder), ours=lambda name: bool(OURS.fullmatch(name)))
    with writing(target):
        write_dataset(
            selected(pages), target, tuple(FIELDS), 0,
            lambda tally: card(tally, LEFT_OUT, ORIGIN, tuple(FIELDS), "--min-words 20"),
        )  # fmt: skip
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The data set of five pages."""
    pytest.importorskip("pyarrow", reason="pyarrow is an extra")
    return dataset(tmp_path / "sky", [*sample_pages(tmp_path / "c"), known_page(tmp_path / "k")])


@pytest.mark.system
@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS)
def test_readers_load_it(folder: Path, tmp_path: Path, reader: str) -> None:
    pytest.importorskip(reader, reason=f"{reader} is for this test alone")
    script = f"folder = {str(folder)!r}\n{READERS[reader]}{CHECKED}"
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf"), "TZ": "UTC"}
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        env=environment,
        cwd=tmp_path,
    )
    assert (done.returncode, done.stdout.strip()[-1:]) == (0, "5"), done.stderr


def test_the_head_of_the_card_is_what_the_hub_reads(folder: Path) -> None:
    head = yaml.safe_load((folder / "README.md").read_text(encoding="utf-8").split("---\n")[1])
    assert (head["pretty_name"], head["language"], head["size_categories"]) == ("sky", ["en", "zh"], ["n<1K"])
    assert head["configs"] == [{"config_name": "default", "data_files": [{"split": "train", "path": "data/*.parquet"}]}]
    assert head["license"] == "other"
    assert (head["multilinguality"], head["task_categories"]) == ("multilingual", ["text-generation"])


def test_the_card_says_what_is_in_it_how_it_was_made_and_what_was_left_out(folder: Path) -> None:
    told = (folder / "README.md").read_text(encoding="utf-8")
    for piece in (
        "5 web pages about Astronomy \\| 天文", "| pages | 5 |", "| zh | 2 | 40 % |", "| example.com | 4 | 80 % |",
        "| CC-BY-4.0 | 1 | 20 % |", "| noai | 1 | 20 % |", "| 2024 | 1 | 20 % |", "| not relevant | 4 |", "| duplicate | 2 |",
        "| --min-words | 1 |", "| order strategy | learned |",
        "| user agent | focuscrawl/0.2 (+me@example.org) |", "| seeds | http://news.example.com/ |",
        "| weightiest terms | telescope, 望远镜 |", "| selected by | --min-words 20 |", "2026-09-21 to 2026-09-22",
    ):  # fmt: skip
        assert piece in told, piece


def test_one_licence_of_all_pages_is_that_of_the_set(tmp_path: Path) -> None:
    tally = Tally()
    tally.add(known_page(tmp_path))
    head = yaml.safe_load(card(tally, {}, Origin(crawl="a: b"), ("url",), "").split("---\n")[1])
    assert (head["license"], head["pretty_name"], head["multilinguality"]) == ("cc-by-4.0", "a: b", "monolingual")


def test_an_empty_set_has_a_card() -> None:
    told = card(Tally(), {}, Origin(crawl="sky"), ("url",), "")
    assert "0 web pages about sky" in told
    assert yaml.safe_load(told.split("---\n")[1])["license"] == "unknown"


def test_texts_of_others_are_no_markup(tmp_path: Path) -> None:
    tally = Tally()
    tally.add(replace(known_page(tmp_path), site="a|b\n# c", licence="<b>[x](y)"))
    told = card(tally, {}, Origin(crawl="sky"), ("url",), "")
    assert "a\\|b # c" in told
    assert "\\<b>\\[x\\](y)" in told


def test_lengths_take_little_memory_and_give_quantiles(tmp_path: Path) -> None:
    assert [rounded(number) for number in (0, 7, 99, 104, 1234, 99_950)] == [0, 7, 99, 100, 1200, 100_000]
    page, tally = known_page(tmp_path), Tally()
    for words in range(1, 10_001):
        tally.add(replace(page, words=words))
    assert len(tally.lengths) < 300
    assert tally.quantile(0.5) == pytest.approx(5_000, rel=0.05)
    assert tally.quantile(0.9) == pytest.approx(9_000, rel=0.05)
