"""The normal form of a URL: by example, and by the properties that the frontier relies on."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.url.normalize import MAX_INPUT, join, normalize, split

PAGE = "http://www.example.com/d/e/p.html?q=1"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("HTTP://User:pw@EXAMPLE.com.:80/a#f", "http://example.com/a"),
        ("https://example.com:443", "https://example.com/"),
        ("http://example.com:443/", "http://example.com:443/"),
        ("https://example.com:0080/", "https://example.com:80/"),
        ("http://example.com:/", "http://example.com/"),
        ("http://example.com?", "http://example.com/"),
        ("http://example.com?a=1", "http://example.com/?a=1"),
        ("http://example.com/%7efoo/%41%2f%e4%b8%ad", "http://example.com/~foo/A%2F%E4%B8%AD"),
        ("http://example.com/wiki/A_%28b%29", "http://example.com/wiki/A_(b)"),
        ("http://example.com/a/./b/../c/%2E%2e/d/.", "http://example.com/a/d/"),
        ("http://example.com/../../x", "http://example.com/x"),
        ("http://example.com/a//b", "http://example.com/a//b"),
        ("http://example.com/100%/%zz/%%41", "http://example.com/100%25/%25zz/%25A"),
        ("http://example.com/路 径", "http://example.com/%E8%B7%AF%20%E5%BE%84"),
        ('http://example.com/a|b[c]^`{}"<>', "http://example.com/a%7Cb%5Bc%5D%5E%60%7B%7D%22%3C%3E"),
        ("http://example.com/x?a[]=1&b='", "http://example.com/x?a%5B%5D=1&b=%27"),
        ("http://example.com\\a\\..\\b?c\\d", "http://example.com/b?c%5Cd"),
        (" \thttp://exa\nmple.com/a\r\n/b ", "http://example.com/a/b"),
        ("http://example.com/a#\x00\x1b\x7f\udc80", "http://example.com/a"),
        ("http://\u2603.net/\u2603", "http://xn--n3h.net/%E2%98%83"),
        ("http:/example.com/a", "http://example.com/a"),
        ("https:////example.com/a", "https://example.com/a"),
        ("http:example.com", "http://example.com/"),
        ("http://example.com/?b=2&a=1&b=1", "http://example.com/?b=2&a=1&b=1"),
        ("http://example.com/??a", "http://example.com/??a"),
        ("http://example.com/?&&a=1&&", "http://example.com/?a=1"),
    ],
)
def test_absolute_forms(url: str, expected: str) -> None:
    assert normalize(url) == expected


@pytest.mark.parametrize(
    "url",
    ["", "/x", "//example.com/x", "x.html", "mailto:a@b.c", "tel:123", "javascript:void(0)", "data:text/html,x",
     "about:blank", "blob:http://example.com/1", "ws://example.com/", "ftp://example.com/", "file:///etc/passwd",
     "http://", "http:", "http:///", "http://:80/", "http://example.com:x/", "http://example.com:70000/",
     "http://example.com:0/", "http://exam ple.com/", "http://a\x00b.com/", "http://example.com/\x00b",
     "http://example.com/a\x1bb", "http://example.com/%00", "http://example.com/?a=%00", "http://example.com/\udc80",
     "http://example.com/\x7f", "http://" + "a" * 70000, "view-source:http://example.com/"],
)  # fmt: skip
def test_what_is_no_web_address(url: str) -> None:
    assert normalize(url) is None


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("", PAGE),
        ("#top", PAGE),
        ("?z=2", "http://www.example.com/d/e/p.html?z=2"),
        ("a", "http://www.example.com/d/e/a"),
        ("./a/", "http://www.example.com/d/e/a/"),
        ("..", "http://www.example.com/d/"),
        ("../../../../a", "http://www.example.com/a"),
        ("/r?x#y", "http://www.example.com/r?x"),
        ("//other.org", "http://other.org/"),
        ("\\\\other.org\\a", "http://other.org/a"),
        ("/\\other.org", "http://other.org/"),
        ("http:a", "http://www.example.com/d/e/a"),
        ("https:a", "https://a/"),
        ("mailto:x@y.z", None),
        ("a:b", None),
        ("./a:b", "http://www.example.com/d/e/a:b"),
    ],
)
def test_relative_references(reference: str, expected: str | None) -> None:
    assert normalize(reference, PAGE) == expected


def test_the_base_itself_is_brought_into_normal_form() -> None:
    assert normalize("../x", "HTTP://Example.COM:80/a/b/c?utm_source=z#f") == "http://example.com/a/x"
    assert normalize("x", "about:blank") is None
    assert normalize("x", "no base") is None
    assert normalize("x", "http://example.com") == "http://example.com/x"
    assert normalize("x", "http://example.com/" + "a" * 5000 + "/b") == "http://example.com/" + "a" * 5000 + "/x"


@pytest.mark.parametrize(
    ("charset", "expected"),
    [
        ("utf-8", "%E4%B8%AD%E6%96%87"),
        ("gb2312", "%D6%D0%CE%C4"),
        ("GBK", "%D6%D0%CE%C4"),
        ("gb18030", "%D6%D0%CE%C4"),
        ("big5", "%A4%A4%A4%E5"),
        ("euc-jp", "%C3%E6%CA%B8"),
        ("iso-8859-1", "%26%2320013%3B%26%2325991%3B"),
        ("utf-16", "%E4%B8%AD%E6%96%87"),
        ("no such charset", "%E4%B8%AD%E6%96%87"),
        ("base64", "%E4%B8%AD%E6%96%87"),
        ("\0", "%E4%B8%AD%E6%96%87"),
    ],
)
def test_queries_go_in_the_charset_of_the_page(charset: str, expected: str) -> None:
    assert normalize("/中?q=中文", PAGE, charset) == f"http://www.example.com/%E4%B8%AD?q={expected}"


def test_what_the_charset_cannot_hold_becomes_a_character_reference() -> None:
    assert normalize("?q=é&r=😀", "http://h.com/", "iso-8859-1") == "http://h.com/?q=%E9&r=%26%23128512%3B"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("utm_source=a&UTM_Medium=b&id=1", "id=1"),
        ("fbclid=x", ""),
        ("id=1&spm=a21bo.2017&scm=1007", "id=1"),
        ("fromModule=lemma_inlink", ""),
        ("vd_source=abc&p=2", "p=2"),
        ("from=timeline&id=3", "id=3"),
        ("from=beijing", "from=beijing"),
        ("source=catalog", "source=catalog"),
        ("source=read_next_recirc-----24fee3bb----4-------------------&id=1", "id=1"),
        ("source=post_page---byline--77", ""),
        ("%75tm_source=a", ""),
        ("PHPSESSID=abc&x=1", "x=1"),
        ("jsessionid=1.node1", ""),
        ("ASPSESSIONIDQQABCD=KLM&x=1", "x=1"),
        ("cfid=12&cftoken=99&x=1", "x=1"),
        ("cfid=12", "cfid=12"),
        ("sid=0123456789abcdef0123456789abcdef&x=1", "x=1"),
        ("sid=1234", "sid=1234"),
        ("sid=12345678901234567890", "sid=12345678901234567890"),
        ("s=0123456789abcdef", "s=0123456789abcdef"),
        ("s=0123456789abcdef0123456789abcdef", ""),
        ("session=morning", "session=morning"),
        ("gclid", ""),
        ("a=utm_source=1", "a=utm_source=1"),
    ],
)
def test_tracking_and_sessions_leave_the_query(query: str, expected: str) -> None:
    tail = f"?{expected}" if expected else ""
    assert normalize(f"http://example.com/p?{query}") == f"http://example.com/p{tail}"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/a.jsp;jsessionid=AB.n1?x=1", "/a.jsp?x=1"),
        ("/a;JSESSIONID=AB/b", "/a/b"),
        ("/a;%6Asessionid=AB", "/a"),
        ("/a;sid=0123456789abcdef0/b", "/a/b"),
        ("/a;sid=7/b", "/a;sid=7/b"),
        ("/a;v=1.1", "/a;v=1.1"),
        ("/(S(lit3py55t21z5v55vlm25s55))/p.aspx", "/p.aspx"),
        ("/(hello)/p", "/(hello)/p"),
        ("/a/..;jsessionid=1/b", "/b"),
    ],
)
def test_sessions_leave_the_path(path: str, expected: str) -> None:
    assert normalize("http://example.com" + path) == "http://example.com" + expected


def test_long_addresses_are_normalized_up_to_a_cap() -> None:
    assert normalize("http://example.com/" + "a" * 2100) == "http://example.com/" + "a" * 2100
    assert normalize("http://example.com/" + "a" * MAX_INPUT) is None
    assert normalize("x" * (MAX_INPUT - 100), "http://example.com/" + "y" * 200 + "/") is None


def test_an_address_that_is_too_long_in_normal_form_has_none() -> None:
    for written in ("字" * 900, "?" + "字" * 900):  # nine characters each
        normal = normalize("http://example.com/" + written)
        assert normal
        assert normalize(normal) == normal
        assert normalize("http://example.com/" + written[:1] + "字" * 1000) is None


def test_split_and_join_are_inverse() -> None:
    for url in ("http://example.com/", "https://example.com:8443/a/b?c=/d", "http://[::1]:8080/x"):
        assert join(*split(url)) == url
    assert split("https://example.com:8443/a?b=1") == ("https://example.com:8443", "/a?b=1")


hosts = st.sampled_from(["example.com", "EXAMPLE.com.", "例子.中国", "127.1", "[::1]", "a_b.org:8080", "x..y", "u:p@h.cn:80"])
pieces = [
    *"aZ0-._~%/?#&=;:@\\ \t[]()'+!中é😀\u3000\x00\udc80",
    "%41",
    "%e4",
    "/..",
    "utm_a",
    ";sid=",
    "cftoken=",
    "/(S(",
]
texts = st.lists(st.sampled_from(pieces), max_size=20).map("".join)
anything = st.one_of(
    st.builds("http://{}{}".format, hosts, texts),
    st.builds("https://{}/{}".format, hosts, texts),
    texts,
    st.text(),
)
charsets = st.sampled_from(["utf-8", "gbk", "big5", "iso-8859-1", "utf-7", "nonsense"])


@pytest.mark.slow
@given(anything, charsets)
@settings(max_examples=400, deadline=None)
def test_normal_forms_map_to_themselves_and_parse(url: str, charset: str) -> None:
    normal = normalize(url, "http://example.com/d/p?x", charset)
    if normal is None:
        return
    assert normalize(normal, charset=charset) == normal
    assert normalize(normal, "http://elsewhere.org/", "big5") == normal
    assert normal.isascii()
    assert normal.isprintable()
    assert not set(normal) & set(' "<>\\^`{|}#')
    parts = urlsplit(normal)
    assert parts.scheme in ("http", "https")
    assert parts.hostname
    assert parts.username is None
    assert parts.port != 0
    assert parts.path.startswith("/")
    assert not {".", ".."} & set(parts.path.split("/"))


segment = st.text(alphabet="abcXYZ019-_~", min_size=1, max_size=6)
reference = st.lists(st.one_of(segment, st.just(".."), st.just(".")), min_size=1, max_size=6).map("/".join)
plain_base = st.lists(segment, max_size=5).map(lambda parts: "http://example.com/" + "/".join(parts))


@pytest.mark.slow
@given(plain_base, reference, st.booleans())
@settings(max_examples=200, deadline=None)
def test_plain_references_resolve_as_the_standard_library_does(base: str, reference: str, rooted: bool) -> None:
    reference = "/" + reference if rooted else reference
    assert normalize(reference, base) == normalize(urljoin(base, reference))
    if not reference.endswith("."):  # urljoin keeps `/.` at the end of rooted paths in some releases
        assert normalize(reference, base) == urljoin(base, reference)
