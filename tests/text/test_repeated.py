from __future__ import annotations

from focuscrawl.text.repeated import PIECES, SITES, SiteTexts, bare, digest

MENU, OFTEN, ONCE = (digest(bare(text)) for text in ("a menu of this site", "a section of it", "this page alone"))


def taught(pages: int, host: str = "a.example") -> SiteTexts:
    sites = SiteTexts()
    for number in range(pages):
        sites.learn(host, f"http://{host}/{number}", [MENU, digest(f"text of page number {number}"), *[OFTEN] * (number % 2)])
    return sites


def test_what_nearly_all_pages_share() -> None:
    found = taught(10).of("a.example")
    assert found.always == {MENU}
    assert found.often == {MENU, OFTEN}


def test_few_pages_teach_nothing() -> None:
    assert not taught(4).of("a.example").always
    assert not taught(10).of("b.example").always


def test_a_revisit_teaches_nothing_new() -> None:
    sites = SiteTexts()
    for _ in range(20):
        sites.learn("a.example", "http://a.example/same", [ONCE])
    assert not sites.of("a.example").always


def test_labels_are_too_short_to_tell() -> None:
    assert digest(bare("Notes: 1")) == 0
    sites = SiteTexts()
    for number in range(9):
        sites.learn("a.example", f"http://a.example/{number}", [0])
    assert not sites.of("a.example").always


def test_memory_is_bounded() -> None:
    sites = taught(10)
    for number in range(20):
        sites.learn("a.example", f"http://a.example/large/{number}", range(number * PIECES + 1, number * PIECES + 800))
    assert len(sites._sites["a.example"].counts) <= PIECES
    assert MENU in sites.of("a.example").often
    for number in range(SITES):
        sites.learn(f"{number}.example", "http://x.example/", [])
    assert len(sites._sites) == SITES
    assert not sites.of("a.example").often
