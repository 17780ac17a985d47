"""A bilingual web is crawled for a topic that asks for one of its languages, or for none."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from focuscrawl.api import open_crawl
from tests.crawl.run import Run, crawl, lines, scrapy
from tests.crawl.site import OTHER_WORDS, TOPIC_WORDS, Reply, Site

HOSTS = {"alpha.test": "127.0.0.31", "beta.test": "127.0.0.32", "gamma.test": "127.0.0.33"}
SEED, SEED_ZH = "alpha.test/en/", "alpha.test/zh/"
ARTICLES = 6
TOPIC_ZH = ("望远镜", "星系", "行星", "星云", "超新星", "彗星", "轨道", "恒星", "日食", "天文学家", "天文台")
OTHER_ZH = (
    "河流",
    "市场",
    "面包",
    "窗户",
    "花园",
    "书信",
    "火车",
    "村庄",
    "冬天",
    "桥梁",
    "音乐",
    "医生",
    "学校",
    "看见",
    "附近",
)
WORDS = ["telescope", "galaxy", "planet", "comet", "望远镜", "星系", "行星", "彗星"]
KEPT = "select language, count(*) from page where relevant=1 group by language"


def text(place: str) -> str:
    """On the topic, in the language of the place."""
    rng = random.Random(place)
    if "/zh/" in place:
        return "，".join("".join(rng.choice(TOPIC_ZH + OTHER_ZH) for _ in range(8)) for _ in range(30)) + "。"
    words = TOPIC_WORDS + OTHER_WORDS
    return " ".join(
        f"When we looked at the {rng.choice(words)} with them, there was a {rng.choice(words)} near the {rng.choice(words)}."
        for _ in range(30)
    )


def answer(place: str, links: dict[str, str]) -> Reply:
    language = "zh" if "/zh/" in place else "en"
    items = "".join(f'<li><a href="{link}">{anchor}</a></li>' for link, anchor in links.items())
    body = (
        f'<html lang="{language}"><head><title>{place}</title></head><body><article><p>{text(place)}</p></article>'
        f"<ul>{items}</ul></body></html>"
    )
    return Reply(200, body, (("Content-Type", "text/html; charset=utf-8"),))


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """Each host has a list and articles in English and in Chinese; every page leads to its translation."""
    with Site(HOSTS) as running:
        others = {host: [each for each in HOSTS if each != host] for host in HOSTS}
        for host in HOSTS:
            for language, other, translated, title in (("en", "zh", "中文版", "telescope"), ("zh", "en", "English", "望远镜")):
                articles = {f"/{language}/{n}.html": f"{title} {n}" for n in range(ARTICLES)}
                abroad = {running.url(f"{each}/{language}/"): title for each in others[host]}
                running.answers[f"{host}/{language}/"] = answer(
                    f"{host}/{language}/", {**articles, **abroad, f"/{other}/": translated}
                )
                for n in range(ARTICLES):
                    place = f"{host}/{language}/{n}.html"
                    running.answers[place] = answer(place, {f"/{language}/": title, f"/{other}/{n}.html": translated})
        yield running


def topic_file(site: Site, folder: Path, *languages: str) -> Path:
    path = folder / "sky.toml"
    asked = f"languages = {json.dumps(languages)}\n" if languages else ""
    path.write_text(
        f"[topic]\nkeywords = {json.dumps(WORDS, ensure_ascii=False)}\n{asked}[seeds]\nurls = [{json.dumps(site.url(SEED))}]\n",
        "utf-8",
    )
    return path


def go(site: Site, folder: Path, *languages: str) -> Run:
    run = crawl(folder, topic_file(site, folder, *languages), site.dns)
    assert run.code == 0, run.err
    return run


def told(run: Run, command: str, *words: str) -> str:
    done = scrapy(command, *words, "-s", f"CRAWLS_DIR={run.folder}", folder=run.folder)
    assert done.code == 0, done.err
    return done.out


@pytest.mark.parametrize(("languages", "kept"), [((), {"en", "zh"}), (("zh",), {"zh"}), (("en",), {"en"})])
def test_pages_in_the_languages_asked_for_are_kept(
    site: Site, tmp_path: Path, languages: tuple[str, ...], kept: set[str]
) -> None:
    """From an English page the crawl passes to the Chinese ones, which only their translations lead to."""
    run = go(site, tmp_path, *languages)
    assert dict(run.rows("sky", KEPT)) == dict.fromkeys(kept, len(HOSTS) * (ARTICLES + 1))
    exported = lines(told(run, "export", "sky", "--kind", "any"))
    assert {row["language"][:2] for row in exported} == kept


def test_people_are_told_why_and_stored_pages_follow_a_change(site: Site, tmp_path: Path) -> None:
    run = go(site, tmp_path, "zh")
    english = len(run.rows("sky", "select 1 from page where language='en'"))
    assert english
    passed = f"Passed over for their language: {english} pages (en {english}); the topic asks for zh, and `languages` in its"
    assert passed in " ".join(run.err.split())
    assert passed.partition("; the topic")[0] in (tmp_path / "sky" / "report.html").read_text("utf-8")
    because = "it is in English, and the topic asks for Chinese"
    assert f"{because}: not relevant." in told(run, "why", site.url(SEED), "--crawl", "sky")
    assert f"not relevant, because {because}" in " ".join(told(run, "trace", site.url(SEED), "--crawl", "sky").split())
    topic = open_crawl("sky", tmp_path).topic()
    answers = {place: topic.read(site.answers[place].body.encode(), site.url(place)).verdict for place in (SEED, SEED_ZH)}  # type: ignore[union-attr]
    assert [verdict.relevant for verdict in answers.values() if verdict] == [False, True]

    again = go(site, tmp_path, "en")
    assert dict(again.rows("sky", KEPT)) == {"en": len(HOSTS) * (ARTICLES + 1)}
    assert "the topic says something else than before" in again.err
    assert "reaches the threshold" in told(again, "why", site.url(SEED), "--crawl", "sky")
