"""Numbered pages: the same for ever, found by address, of every kind that the plan promises."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from functools import cache

import pytest

from synthweb.hosts import Host
from synthweb.markup import paragraphs_of
from synthweb.plan import Plan, preset
from synthweb.web import SyntheticWeb

PORT = 8080
DIGEST = "c2fe88e374c637e3"


@cache
def demo() -> SyntheticWeb:
    return SyntheticWeb(preset("demo"), PORT)


def target_of(web: SyntheticWeb, url: str) -> tuple[Host, str]:
    host = web.host_of(url)
    assert host is not None
    return host, url.split(f":{PORT}", 1)[1]


def body_of(web: SyntheticWeb, number: int) -> bytes:
    return web.answer(*target_of(web, web.page(number).label.url)).body


def test_same_plan_gives_the_same_bytes_for_ever() -> None:
    digest = hashlib.blake2b(digest_size=8)
    for number in range(0, demo().plan.pages, 5):
        digest.update(body_of(demo(), number))
    assert digest.hexdigest() == DIGEST, "the synthetic web has changed: change the pinned digest if that was meant"


def test_pages_do_not_depend_on_the_order_in_which_they_are_asked() -> None:
    fresh = SyntheticWeb(preset("demo"), PORT)
    for number in (1100, 3, 500, 499):
        assert body_of(fresh, number) == body_of(demo(), number)


def test_another_seed_gives_another_web() -> None:
    other = SyntheticWeb(preset("demo", 2), PORT)
    same = sum(body_of(other, number) == body_of(demo(), number) for number in range(0, 1200, 50))
    assert same == 0
    assert {host.name for host in other.hosts} != {host.name for host in demo().hosts}


@pytest.mark.parametrize("name", ["demo", "test-small", "kill"])
def test_every_address_leads_back_to_its_page(name: str) -> None:
    web = SyntheticWeb(preset(name), PORT)
    seen = set()
    for number in range(web.plan.pages):
        host, local = web.layout.locate(number)
        url = web.facts.url(host, web.facts.path(host, local))
        assert web.number(*target_of(web, url)) == local
        seen.add(url)
    assert len(seen) == web.plan.pages


@pytest.mark.parametrize("role", ["portal", "observatory", "island-sessions"])
def test_variants_of_an_address_are_the_same_page(role: str) -> None:
    web = demo()
    host = web.hosts[web.plan.roles.index(role)]
    path = web.facts.path(host, 20)
    joint = "&" if "?" in path else "?"
    head, _, query = path.partition("?")
    flipped = f"{head}?{'&'.join(reversed(query.split('&')))}" if query else path
    variants = [f"{path}{joint}utm_source=a&utm_medium=b", f"{path}{joint}sid=0123abcd", flipped, f"{path}#part"]
    variants.append(f"{head};jsessionid=AB12" + (f"?{query}" if query else ""))
    for variant in variants:
        assert web.label(web.facts.url(host, variant)).url == web.facts.url(host, path)


@pytest.mark.parametrize("url", ["http://elsewhere.test:8080/", "https://www.x.test/", "http://[bad/", "mailto:a@b"])
def test_foreign_addresses_are_unknown(url: str) -> None:
    assert demo().label(url).kind == "unknown"


def test_a_web_has_hosts_of_all_sorts() -> None:
    hosts = demo().hosts
    addresses = Counter(host.address for host in hosts)
    assert {host.role.language for host in hosts} == {"en", "zh"}
    assert all(re.fullmatch(r"127\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.\d+\.\d+", address) for address in addresses)
    assert max(addresses.values()) == 2
    assert any(host.name.startswith("xn--") and not host.display.isascii() for host in hosts)
    assert sum(host.size for host in hosts) == 1200


def test_articles_are_as_long_as_promised() -> None:
    for number in range(0, 1200, 7):
        page = demo().page(number)
        if page.label.kind == "article":
            text = paragraphs_of(page)
            words = len(" ".join(text).split()) if page.label.language == "en" else len("".join(text)) / 1.7
            assert 150 <= words <= 900


def test_most_links_stay_on_the_topic() -> None:
    web, same, total = demo(), 0, 0
    for number in range(0, 1200, 11):
        page = web.page(number)
        if page.label.kind == "article" and page.label.topic != "general":
            for anchor in (*page.inline, *page.related):
                label = web.label(
                    anchor.href if "://" in anchor.href else web.facts.url(web.layout.locate(number)[0], anchor.href)
                )
                total += 1
                same += label.topic == page.label.topic
    assert same / total > 0.6


def test_mirrors_are_equal_byte_by_byte() -> None:
    web = demo()
    mirror = next(host for host in web.hosts if host.role.mirror)
    original = web.hosts[mirror.twin]
    for local in range(mirror.size):
        path = web.facts.path(mirror, local)
        assert web.answer(mirror, path).body == web.answer(original, path).body
        label = web.label(web.facts.url(mirror, path))
        assert label.duplicate


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["near", "exact"])
def test_duplicates_name_an_original_with_almost_the_same_text(kind: str) -> None:
    web, count = demo(), 0
    for number in range(web.plan.pages):
        label = web.label(web.page(number).label.url)
        if label.duplicate != kind:
            continue
        count += 1
        host, target = target_of(web, label.duplicate_of)
        local = web.number(host, target)
        assert local is not None
        original = web.page(host.first + local)
        assert not original.label.duplicate
        assert original.label.allowed
        mine, other = "".join(paragraphs_of(web.page(number))), "".join(paragraphs_of(original))
        assert (mine == other) == (kind == "exact")
        assert abs(len(mine) - len(other)) < 0.1 * len(other)
    assert count >= 5


@pytest.mark.parametrize(
    ("role", "told", "charset"),
    [
        ("observatory", "text/html; charset=gbk", "gbk"),
        ("stars", "text/html", "utf-8"),
        ("island-zh", "text/html; charset=utf-8", "gb18030"),
        ("taiwan", "text/html", "big5"),
    ],
)
def test_charsets_are_told_right_wrong_or_not_at_all(role: str, told: str, charset: str) -> None:
    web = demo()
    host = web.hosts[web.plan.roles.index(role)]
    answer = web.answer(host, web.facts.path(host, 8))
    text = answer.body.decode(charset)
    assert dict(answer.headers)["Content-Type"] == told
    assert "�" not in text
    assert ("charset=" in text) == (role in ("observatory", "stars"))
    assert "&#" not in text


def test_tags_for_robots_stand_in_page_and_header() -> None:
    web = demo()
    host = web.hosts[web.plan.roles.index("journal")]
    tags: Counter[str] = Counter()
    for local in range(host.size):
        page = web.page(host.first + local)
        tags["meta"] += bool(page.robots)
        tags["header"] += bool(page.robots_header)
        answer = web.answer(host, web.facts.path(host, local))
        assert (b'name="robots"' in answer.body) == bool(page.robots)
        assert ("X-Robots-Tag" in dict(answer.headers)) == bool(page.robots_header)
    assert tags["meta"] >= 2
    assert tags["header"] >= 1


@pytest.mark.parametrize(
    "plan",
    [{"roles": ("nobody",)}, {"topic": "nothing"}, {"pages": 5}],
)
def test_impossible_plans_are_refused(plan: dict[str, object]) -> None:
    arguments: dict[str, object] = {"seed": 1, "roles": ("plain-en",), "pages": 100, **plan}
    with pytest.raises(ValueError, match=r"unknown|too few"):
        Plan(**arguments)  # type: ignore[arg-type]


def test_unknown_preset_is_refused() -> None:
    with pytest.raises(ValueError, match="there are demo"):
        preset("huge")
