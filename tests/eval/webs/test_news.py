from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter

import pytest

from tools.eval.webs.news import CHINESE, DRAWS, READ, WORDS, Size, build
from tools.eval.webs.recorded import meta, pages
from tools.eval.webs.topics import EXAMPLES, depths
from tools.eval.webs.words import glances

SMALL = Size((2, 1), (2, 0), (8, 4), (14, 8), (2, 1), (2, 0), portal_articles=60, others_articles=36)


@pytest.fixture(scope="module", params=DRAWS)
def web(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> sqlite3.Connection:
    out = tmp_path_factory.mktemp("webs")
    build(out, request.param, SMALL)
    return sqlite3.connect(out / f"news-{request.param}.sqlite")


def _labels(web: sqlite3.Connection) -> dict[str, list[str]]:
    return {url: json.loads(mine) for url, mine in web.execute("select url, labels from page")}


def test_topics_are_subjects_on_many_hosts_and_most_pages_are_background(web: sqlite3.Connection) -> None:
    labels, topics = _labels(web), meta(web, "topics")
    assert len(topics) == 12
    for topic in topics:
        members = [url for url, mine in labels.items() if f"topic:{topic['id']}" in mine]
        kinds = {label for url in members for label in labels[url] if label.startswith("kind:")}
        hosts = Counter(url.split("/")[2] for url in members)
        assert len(members) == topic["count"] < 0.15 * len(labels)
        assert kinds <= {f"kind:{kind}" for kind in READ}
        assert len(hosts) == topic["hosts"] >= 2
        assert max(hosts.values()) < 0.9 * len(members)
        assert len(set(topic["examples"])) == EXAMPLES
    assert sum(topic["hosts"] for topic in topics) > 5 * len(topics)


def test_seeds_reach_the_web(web: sqlite3.Connection) -> None:
    seen = glances(web)
    numbers = {page.url: number for number, page in enumerate(seen)}
    for topic in meta(web, "topics"):
        assert len({url.split("/")[2] for url in topic["seeds"]}) == 1
        assert len(depths(seen, [numbers[url] for url in topic["seeds"]])) > 0.95 * len(seen)


def test_no_word_of_a_subject_is_on_all_pages_of_a_topic_and_subjects_share_words(web: sqlite3.Connection) -> None:
    labels = _labels(web)
    text = {url: re.sub(r"<[^>]*>", " ", re.sub(r"<div class=.side.*|<aside.*", "", body.decode())) for url, body in pages(web)}
    for topic in meta(web, "topics"):
        members = [text[url] for url, mine in labels.items() if f"topic:{topic['id']}" in mine]
        for words in topic["keywords"].values():
            for word in words:
                assert sum(word in one for one in members) < 0.95 * len(members)
    everywhere = sum("记者" in one for one in text.values())
    assert everywhere > 20


def test_headlines_link_beyond_their_subject_by_names_cuts_and_pictures(web: sqlite3.Connection) -> None:
    subject_of = {url: next((label for label in mine if label.startswith("topic:")), "") for url, mine in _labels(web).items()}
    anchors, across, within = Counter[str](), 0, 0
    for url, body in pages(web):
        for goal, anchor in re.findall(r'<a href="([^"]*)">(.*?)</a>', body.decode()):
            anchors["picture" if anchor.startswith("<img") else "cut" if anchor.endswith("…") else "other"] += 1
            if subject_of[url] and goal in subject_of:
                same = subject_of[goal] == subject_of[url]
                within, across = within + same, across + (not same)
    assert min(anchors["picture"], anchors["cut"]) > 0.02 * anchors["other"]
    assert across > within / 2 > 0


def test_reports_of_agencies_are_on_several_sites_and_printed_copies_are_not_relevant(web: sqlite3.Connection) -> None:
    labels, told = _labels(web), dict[str, set[str]]()
    for url, body in pages(web):
        for text in re.findall(r"<p>([^<]{60,})</p>", body.decode()):
            told.setdefault(text, set()).add(url)
    copies = [urls for urls in told.values() if len({url.split("/")[2] for url in urls if "kind:article" in labels[url]}) > 1]
    assert copies
    printed = [mine for mine in labels.values() if "kind:print" in mine]
    assert printed
    assert not any(label.startswith("topic:") for mine in printed for label in mine)


def test_the_second_draw_has_other_topics_sentences_and_addresses() -> None:
    first, second = (WORDS["draws"][draw] for draw in DRAWS)
    for kind in ("chinese", "english", "both"):
        assert not set(first[kind].split()) & set(second[kind].split())
    for kind in set(first) - {"chinese", "english", "both", "channels", "boxes", "english_boxes"}:
        assert not {str(said) for said in first[kind]} & {str(said) for said in second[kind]}
    for kind in ("boxes", "english_boxes"):
        assert not set(first[kind].values()) & set(second[kind].values())


def test_both_draws_have_channels_for_all_subjects() -> None:
    for draw in DRAWS:
        channels = [subject for channel in WORDS["draws"][draw]["channels"] for subject in channel.split()[2:]]
        assert set(channels) == set(CHINESE)
    assert set(WORDS["neighbours"]) == set(CHINESE)
