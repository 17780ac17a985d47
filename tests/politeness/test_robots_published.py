"""What the reference parser of RFC 9309 is tested for (google/robotstxt, robots_test.cc, every class of case), in words and
files of our own.

Two answers of it are Google's own, and ours differ. A line longer than 16 664 octets counts whole here. `%62` in a rule is
`b`, as RFC 9309 section 2.2.2 has it, for it is no reserved octet; the reference compares the octets as they stand.
"""

from __future__ import annotations

import pytest

from focuscrawl.politeness.robots import RobotsFile

CASES = [
    # Records: a colon that is missing is meant, an unknown name is none, letters of names may be large.
    ("user-agent tern\ndisallow /\n", "/a", False),
    ("agent: tern\nforbid: /\n", "/a", True),
    ("USER-AGENT: tern\nALLOW: /in\nDISALLOW: /\n", "/in/a", True),
    ("uSeR-aGeNt: tern\naLLoW: /in\ndIsAlLoW: /\n", "/out", False),
    # Groups: rules before the first agent are nobody's; an empty group shares the rules below; groups of one agent are one.
    ("allow: /a/b\n\nuser-agent: tern\ndisallow: /\n", "/a/b", False),
    ("user-agent: tern\ndisallow: /\nallow: /in\n\nuser-agent: gull\nallow: /gull\n", "/gull", False),
    ("user-agent: gull\n\nuser-agent: tern\nallow: /in\ndisallow: /\n", "/in", True),
    ("user-agent: tern\ndisallow: /\nuser-agent: gull\ndisallow: /x\nuser-agent: tern\nallow: /in\n", "/in", True),
    ("user-agent: tern\nsitemap: http://h/s\nuser-agent: gull\ndisallow: /\n", "/a", False),
    ("user-agent: tern\nwish: none\nuser-agent: gull\ndisallow: /\n", "/a", False),
    # Agents: the case of letters means nothing; the token ends where no letter, hyphen or underscore follows.
    ("user-agent: TERN\ndisallow: /\n", "/a", False),
    ("user-agent: Tern of the north\ndisallow: /\n", "/a", False),
    ("user-agent: *\ndisallow: /\nuser-agent: tern sings\nallow: /in\ndisallow: /\n", "/in", True),
    ("user-agent: terns\ndisallow: /\n", "/a", True),
    # The group for all holds only where none is ours, wherever it stands.
    ("user-agent: *\nallow: /\nuser-agent: tern\ndisallow: /\n", "/a", False),
    ("user-agent: gull\ndisallow: /\nuser-agent: *\nallow: /\n", "/a", True),
    ("user-agent: gull\ndisallow: /\n", "/a", True),
    ("user-agent: *\ndisallow: /x\nuser-agent: tern\ndisallow: /y\n", "/x", True),
    # Paths: the case of letters counts, and the longest rule, with a tie for Allow, in whatever order.
    ("user-agent: tern\ndisallow: /Nest\n", "/nest", True),
    ("user-agent: tern\ndisallow: /Nest\n", "/Nest", False),
    ("user-agent: tern\ndisallow: /n/egg.html\nallow: /n/\n", "/n/egg.html", False),
    ("user-agent: tern\nallow: /n/egg.html\ndisallow: /n/\n", "/n/egg.html", True),
    ("user-agent: tern\nallow: /n/egg.html\ndisallow: /n/\n", "/n/", False),
    ("user-agent: tern\ndisallow:\nallow:\n", "/a", True),
    ("user-agent: tern\ndisallow: /\nallow: /\n", "/a", True),
    ("user-agent: tern\ndisallow: /n\nallow: /n/\n", "/n", False),
    ("user-agent: tern\ndisallow: /n\nallow: /n/\n", "/n/", True),
    ("user-agent: tern\nallow: /egg\ndisallow: /*.html\n", "/egg.html", False),
    ("user-agent: tern\nallow: /n/egg.\ndisallow: /*.html\n", "/n/egg.html", True),
    ("user-agent: tern\nallow: /$\ndisallow: /\n", "/", True),
    ("user-agent: tern\nallow: /$\ndisallow: /\n", "/egg", False),
    # Octets: beyond ASCII they are compared as %XX, of either case; what is reserved stays as it is.
    ("user-agent: tern\ndisallow: /\nallow: /q?to=http://h?a&b\n", "/q?to=http://h?a&b", True),
    ("user-agent: tern\ndisallow: /\nallow: /巢\n", "/%E5%B7%A2", True),
    ("user-agent: tern\ndisallow: /\nallow: /%e5%b7%a2\n", "/%E5%B7%A2", True),
    ("user-agent: tern\ndisallow: /\nallow: /%E5%B7%A2\n", "/巢", True),
    ("user-agent: tern\ndisallow: /%6e%65%73%74\n", "/nest", False),
    ("user-agent: tern\ndisallow: /%6e%65%73%74\n", "/%6E%65%73%74", False),
    # Signs: `*` is any number of octets, `$` the end, `#` the end of the line.
    ("user-agent: tern\ndisallow: /n/a/egg\nallow: /n/*/leaf\n", "/n/a/egg", False),
    ("user-agent: tern\ndisallow: /n/*/egg\n", "/n/egg", True),
    ("user-agent: tern\ndisallow: /n/*/egg\n", "/n//egg", False),
    ("user-agent: tern\ndisallow: /n/*/egg\n", "/n/a/b/egg", False),
    ("user-agent: tern\ndisallow: /n/a$\n", "/n/a", False),
    ("user-agent: tern\ndisallow: /n/a$\n", "/n/a/", True),
    ("user-agent: tern\n# disallow: /\ndisallow: /n#leaf\n", "/n", False),
    ("user-agent: tern\n# disallow: /\ndisallow: /n#leaf\n", "/a", True),
    # An Allow for index.html is one for its folder.
    ("user-agent: *\nallow: /n/index.html\ndisallow: /\n", "/n/", True),
    ("user-agent: *\nallow: /n/index.html\ndisallow: /\n", "/n/index.html", True),
    ("user-agent: *\nallow: /n/index.html\ndisallow: /\n", "/n/index.htm", False),
    ("user-agent: *\nallow: /n/index.html\ndisallow: /\n", "/m/", False),
    # A line of any length counts whole.
    (f"user-agent: tern\ndisallow: /{'a' * 17_000}/egg\n", f"/{'a' * 17_000}/leaf", True),
    (f"user-agent: tern\ndisallow: /{'a' * 17_000}/egg\n", f"/{'a' * 17_000}/egg", False),
    # Lines end with CR, LF or both, the last one with nothing; a mark of UTF-8 before the first is none of it.
    ("user-agent: tern\rallow: /in\r\r\rdisallow: /\r", "/a", False),
    ("user-agent: tern\r\nallow: /in\r\n\r\ndisallow: /", "/a", False),
    ("user-agent: tern\nallow: /in\r\nuser-agent: gull\n\r\n\ndisallow: /", "/a", True),
    ("\ufeffuser-agent: tern\ndisallow: /\n", "/a", False),
    ("user-agent: tern\n\ufeffdisallow: /\n", "/a", True),
    # What follows the path of an address counts, its fragment and host do not; an address without a path is `/`.
    ("user-agent: tern\ndisallow: /*;v=1\n", "/a;v=1?b", False),
    ("user-agent: tern\ndisallow: /*@\n", "/a@b", False),
    ("user-agent: tern\ndisallow: /h\n", "", True),
    ("user-agent: tern\ndisallow: /\n", "", False),
    ("user-agent: tern\ndisallow: /a\n", "/b#/a", True),
    ("user-agent: tern\ndisallow: /*egg\n", "/b?u=http://h/egg", False),
]
PREFIXES = {
    "/fish": "/fish /fish.html /fish/salmon /fishheads /fishheads/y.html /fish.php?id=7 | /Fish.asp /catfish /?id=fish",
    "/fish*": "/fish /fish.html /fish/salmon /fishheads /fish.php?id=7 | /Fish.asp /catfish /?id=fish",
    "/fish/": "/fish/ /fish/?id=7 /fish/salmon.htm | /fish /fish.html /animals/fish/ /Fish/Salmon.asp",
    "/*.php": "/i.php /d/i.php /d/i.php?p /d/any.php.html /i.php/ /i?f=x.php/ | /php/ /i?php /windows.PHP",
    "/*.php$": "/i.php /d/i.php | /i.php?p /i.php/ /i.php5 /php/ /i?php /aaaphpaaa /windows.PHP",
    "/fish*.php": "/fish.php /fishheads/catfish.php?p | /Fish.PHP /fish.asp",
}
"""Rules, and the paths that match | those that do not, after the table in Google's description of its robots.txt."""
PATHS = [
    (rule, path, matches)
    for rule, paths in PREFIXES.items()
    for matches, part in zip((True, False), paths.split(" | "), strict=True)
    for path in part.split()
]


@pytest.mark.parametrize(("body", "path", "allowed"), CASES)
def test_cases(body: str, path: str, allowed: bool) -> None:
    assert RobotsFile.parse(body.encode()).allowed(f"http://h{path}", "tern") == allowed


@pytest.mark.parametrize(("rule", "path", "matches"), PATHS)
def test_paths_that_a_rule_matches(rule: str, path: str, matches: bool) -> None:
    for word, allowed in (("Allow", matches), ("Disallow", not matches)):
        other = "Disallow: /\n" if word == "Allow" else ""
        file = RobotsFile.parse(f"User-agent: tern\n{other}{word}: {rule}\n".encode())
        assert file.allowed(f"http://h{path}", "tern") == allowed


@pytest.mark.parametrize(
    ("mark", "whole"), [(b"\xef\xbb\xbf", True), (b"\xef\xbb", True), (b"\xef", True), (b"\xef\x11\xbf", False), (b"x", False)]
)
def test_a_part_of_the_mark_of_utf_8_is_skipped_and_other_noise_costs_its_line(mark: bytes, whole: bool) -> None:
    file = RobotsFile.parse(mark + b"user-agent: tern\ndisallow: /a\nuser-agent: tern\ndisallow: /b\n")
    assert file.allowed("http://h/a", "tern") != whole
    assert not file.allowed("http://h/b", "tern")


def test_sitemaps_are_nobodys() -> None:
    file = RobotsFile.parse(b"SITEMAP: http://h/1\nuser-agent: gull\nsite-map: http://h/2\ndisallow: /\nsitemap: http://h/3")
    assert file.sitemaps == ["http://h/1", "http://h/2", "http://h/3"]
