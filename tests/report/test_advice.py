"""Go on or stop: in words, in one line, and as plain values."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from rich.cells import cell_len

from focuscrawl.dashboard.views.run import outlook
from focuscrawl.frontier.forecast import Estimate, Forecast
from focuscrawl.report.advice import Advice, adding, advise_at_length, line, plain, rough, sentences, span
from focuscrawl.store.crawls import Crawl, open_store
from focuscrawl.store.outlook import Missed
from focuscrawl.store.workers.runs import keep_conditions
from tests.report import sample

GOOD = Advice(560, 200, 3, True, True, Forecast(Estimate(30, 44, 62), Estimate(104, 200, 333)))
RICH = replace(GOOD, forecast=Forecast(Estimate(64, 80, 93), Estimate(66, 85, 96)))
THIN = replace(GOOD, since=120, more=False, forecast=Forecast(Estimate(0, 6, 12), Estimate(0, 9, 18)))
STOP = replace(GOOD, pages=1200, since=641, forecast=Forecast(Estimate(0, 0.6, 0.2), Estimate(0, 5, 2)), behind=18)
EARLY = Advice(40, 12, 2, True, False)
NOTHING = replace(STOP, relevant=0, since=1200, behind=0)
EXHAUSTED = replace(GOOD, waits=False)


@pytest.mark.parametrize(
    ("advice", "word", "said"),
    [
        (
            GOOD, "go on",
            "Go on: of the next 100 pages 30 to 60 should be relevant, about one in 2;"
            " 100 to 330 or more relevant pages are left.",
        ),
        (RICH, "go on", "Go on: of the next 100 pages 65 to 95 should be relevant; 65 to 95 or more relevant pages are left."),
        (
            THIN, "thin",
            "The topic is running out: nothing new was found from page 441 on; of the next 100 pages up to 12 should be"
            " relevant, seldom more; up to 18 relevant pages are left.",
        ),
        (
            STOP, "stop",
            "Stop: nothing new was found from page 560 on, and hardly any of the next 100 pages is expected to be relevant.",
        ),
        (
            replace(GOOD, drifted=True), "drifted",
            "Before it goes on, look at the pages stored last: they are not like the first ones, so that what the crawl takes"
            " for relevant may be something else; more keywords or labels (`scrapy topic label`) set it right.",
        ),
        (EARLY, "early", "Too early to tell what is left: that takes 50 pages which links have led to."),
        (EXHAUSTED, "exhausted", "Nothing is left to fetch: to find more of the topic, add seeds, words or examples."),
    ],
)  # fmt: skip
def test_the_advice_in_words(advice: Advice, word: str, said: str) -> None:
    assert advice.word == word
    assert sentences(advice)[0] == said


def test_a_crawl_that_drifted_away_is_not_told_to_go_on() -> None:
    assert [replace(each, drifted=True).word for each in (GOOD, THIN, STOP, EXHAUSTED, EARLY)] == [
        "drifted", "drifted", "stop", "exhausted", "early",
    ]  # fmt: skip
    assert line(replace(GOOD, drifted=True)) == "drifted away from its topic: look at the pages stored last"


def test_a_crawl_that_has_found_nothing_is_told_what_would_help() -> None:
    assert NOTHING.word == "nothing"
    assert sentences(NOTHING)[0].startswith("None of 1,200 pages is relevant: seeds nearer to the topic")


def test_what_no_estimate_sees_is_said_with_the_advice_to_stop() -> None:
    assert "18 relevant pages lay behind irrelevant ones" in sentences(STOP)[1]
    assert len(sentences(replace(STOP, behind=0))) == 1
    assert len(sentences(replace(GOOD, behind=18))) == 1


def test_where_all_is_fetched_more_lies_behind_irrelevant_pages_only_if_their_links_were_refused() -> None:
    all_followed = replace(EXHAUSTED, behind=18, missed=(Missed("host", "a.example", 9, 50, 40),))
    assert "behind irrelevant ones" not in " ".join(sentences(all_followed))
    some_refused = replace(all_followed, missed=(Missed("tunnel", "a.example", 9, 50, 40),))
    assert sentences(some_refused)[1].startswith("18 relevant pages lay behind irrelevant ones")


@pytest.mark.parametrize("advice", [GOOD, THIN, STOP, EARLY, NOTHING, EXHAUSTED])
def test_one_line_for_a_terminal_of_80_columns(advice: Advice) -> None:
    assert cell_len(line(advice)) <= 80
    assert bool(line(advice)) == (advice.word not in ("early", "exhausted"))


def test_the_line_says_from_where_on_nothing_was_found() -> None:
    assert line(STOP) == "nothing new from page 560 on, hardly anything expected: time to stop"
    assert line(GOOD) == "next 100 pages: 30 to 60 relevant; 100 to 330 or more left"


@pytest.mark.parametrize(
    ("missed", "said"),
    [
        (Missed("robots", "a.example", 15, 91, 38), "a.example (38 of its 91 pages are relevant): robots.txt forbids 15 URLs"),
        (Missed("host", "xn--fiqs8s.example", 4, 0, 0), "中国.example: relevant pages link to 4 URLs there"),
        (Missed("tunnel", "a.example", 6, 1, 1), "a.example (1 of its 1 page is relevant): 6 URLs not followed"),
        (Missed("empty", "a.example", 1, 0, 0), "a.example: its pages say hardly anything and link nowhere; if"),
        (Missed("depth", "a.example", 6, 0, 0), "deeper than max_depth"),
        (Missed("max_pages_per_host", "a.example", 6, 50, 40), "6 URLs left behind by max_pages_per_host"),
    ],
)  # fmt: skip
def test_hosts_of_which_much_is_missed(missed: Missed, said: str) -> None:
    assert said in sentences(replace(GOOD, missed=(missed,)))[-1]


def test_words_from_pages_are_safe_to_print() -> None:
    told = sentences(replace(GOOD, terms=("恒星", "\x1b[31morbit")))[-1]
    assert told == "Words of the best pages that the topic does not have: 恒星, [31morbit."


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"seeds": "topics/sky.toml"}, "scrapy topic terms topics/sky.toml --keyword lens,orbit"),
        ({"seeds": "more.txt,my topics/sky.toml"}, "scrapy topic terms 'my topics/sky.toml' --keyword lens,orbit"),
        ({"seeds": "topics/sky.toml", "keywords": ["comet"]}, "-a keywords=comet,lens,orbit"),
        ({"seeds": "s.txt", "keywords": ["solar eclipse"]}, "-a keywords='solar eclipse,lens,orbit'"),
        ({"seeds": "s.txt", "examples": ["e.html"]}, "-a keywords=lens,orbit"),
        ({"seeds": "seeds/s.txt"}, "scrapy topic new sky --keywords lens,orbit --pages seeds/s.txt"),
    ],
)
def test_words_are_added_by_what_can_be_pasted(arguments: dict[str, object], told: str) -> None:
    assert adding(arguments, "sky", ["lens", "orbit"]) == told
    assert sentences(replace(GOOD, terms=("lens",), add=told))[-1] == f"Add those that fit: `{told}`."


def test_what_adds_words_follows_from_how_the_crawl_was_started(tmp_path: Path) -> None:
    sample.sample_crawl(tmp_path)
    with closing(open_store(tmp_path)) as db:
        assert advise_at_length(db).add == ""
        assert advise_at_length(db, terms=["lens"]).add == "scrapy topic new topic --keywords lens --pages s.txt"
        keep_conditions(db, 1, {"job": [{"topic": "sky", "seeds": []}]})
        assert advise_at_length(db, terms=["lens"]).add == "scrapy topic new sky --keywords lens --pages s.txt"


def test_a_file_with_a_comma_in_its_name_stays_one_in_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a,b.txt").touch()
    assert adding({"seeds": "a,b.txt"}, "sky", ["lens"]) == r"scrapy topic new sky --keywords lens --pages 'a\,b.txt'"


@pytest.mark.parametrize(
    ("language", "keywords", "told"),
    [
        ("zh", ["telescope", "comet"], "Chinese"),
        ("en", ["望远镜"], "English"),
        ("zh", ["望远镜"], ""),
        ("zh", ["telescope", "望远镜"], ""),
        ("ja", ["プラネタリウム"], ""),
        ("ja", ["telescope"], "Japanese"),
        ("de", ["telescope"], ""),
        ("en", [], ""),
    ],
)
def test_pages_in_another_language_than_all_keywords_are_told_of(
    tmp_path: Path, language: str, keywords: list[str], told: str
) -> None:
    """English keywords found nothing on a Chinese site, and nothing said why."""
    sample.sample_crawl(tmp_path)
    with closing(open_store(tmp_path)) as db:
        keep_conditions(db, 1, {"job": [{"topic": "sky", "keywords": keywords}]})
        db.execute("update host set relevant=0, pages=16")
        db.execute("update page set relevant=0, language=?", (language,))
        assert not advise_at_length(db).language, "48 pages are too few"
        db.execute("update host set pages=17")
        said = "\n".join(sentences(advise_at_length(db)))
        assert ("but the keywords are not: " in said) is bool(told)
        assert not told or f"The pages are in {told}, but" in said
        db.execute("update page set language='fr' where page_id=1")
        db.execute("update host set relevant=1 where hid=(select min(hid) from host)")
        assert not advise_at_length(db).language, "the keywords have found something"


def test_the_page_of_a_crawl_shows_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sample.sample_crawl(tmp_path)
    monkeypatch.setattr("focuscrawl.dashboard.views.run.missing_terms", lambda db: ["lens"])
    with closing(open_store(tmp_path)) as db:
        told = outlook(Crawl("sample", tmp_path), db, {})["advice"]
    assert isinstance(told, list)
    assert told[-1] == "Add those that fit: `scrapy topic new topic --keywords lens --pages s.txt`."


def test_a_word_of_a_page_is_no_command() -> None:
    assert adding({"seeds": "a.toml"}, "sky", ["$(rm x)"]) == "scrapy topic terms a.toml --keyword '$(rm x)'"


def test_plain_values_for_programs() -> None:
    values = json.loads(json.dumps(plain(STOP)))
    assert (values["advice"], values["since"], values["forecast"]["left"]["high"]) == ("stop", 641, 2)
    assert values["in_words"] == sentences(STOP)


def test_numbers_are_as_rough_as_they_are_known() -> None:
    assert [rough(number) for number in (0.4, 7.6, 23, 88, 143, 720)] == [0, 8, 25, 90, 140, 700]
    assert (span(Estimate(0, 1, 9)), span(Estimate(0, 0, 0.2)), span(Estimate(21, 30, 58))) == ("up to 9", "0", "20 to 60")
