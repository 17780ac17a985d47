"""Pages with status 200 that say there is no such page, and pages that only look so."""

from __future__ import annotations

import pytest

from focuscrawl.dedup.simhash import distance, simhash64
from focuscrawl.items import PageSignature
from focuscrawl.reading.page import read_page
from focuscrawl.recrawl.gone import excuses, is_soft404, soft404_of, soft404_probe_url, stale, suspicious
from focuscrawl.recrawl.state import DAY, SiteProfile
from focuscrawl.url.normalize import normalize
from synthweb.plan import preset
from synthweb.web import SyntheticWeb

NOW = 1_800_000_000.0
ARTICLE = [f"star{number % 60}" for number in range(400)]
SORRY = ["sorry", "the", "page", "you", "look", "for", "cannot", "be", "found", "please", "search", "or", "go", "home"]
HOME = [f"welcome{number}" for number in range(120)]


def mark(words: list[str]) -> PageSignature:
    return PageSignature(b"x" * 16 if words else b"", simhash64(words))


def bits(old: list[str], new: list[str]) -> int:
    return distance(simhash64(old), simhash64(new))


def test_an_article_that_becomes_the_sorry_page() -> None:
    assert suspicious(bits(ARTICLE, SORRY), len(ARTICLE), len(SORRY))
    assert is_soft404(mark(SORRY), SiteProfile(soft404_simhash=simhash64(SORRY)))


def test_a_sorry_page_that_is_longer_than_a_short_article() -> None:
    assert suspicious(bits(ARTICLE[:15], SORRY), 15, len(SORRY))


@pytest.mark.parametrize(("change", "old", "new"), [(0, 400, 400), (3, 400, 400), (6, 400, 150), (12, 400, 350), (12, 400, -1)])
def test_pages_that_stay_what_they_are(change: int, old: int, new: int) -> None:
    assert not suspicious(change, old, new)


def test_a_text_that_lost_its_half() -> None:
    assert suspicious(10, 400, 150)
    assert not suspicious(10, 400, 250)


def test_a_stub_is_no_sorry_page() -> None:
    """A page may shrink to a few words of its own."""
    stub = ["this", "telescope", "was", "moved", "to", "the", "museum", "of", "science"]
    assert suspicious(bits(ARTICLE, stub), len(ARTICLE), len(stub))
    assert not is_soft404(mark(stub), SiteProfile(soft404_simhash=simhash64(SORRY)))


@pytest.mark.parametrize(
    "sentence",
    ["The page could not be found.", "It couldn't be found.", "We can't find that page.", "您要的页面不存在。"],
)
def test_what_sounds_like_a_missing_page(sentence: str) -> None:
    article = " ".join(ARTICLE)
    assert excuses("Title", f"{sentence} {article}")
    assert not excuses("Title", f"{article[:500]} {sentence} {article}")
    assert not excuses("Title", "The comet could be found by anyone.")


def test_a_host_that_says_404_has_no_sorry_page() -> None:
    assert not is_soft404(mark(SORRY), SiteProfile(soft404_simhash=None))
    assert soft404_of(404, mark(SORRY), None) is None
    assert soft404_of(301, mark([]), None) is None


def test_no_words_are_no_sorry_page() -> None:
    assert soft404_of(200, mark([]), None) is None
    assert not is_soft404(mark([]), SiteProfile(soft404_simhash=0))


def test_what_a_probe_is_told() -> None:
    assert soft404_of(200, mark(SORRY), mark(ARTICLE)) == simhash64(SORRY)
    assert soft404_of(200, mark(SORRY), None) == simhash64(SORRY)


def test_a_host_whose_every_address_shows_one_page_loses_none() -> None:
    """A page that already looked so is not suspicious; and after a move to such a shell its home looks so too."""
    assert not suspicious(bits(HOME, HOME), len(HOME), len(HOME))
    assert soft404_of(200, mark(HOME), mark(HOME)) is None


def test_a_sorry_page_may_name_the_address() -> None:
    site = [f"phrase{number}" for number in range(30)]
    first, second = [*SORRY, *site, "qwertz"], [*SORRY, *site, "telescope"]
    assert bits(first, second) > 0
    assert is_soft404(mark(second), SiteProfile(soft404_simhash=simhash64(first)))


def test_probes() -> None:
    url = soft404_probe_url("https://example.org")
    assert url.count("/") == 3
    assert url == soft404_probe_url("https://example.org") != soft404_probe_url("https://example.org", 1)
    assert url.rpartition("/")[2] != soft404_probe_url("https://example.com").rpartition("/")[2]
    assert normalize(url) == url
    assert normalize(soft404_probe_url("http://xn--fiqs8s.test:8080")) == soft404_probe_url("http://xn--fiqs8s.test:8080")


def test_an_answer_is_good_for_a_month() -> None:
    assert stale(SiteProfile(), NOW)
    assert not stale(SiteProfile(soft404_probed_at=NOW - 29 * DAY), NOW)
    assert stale(SiteProfile(soft404_probed_at=NOW - 31 * DAY), NOW)
    assert stale(SiteProfile(soft404_probed_at=NOW + DAY), NOW)


def test_the_sorry_page_of_the_generated_web() -> None:
    web = SyntheticWeb(preset("demo"), 8080)
    host = next(host for host in web.layout.hosts if host.role.soft_missing)

    def words(target: str) -> list[str]:
        answer = web.answer(host, target)
        assert answer.status == 200
        return read_page(answer.body, "text/html; charset=utf-8", "http://maze.test" + target).text.lower().split()

    asked = soft404_probe_url("http://maze.test").removeprefix("http://maze.test")
    profile = SiteProfile(soft404_simhash=soft404_of(200, mark(words(asked)), mark(words("/"))))
    assert profile.soft404_simhash is not None
    number = next(n for n in range(1, host.size) if web.facts.kind(host, n) == "article")
    article, lost = words(web.facts.path(host, number)), words("/no/such/page.html")
    assert suspicious(bits(article, lost), len(article), len(lost))
    assert is_soft404(mark(lost), profile)
    assert not is_soft404(mark(article), profile)
