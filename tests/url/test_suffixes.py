"""The public suffix list as tldextract reads it, host by host."""

from __future__ import annotations

import pytest
from tldextract import TLDExtract

from focuscrawl.url.hosts import registered_domain, site_mark
from focuscrawl.url.suffixes import suffix_labels

REFERENCE = TLDExtract(cache_dir=None, suffix_list_urls=(), include_psl_private_domains=True)


def hosts() -> set[str]:
    """For each rule of the list its suffix, hosts under it, and what looks like it; each in Unicode and in ASCII."""
    made = {"观天.test", "a.观天.test", "a.xn--p1ai", "a.xn--zz", "xn--.com", "1.2.3.999", "a_b.co.uk", "localhost.example"}
    for rule in REFERENCE.tlds:
        name = rule.removeprefix("!").replace("*", "star")
        made |= {name, f"a.{name}", f"c.b.{name}", f"x{name}", name.partition(".")[2], f"a.{name.partition('.')[2]}"}
    short = {host for host in made if "." in host.strip(".")}
    return short | {".".join(map(ascii_label, host.split("."))) for host in short}


def ascii_label(label: str) -> str:
    return label if label.isascii() else f"xn--{label.encode('punycode').decode()}"


def test_every_rule_is_read_as_tldextract_reads_it() -> None:
    found = {host: suffix_labels(host.split(".")) for host in hosts()}
    assert len(found) > 30_000
    wanted = {host: len(suffix.split(".")) if (suffix := REFERENCE(host).suffix) else 0 for host in found}
    assert {host: (found[host], wanted[host]) for host in found if found[host] != wanted[host]} == {}


@pytest.mark.parametrize(
    ("host", "site", "mark"),
    [
        ("www.city.kawasaki.jp", "city.kawasaki.jp", "city"),
        ("a.b.kawasaki.jp", "a.b.kawasaki.jp", "a"),
        ("b.kawasaki.jp", "b.kawasaki.jp", "b.kawasaki.jp"),
        ("a.b.test", "b.test", "b"),
        ("github.io", "github.io", "github.io"),
        ("x.a.github.io", "a.github.io", "a"),
    ],
)
def test_the_site_is_a_label_more_than_the_suffix(host: str, site: str, mark: str) -> None:
    assert (registered_domain(host), site_mark(host)) == (site, mark)
