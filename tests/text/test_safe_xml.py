"""XML of others is read without what could harm."""

from __future__ import annotations

import gzip

import pytest

from focuscrawl.text.safe_xml import is_packed, name_of, root_of, unpacked


def test_a_file_is_unpacked_up_to_a_limit() -> None:
    packed = gzip.compress(b"<urlset/>")
    assert (is_packed(packed), is_packed(b"<urlset/>")) == (True, False)
    assert unpacked(packed) == b"<urlset/>"
    assert unpacked(packed, 4) == b"<url"


@pytest.mark.parametrize("start", ["", " ", "<?xml version='1.0'?>", "<!-- a file --> ", "<!DOCTYPE rss PUBLIC '-//N//DTD'>"])
def test_the_root_is_found_behind_a_prolog(start: str) -> None:
    assert name_of(root_of(f"{start}<RSS><a/></RSS>")) == "rss"


@pytest.mark.parametrize("text", ["", "plain text", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"])
def test_what_is_no_xml_or_declares_entities_has_no_root(text: str) -> None:
    assert root_of(text) is None


def test_an_ampersand_that_begins_no_reference_of_xml_is_one() -> None:
    assert root_of("<a>?b=1&c=2 &nbsp;&lt;&#65;</a>").text == "?b=1&c=2 &nbsp;<A"


def test_names_have_no_namespace_and_comments_no_name() -> None:
    root = root_of("<s:UrlSet xmlns:s='http://sitemaps.example/'/>")
    assert name_of(root) == "urlset"
