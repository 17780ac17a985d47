"""A web with a clock: what changes, what only seems to, and what the hosts say of it."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest

from synthweb.accesslog import AccessLog
from synthweb.changes import Difference, between, differences
from synthweb.hosts import Host
from synthweb.life import DAY, moved_number
from synthweb.markup import paragraphs_of
from synthweb.plan import preset
from synthweb.running import RunningWeb
from synthweb.server import Responder
from synthweb.web import Answer, SyntheticWeb
from synthweb.wire import Request
from tests.patience import PATIENCE

START = 1_900_000_000.0
THEN, NOW = START + 20 * DAY, START + 41 * DAY


@cache
def living() -> SyntheticWeb:
    return SyntheticWeb(preset("living", living=START), 8080)


@cache
def changes() -> tuple[Difference, ...]:
    return tuple(between(living(), THEN, NOW))


def host_with(role: str) -> Host:
    return living().hosts[living().plan.roles.index(role)]


def answer(url: str, now: float, web: SyntheticWeb | None = None) -> Answer:
    web = web or living()
    host = web.host_of(url)
    assert host is not None
    return web.answer(host, web.path_of(url), now)


def text_at(number: int, now: float) -> tuple[str, list[str]]:
    document = living().page(number, now)
    return document.title, paragraphs_of(document)


def test_a_web_without_life_is_the_same_at_all_times() -> None:
    web = SyntheticWeb(preset("demo"), 8080)
    host, local = web.layout.locate(100)
    path = web.facts.path(host, local)
    assert web.answer(host, path, NOW) == web.answer(host, path)
    with pytest.raises(ValueError, match="of a living web"):
        between(web, THEN, NOW)


def test_everything_happens_in_a_month() -> None:
    fates = Counter(change.fate for change in changes())
    texts = Counter(change.text for change in changes())
    assert min(fates[fate] for fate in ("new", "gone", "moved")) >= 10
    assert min(texts[kind] for kind in ("sentence", "paragraph", "rewritten", "title", "listing")) >= 10
    assert sum(change.noise and not change.text for change in changes()) >= 50
    assert 0.2 < sum(change.changed for change in changes()) / 800 < 0.7


def test_rates_are_skewed() -> None:
    web, rates = living(), []
    assert web.living is not None
    for number in range(web.plan.pages):
        rates.append(web.living.life.rate(*web.layout.locate(number)))
    rates = sorted(rate for rate in rates if rate)
    assert 1 / 60 < rates[len(rates) // 2] < 1 / 10
    assert sum(rates[-len(rates) // 10 :]) > 0.4 * sum(rates)


@pytest.mark.slow
def test_the_truth_agrees_with_what_is_served() -> None:
    web = living()
    for change in list(differences(web, THEN, NOW))[::7]:
        if change.fate == "new":
            assert answer(change.url, THEN).body != answer(change.url, NOW).body
            assert web.label(change.url, THEN).kind in ("dead", "soft404")
        elif change.fate == "gone":
            assert answer(change.url, THEN).status == 200
            assert web.label(change.url, NOW).kind in ("dead", "soft404")
        elif change.fate == "moved":
            label = web.label(change.url, NOW)
            assert label.redirect == change.home
            assert answer(change.url, NOW).status == label.status == web.host_of(change.url).role.moved  # type: ignore[union-attr]
            assert answer(change.home, NOW).status == 200
            assert web.label(change.home, THEN).kind in ("dead", "soft404")
            assert web.label(change.home, NOW).url == change.home
        else:
            same = answer(change.url, THEN).body == answer(change.url, NOW).body
            assert not (same and change.text)
            assert same or change.text or change.noise


@pytest.mark.slow
def test_texts_change_when_the_truth_says_so() -> None:
    web = living()
    by_url = {change.url: change for change in changes() if change.fate in ("", "moved")}
    assert web.living is not None
    for number in range(web.plan.pages):
        host, local = web.layout.locate(number)
        if web.facts.kind(host, local) != "article" or not all(web.living.life.alive(host, local, at) for at in (THEN, NOW)):
            continue
        url = web.facts.url(host, web.living.life.path(host, local, THEN))
        (title, text), (new_title, new_text) = text_at(number, THEN), text_at(number, NOW)
        kind = by_url[url].text if url in by_url else ""
        assert (kind != "") == (title != new_title or text != new_text)
        kept = sum(paragraph in new_text for paragraph in text)
        if kind in ("", "title", "paragraph", "sentence"):
            assert kept >= len(text) - len(web.living.life.changes(host, local, NOW))
        else:
            assert kept < len(text)


def test_a_slight_change_is_a_sentence() -> None:
    slight = [change for change in changes() if change.text == "sentence" and not change.fate]
    host = living().host_of(slight[0].url)
    assert host is not None
    number = living().number(host, living().path_of(slight[0].url))
    assert number is not None
    before, after = text_at(host.first + number, THEN)[1], text_at(host.first + number, NOW)[1]
    assert len(before) == len(after)
    assert before != after


def test_time_goes_by_in_one_way_only() -> None:
    web = living()
    assert web.living is not None
    for number in range(0, web.plan.pages, 5):
        host, local = web.layout.locate(number)
        early, late = web.living.life.changes(host, local, THEN), web.living.life.changes(host, local, NOW)
        assert late[: len(early)] == early
        assert all(change.at <= NOW for change in late)
        if web.living.life.born(host, local) > THEN:
            continue
        assert web.living.modified(host, local, THEN) <= web.living.modified(host, local, NOW) <= NOW


@pytest.mark.slow
def test_pages_link_to_what_is_there() -> None:
    """Index pages of the present know new homes and no dead pages; an article links to what was there when it was written."""
    web, dead = living(), 0
    for number in range(0, web.plan.pages, 3):
        document = web.page(number, NOW)
        if web.label(document.label.url, NOW).status != 200:
            continue
        for url, _ in web.links(document.label.url, NOW):
            label = web.label(url, NOW)
            if document.label.kind == "article":
                dead += label.kind in ("dead", "soft404")
                assert label.kind != "unknown"
            else:
                assert label.kind in ("home", "section", "list", "article"), (document.label.url, url)
    assert dead


@pytest.mark.slow
def test_every_page_that_is_there_is_linked() -> None:
    web = living()
    linked, waiting = set(), [web.facts.url(host, "/") for host in web.hosts]
    while waiting:
        url = web.label(waiting.pop(), NOW).url
        if url not in linked:
            linked.add(url)
            label = web.label(url, NOW)
            waiting += [label.redirect] if label.redirect else [link for link, _ in web.links(url, NOW)]
    there = {change.home for change in differences(web, NOW, NOW)}
    assert len(there) > 600
    assert there <= linked


@pytest.mark.parametrize(
    ("role", "path", "status"), [("gazette", "dead", 404), ("record", "dead", 410), ("magazine", "soft404", 200)]
)
def test_how_hosts_say_that_a_page_is_gone(role: str, path: str, status: int) -> None:
    name = host_with(role).name
    gone = [change.url for change in changes() if change.fate == "gone" and urlsplit(change.url).hostname == name]
    assert gone
    assert {(living().label(url, NOW).kind, answer(url, NOW).status) for url in gone} == {(path, status)}


def respond(role: str, path: str, now: float, **fields: str) -> tuple[int, dict[str, str], bytes]:
    """What the server answers at a time."""
    host = host_with(role)
    responder = Responder(living(), LOG, clock=lambda: now)
    names = {name.replace("_", "-"): value for name, value in fields.items()}
    blob = responder(Request("GET", host.name, path, names, host.address, keep=True)).blob
    start, _, body = blob.partition(b"\r\n\r\n")
    lines = start.decode("latin-1").split("\r\n")
    return (
        int(lines[0].split()[1]),
        {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])},
        body,
    )


LOG = AccessLog()


def article_of(role: str, text: str, *, noise: bool) -> str:
    """Path of an article that changed, or not, between the two times."""
    host = host_with(role)
    for change in differences(living(), THEN, NOW):
        own = urlsplit(change.url).hostname == host.name and change.kind == "article" and not change.fate
        if own and bool(change.text) == bool(text) and change.noise == noise:
            return living().path_of(change.url)
    raise AssertionError("no such article")


@pytest.mark.slow
@pytest.mark.parametrize("noise", [False, True])
@pytest.mark.parametrize(
    ("role", "unchanged", "changed"),
    [("gazette", 304, 200), ("bulletin", 200, 200), ("shifter", 200, 200), ("clockwork", 200, 200), ("statue", 304, 304)],
)
def test_validators_by_host(role: str, unchanged: int, changed: int, noise: bool) -> None:
    for text, expected in (("", unchanged), ("any", changed)):
        path = article_of(role, text, noise=noise)
        _, fields, _ = respond(role, path, THEN)
        asked = {"if_modified_since": fields["last-modified"]}
        if "etag" in fields:
            asked["if_none_match"] = fields["etag"]
        status, later, _ = respond(role, path, NOW, **asked)
        assert status == expected
        if role == "bulletin":
            same = (fields["etag"], fields["last-modified"]) == (later["etag"], later["last-modified"])
            assert same == (text == "")
        if role == "clockwork":
            assert fields["last-modified"] != later["last-modified"]


def test_a_host_without_validators() -> None:
    assert not {"etag", "last-modified"} & set(respond("magazine", "/", NOW)[1])


@pytest.mark.parametrize(("role", "status"), [("shaky", 503), ("fallen", 0)])
def test_hosts_are_down_for_days(role: str, status: int) -> None:
    life = living().living
    assert life is not None
    days = [START + day * DAY for day in range(90)]
    down = [day for day in days if life.life.down(host_with(role), day)]
    assert 10 < len(down) < 60
    reply = Responder(living(), LOG, clock=lambda: down[0])(
        Request("GET", host_with(role).name, "/robots.txt", {}, host_with(role).address, keep=True)
    )
    assert (int(reply.blob.split()[1]) if reply.blob else 0) == status
    assert not life.life.down(host_with("gazette"), down[0])
    assert not life.life.down(host_with(role), START)


def texts_in(xml: bytes, tag: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(xml).iter() if element.tag.rpartition("}")[2] == tag]


def test_sitemaps_list_what_is_there_with_right_times_or_with_now() -> None:
    web, host = living(), host_with("gazette")
    assert f"Sitemap: {web.facts.url(host, '/sitemap.xml')}".encode() in web.answer(host, "/robots.txt", NOW).body
    assert b"Sitemap:" not in web.answer(host_with("statue"), "/robots.txt", NOW).body
    told = web.answer(host, "/sitemap.xml", NOW).body
    urls, times = texts_in(told, "loc"), texts_in(told, "lastmod")
    assert set(urls) == {change.home for change in differences(web, NOW, NOW) if urlsplit(change.url).hostname == host.name}
    before = dict(zip(*(texts_in(web.answer(host, "/sitemap.xml", THEN).body, tag) for tag in ("loc", "lastmod")), strict=True))
    moved = {url for url, time in zip(urls, times, strict=True) if url in before and before[url] != time}
    changed = {change.url for change in changes() if change.text and change.url in before and not change.fate}
    assert changed <= moved
    assert {url for url in moved if "/stories/" not in url and web.label(url, NOW).kind == "article"} <= changed
    assert len(set(texts_in(web.answer(host_with("bulletin"), "/sitemap.xml", NOW).body, "lastmod"))) == 1


@pytest.mark.parametrize(("role", "link"), [("gazette", "application/rss+xml"), ("clockwork", "application/atom+xml")])
def test_feeds_hold_the_newest_articles(role: str, link: str) -> None:
    web, host = living(), host_with(role)
    assert f'type="{link}" href="/feed.xml"'.encode() in web.answer(host, "/", NOW).body
    told = web.answer(host, "/feed.xml", NOW)
    assert dict(told.headers)["Content-Type"] == link
    urls = texts_in(told.body, "id") or texts_in(told.body, "link")[1:]
    new = [change for change in changes() if change.fate == "new" and urlsplit(change.url).hostname == host.name]
    articles = {change.url for change in new if change.kind == "article"}
    assert len(urls) == 15
    assert articles
    assert len(articles & set(urls)) == min(len(articles), 15)


def test_bodies_differ_by_noise_only_where_nothing_changed() -> None:
    document = living().page(host_with("gazette").first + 40, NOW)
    assert living().living is not None
    quiet = living().living.document(host_with("gazette"), 40, NOW, quiet=True)  # type: ignore[union-attr]
    noisy = replace(document, clock="", counter="", today="", ad=quiet.ad, sidebar=quiet.sidebar)
    assert noisy == quiet


@pytest.mark.parametrize(
    ("target", "number"),
    [("/stories/12.html", 12), ("/stories/012.html", None), ("/stories/.html", None), ("/12.html", None)],
)
def test_new_addresses(target: str, number: int | None) -> None:
    assert moved_number(target) == number
    assert moved_number("/stories/" + "9" * 5000 + ".html") is None


@pytest.mark.system
def test_the_clock_of_a_running_web_is_set_from_outside() -> None:
    with RunningWeb("living", pages=200, living=START) as running:
        host = running.web.hosts[running.plan.roles.index("clockwork")]
        seen = []
        for now in (THEN, NOW):
            running.set_now(now)
            connection = http.client.HTTPConnection(host.address, running.port, timeout=PATIENCE)
            connection.request("GET", "/", headers={"Host": f"{host.name}:{running.port}"})
            response = connection.getresponse()
            assert response.read() == running.web.answer(host, "/", now).body
            seen.append(response.getheader("Last-Modified"))
            connection.close()
        assert seen[0] != seen[1]


@pytest.mark.system
def test_a_living_web_without_a_clock_lives_in_real_time() -> None:
    command = [sys.executable, "-m", "synthweb", "--preset", "living", "--living", str(START), "--watch-stdin"]
    root = Path(__file__).resolve().parents[2]
    result = subprocess.run(command, input=b"", capture_output=True, timeout=PATIENCE, cwd=root, check=True)
    assert json.loads(result.stdout)["ready"] is True
