"""Matching: our corpus of robots.txt files, odd encodings, hostile sizes."""

from __future__ import annotations

import gzip
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from focuscrawl.politeness.robots import (
    ALLOW_ALL,
    MAX_BYTES,
    MAX_SITEMAPS,
    RobotsFile,
    product_token,
)
from tests.linear_time import linear

_CASES: list[dict[str, Any]] = tomllib.loads((Path(__file__).parent / "data" / "robots.toml").read_text(encoding="utf-8"))[
    "case"
]
_RULES = b"User-agent: foo\nDisallow: /x\n"


def _allowed(body: bytes, path: str, agent: str = "foo") -> bool:
    return RobotsFile.parse(body).allowed("http://h" + path, agent)


@pytest.mark.parametrize("case", _CASES, ids=[case["name"] for case in _CASES])
def test_corpus(case: dict[str, Any]) -> None:
    file = RobotsFile.parse(case["body"].encode())
    agent = case.get("agent", "foo")
    for path in case.get("allowed", ()):
        assert file.allowed("http://h" + path, agent), path
    for path in case.get("refused", ()):
        assert not file.allowed("https://h:8443" + path, agent), path
        assert file.rule("https://h:8443" + path, agent).startswith("Disallow: ")
    for path, line in case.get("rule", {}).items():
        assert file.rule("http://h" + path, agent) == line
    assert file.crawl_delay(agent) == case.get("delay")
    assert file.sitemaps == case.get("sitemaps", [])


@pytest.mark.parametrize(
    "body",
    [
        b"\xef\xbb\xbf" + _RULES,
        b"\xff\xfe" + _RULES.decode().encode("utf-16-le"),
        b"\xfe\xff" + _RULES.decode().encode("utf-16-be"),
        b"\x00" + _RULES.replace(b"foo", b"f\x00oo"),
        b"# \xff\xfe\xa0 no utf-8\n" + _RULES,
        gzip.compress(_RULES),
        gzip.compress(_RULES)[:-6],
    ],
    ids=["utf-8 mark", "utf-16-le", "utf-16-be", "NUL", "latin-1 comment", "gzip without label", "gzip cut off"],
)
def test_encodings(body: bytes) -> None:
    assert not _allowed(body, "/x")
    assert _allowed(body, "/y")


def test_a_size_of_500_kib_counts_and_the_rest_does_not() -> None:
    filler = b"# " + b"x" * 97 + b"\n"
    body = b"User-agent: foo\nDisallow: /early\n" + filler * (MAX_BYTES // 100) + b"\nDisallow: /late\n"
    assert not _allowed(body, "/early")
    assert _allowed(body, "/late")
    within = body[: MAX_BYTES - 40].rpartition(b"\n")[0] + b"\nDisallow: /within\n"
    assert not _allowed(within, "/within")


def test_a_rule_cut_by_the_limit_does_not_become_a_wider_one() -> None:
    head = b"User-agent: foo\n" + b"# " + b"x" * (MAX_BYTES - 16 - 2 - 1 - 12) + b"\n"
    assert _allowed(head + b"Disallow: /only/this/page\n", "/other")


@pytest.mark.slow
@pytest.mark.parametrize(
    "body",
    [
        b"User-agent: *\n" + b"".join(b"Disallow: /p%d\n" % i for i in range(100_000)),
        b"User-agent: *\n" + b"".join(b"Disallow: /*p%d%%62$\n" % i for i in range(100_000)),
        b"User-agent: *\nDisallow: /" + b"a*" * 500_000,
        b"User-agent: *\n" * 100_000,
        b"user-agent" * 100_000,
        gzip.compress(b"User-agent: *\nDisallow: /y\n" + b"\n" * 50_000_000),
        b"\x00" * 10_000_000,
    ],
    ids=["100k rules", "100k wildcards", "1 MB line", "100k agents", "no line end", "gzip bomb", "NULs"],
)
def test_hostile_files_take_no_time(body: bytes) -> None:
    with linear():
        file = RobotsFile.parse(body)
        file.allowed("http://h/" + "a" * 2_000, "foo")
        file.allowed("http://h/p17/x", "foo")


def test_every_rule_within_500_kib_is_obeyed() -> None:
    body = b"User-agent: *\n" + b"".join(b"Disallow: /p%d/\n" % i for i in range(20_000))
    assert not _allowed(body, "/p0/")
    assert not _allowed(body, "/p19999/")
    assert _allowed(body, "/p20000/")


def test_long_lines_are_obeyed() -> None:
    long = "/" + "a" * 20_000
    assert not _allowed(f"User-agent: foo\nDisallow: {long}\n".encode(), long + "b")
    assert _allowed(f"User-agent: foo\nDisallow: {long}\n".encode(), "/a")
    agents = ", ".join(f"robot-{'x' * (n % 9)}" for n in range(2_000))
    assert not _allowed(f"User-agent: {agents}, foo\nDisallow: /x\n".encode(), "/x")


def test_sitemaps_are_capped() -> None:
    file = RobotsFile.parse(b"Sitemap: http://h/s\n" * 1_100)
    assert len(file.sitemaps) == MAX_SITEMAPS


@pytest.mark.parametrize(
    ("agent", "token"),
    [
        ("Foo", "foo"),
        ("foo/1.0 (x)", "foo"),
        ("foo-bar_baz x", "foo-bar_baz"),
        ("*", "*"),
        ("* x", "*"),
        ("*x", ""),
        ("9", ""),
    ],
)
def test_product_token(agent: str, token: str) -> None:
    assert product_token(agent) == token


def test_a_constant_file() -> None:
    assert ALLOW_ALL.allowed("http://h/x", "foo")


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300), st.sampled_from(["/", "/a", "/a?b=%zz", "/中"]))
def test_any_bytes_are_read(noise: bytes, path: str) -> None:
    file = RobotsFile.parse(b"User-agent: foo\n" + noise)
    assert file.allowed("http://h" + path, "foo") or file.rule("http://h" + path, "foo").startswith("Disallow")


_SIGNS = st.text("/ab*$?=&%{}.~'中", max_size=8)
_ESCAPED = st.lists(
    st.sampled_from(["/", "a", "b", "*", "$", "?", "=", "%41", "%2f", "%2A", "%24", "%3D", "%e4%b8%ad", "中", "index.html"])
).map("".join)


@settings(max_examples=500, deadline=None)
@example([(False, "a=b")], "a%3Db")
@given(st.lists(st.tuples(st.booleans(), _SIGNS | _ESCAPED), max_size=6), _SIGNS | _ESCAPED)
def test_a_refusal_names_its_line(rules: list[tuple[bool, str]], path: str) -> None:
    lines = [f"{'Allow' if allow else 'Disallow'}: /{pattern}" for allow, pattern in rules]
    file = RobotsFile.parse("\n".join(["User-agent: foo", *lines]).encode())
    rule = file.rule(f"http://h/{path}", "foo")
    assert rule.startswith("Disallow") != file.allowed(f"http://h/{path}", "foo")
