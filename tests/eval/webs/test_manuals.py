from __future__ import annotations

import zlib

import pytest

from tools.eval.webs.debian import Package, Registered, control_fields, registered
from tools.eval.webs.documentation import HALVES, content_type, generator, half, listed
from tools.eval.webs.manuals import MOST_PAGES, Rewriter, Site, file_links, file_target, reachable, resolved, sites

DOC = "/usr/share/doc/kiln-doc/html"


def package(pages: dict[str, str], **facts: object) -> Package:
    found = Package("kiln-doc", "doc", "manual of kiln", "How to fire clay.", "https://www.kiln.example.org/guide/")
    found.pages = {path: text.encode() for path, text in pages.items()}
    for name, value in facts.items():
        setattr(found, name, value)
    return found


def chain(count: int, root: str = DOC) -> dict[str, str]:
    """Pages of which each links to the next; the first is index.html."""
    names = ["index", *(f"page{number}" for number in range(1, count))]
    return {
        f"{root}/{name}.html": f'<a href="{after}.html">on</a>' for name, after in zip(names, [*names[1:], "none"], strict=True)
    }


def test_control_fields_keep_continued_lines_and_empty_ones() -> None:
    fields = control_fields("Package: kiln-doc\nDescription: manual\n It says how.\n .\n And why.\n")
    assert fields == {"package": "kiln-doc", "description": "manual\nIt says how.\n\nAnd why."}


def test_a_registration_names_the_html_manual_only() -> None:
    head = "Document: kiln\nTitle: Kiln Manual\nSection: Programming/C\n\nFormat: PDF\nFiles: /a.pdf\n"
    text = f"{head}\nFormat: HTML\nIndex: /a/index.html\n"
    assert registered(text) == [Registered("Kiln Manual", "Programming/C", "", "/a/index.html")]
    assert registered(head) == []


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("b.html#top", "/d/b.html"),
        ("../c/my%20page.html", "/c/my page.html"),
        ("file:///usr/share/doc/x/index.html", "/usr/share/doc/x/index.html"),
        ("#top", None),
        ("https://example.org/", None),
        ("mailto:a@example.org", None),
        ("http://[broken", None),
    ],
)
def test_a_link_names_a_file_or_none(href: str, target: str | None) -> None:
    assert file_target(href, "/d/a.html") == target


def test_links_frames_and_refresh_are_links_with_any_quotes() -> None:
    body = b"""<meta http-equiv="refresh" content="0; url=r.html"><frame src='f.html'><a class=x href=u.html>u</a>
    <a data-href="no.html" href="q.html?a=1&amp;b=2">q</a>"""
    assert sorted(file_links(body, "/d/a.html")) == ["/d/f.html", "/d/q.html", "/d/r.html", "/d/u.html"]


def test_symbolic_links_are_followed_and_circles_end() -> None:
    links = {"/usr/doc": "/usr/share/doc", "/usr/share/doc/a": "/usr/share/doc/b", "/x": "/y", "/y": "/x"}
    assert resolved("/usr/doc/a/i.html", links) == "/usr/share/doc/b/i.html"
    assert resolved("/x/i.html", links) in ("/x/i.html", "/y/i.html")


def test_a_manual_is_what_its_home_page_reaches_nearest_first() -> None:
    pages = chain(MOST_PAGES + 50) | {f"{DOC}/lost.html": "", "/usr/share/doc/kiln-doc/NEWS.html": ""}
    assert reachable(package(pages), DOC, f"{DOC}/index.html") == list(chain(MOST_PAGES + 1))[:MOST_PAGES]


def test_a_package_without_registration_has_the_manual_of_its_shallowest_home_page() -> None:
    (site,) = sites(package(chain(20) | {f"{DOC}/deep/index.html": ""}))
    assert (site.host, site.home, len(site.pages)) == ("kiln-doc.example", f"{DOC}/index.html", 20)
    assert site.url(f"{DOC}/a b.html") == "http://kiln-doc.example/a%20b.html"


def test_each_registered_manual_is_a_host_and_small_ones_are_left_out() -> None:
    pages = {**chain(20, "/m/api"), **chain(20, "/m/guide"), **chain(3, "/m/tiny")}
    facts = [Registered(name, "Text", "", f"/m/{name}/index.html") for name in ("api", "guide", "tiny")]
    found = sites(package(pages, registered=facts))
    assert [site.host for site in found] == ["api.kiln-doc.example", "guide.kiln-doc.example"]


def two_sites() -> tuple[Site, Site]:
    text = (
        '<a href="page1.html#x">near</a> <a href="/usr/doc/glaze/i.html?q#y">far</a> <a href="https://glaze.example.org/doc/salt.html">up</a>'
        ' <a href="https://glaze.example.org/">home</a> <a href="https://other.example.org/">out</a> <a href="sub/">dir</a>'
    )
    kiln = Site("kiln.example", "kiln-doc", "", "", "", "", "", "/k", "/k/index.html")
    kiln.pages = {path: zlib.compress(text.encode()) for path in ("/k/index.html", "/k/page1.html", "/k/sub/index.html")}
    glaze = Site(
        "glaze.example",
        "glaze-doc",
        "",
        "",
        "",
        "",
        "http://www.glaze.example.org",
        "/usr/share/glaze",
        "/usr/share/glaze/i.html",
    )
    glaze.pages = {path: zlib.compress(b"") for path in ("/usr/share/glaze/i.html", "/usr/share/glaze/salt.html")}
    return kiln, glaze


def test_links_between_manuals_and_to_their_upstream_lead_to_their_hosts_and_nothing_else_changes() -> None:
    kiln, glaze = two_sites()
    rewriter = Rewriter([kiln, glaze], {"/usr/doc/glaze": "/usr/share/glaze"})
    assert rewriter.page(kiln, "/k/index.html").decode() == (
        '<a href="page1.html#x">near</a> <a href="http://glaze.example/i.html#y">far</a> <a href="http://glaze.example/salt.html">up</a>'
        ' <a href="http://glaze.example/i.html">home</a> <a href="https://other.example.org/">out</a>'
        ' <a href="http://kiln.example/sub/index.html">dir</a>'
    )
    assert rewriter.across == {("kiln.example", "glaze.example"): 3}


def test_halves_are_by_name_alone_and_hold_all_packages() -> None:
    names = listed()
    assert len(names) == len(set(names)) > 100
    sizes = [sum(half(name) == web for name in names) for web in HALVES]
    assert sum(sizes) == len(names)
    assert min(sizes) > 0.4 * len(names)


def test_the_encoding_is_named_where_the_page_does_not() -> None:
    assert content_type(b'<meta charset="koi8-r">') == "text/html"
    assert content_type("für".encode()) == "text/html; charset=utf-8"
    assert content_type("für".encode("latin-1")) == "text/html; charset=iso-8859-1"


def test_the_generator_is_what_the_page_says_or_what_gives_it_away() -> None:
    assert generator(b'<meta name="generator" content="Docutils 0.19">') == "sphinx"
    assert generator(b'<meta name="Generator" content="gtk-doc V1.33">') == "gtk-doc"
    assert generator(b"<!-- Generated by javadoc (17) -->") == "javadoc"
    assert generator(b"<p>by hand</p>") == "unknown"
