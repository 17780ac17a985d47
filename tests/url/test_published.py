"""What browsers are tested for: each class of case of the published suites for URLs and host names, with inputs of our own.

Sources: web-platform-tests, url/resources/urltestdata.json, toascii.json and IdnaTestV2.json, which is made from Unicode's
IdnaTestV2.txt (UTS #46); what is right follows from the URL Standard and UTS #46. Where our answer is another one, DIFFERENT
says why.
"""

from __future__ import annotations

import pytest

from focuscrawl.url.authority import normal_host
from focuscrawl.url.normalize import normalize

BASE = "http://h.test/d/p?q=1#f"
REFERENCES = {
    # White space: around an address, control characters, too; tabs and line ends within it.
    " http://a.test ": "http://a.test/",
    "\x00\x1b\x04 http://a.test/ \x1f\r": "http://a.test/",
    "ht\ttp://a\n.test:\r80/x\ty?z\nw": "http://a.test/xy?zw",
    "\u00a0x": "http://h.test/d/%C2%A0x",
    # Schemes: in any case; others, and what only looks like one.
    "HTTPS://A.test/B": "https://a.test/B",
    "ws://a.test": None,
    "mailto:x@a.test": None,
    "a+b-c.d:x": None,
    "1a:x": "http://h.test/d/1a:x",
    ":x": "http://h.test/d/:x",
    "h\u00adttp:x": "http://h.test/d/h%C2%ADttp:x",
    # Slashes: backslashes are slashes before the query; those behind the scheme may be few or many.
    "http:\\\\a.test\\b?c\\d": "http://a.test/b?c%5Cd",
    "http:x": "http://h.test/d/x",
    "http:/x": "http://h.test/x",
    "http:///a.test": "http://a.test/",
    "https:a.test": "https://a.test/",
    "https:/a.test": "https://a.test/",
    "//a.test": "http://a.test/",
    "////a.test/b": "http://a.test/b",
    "/\\a.test": "http://a.test/",
    "\\x": "http://h.test/x",
    "//": None,
    "http://": None,
    "http://?x": None,
    "http://#x": None,
    # User and password, of which none is kept; an @ in them.
    "http://u:p@a.test/": "http://a.test/",
    "http://u@p@a.test": "http://a.test/",
    "http://@a.test": "http://a.test/",
    "http://:@a.test": "http://a.test/",
    "http://u:p@/x": None,
    "http://a.test\\@b.test/": "http://a.test/@b.test/",
    # Ports.
    "http://a.test:": "http://a.test/",
    "http://a.test:0080/": "http://a.test/",
    "https://a.test:80/": "https://a.test:80/",
    "http://a.test:65535/": "http://a.test:65535/",
    "http://a.test:65536/": None,
    "http://a.test:8a/": None,
    "http://a.test:-8/": None,
    "http://a.test:8 /": None,
    # Dots in paths, plain and encoded; what only looks like them.
    ".": "http://h.test/d/",
    "..": "http://h.test/",
    "../../../x": "http://h.test/x",
    "x/./y/../z": "http://h.test/d/x/z",
    "x/%2e/y/%2E%2e": "http://h.test/d/x/",
    ".%2e/x": "http://h.test/x",
    "...": "http://h.test/d/...",
    "..%2fx": "http://h.test/d/..%2Fx",
    "..x/.y": "http://h.test/d/..x/.y",
    "/x/..;y": "http://h.test/x/..;y",
    "//a.test//..//x": "http://a.test//x",
    "/..//a.test//x": "http://h.test//a.test//x",
    # Queries and fragments.
    "?x?y": "http://h.test/d/p?x?y",
    "#x?y": "http://h.test/d/p?q=1",
    "x#y#z": "http://h.test/d/x",
    "": "http://h.test/d/p?q=1",
    "?x'\"<> y": "http://h.test/d/p?x%27%22%3C%3E%20y",
    # Signs in paths that are sent as %XX.
    "x y\"<>`{}'": "http://h.test/d/x%20y%22%3C%3E%60%7B%7D'",
    "\u4e2d?\u6587": "http://h.test/d/%E4%B8%AD?%E6%96%87",
    "\ufffd\ufdd0": "http://h.test/d/%EF%BF%BD%EF%B7%90",
    "x%2fy%c3%a9": "http://h.test/d/x%2Fy%C3%A9",
}
DIFFERENT = {
    # One address for one page, whoever writes it.
    "?": ("http://h.test/d/p", "an empty query says nothing"),
    "%7e%41": ("http://h.test/d/~A", "RFC 3986, section 6.2.2.2: what needs no encoding has none"),
    "x%": ("http://h.test/d/x%25", "a lone % means itself, and is sent as one"),
    "x%zz": ("http://h.test/d/x%25zz", "the same"),
    "x|y^[]": ("http://h.test/d/x%7Cy%5E%5B%5D", "servers read both forms alike; RFC 3986 knows this one"),
    "http://a.test./": ("http://a.test/", "the same server"),
    # What no server can be asked for.
    "x\x01y": (None, "control characters within an address: no server has them, and request lines are made of it"),
    "x%00": (None, "the same"),
    "x\x7fy": (None, "the same"),
    "x\ud800": (None, "half a character, which no parser of HTML gives"),
    "http://a.test:0/": (None, "no server listens there"),
    # Host names that no name server can hold.
    "http://a..test/": (None, "an empty label"),
    "http://.test/": (None, "the same"),
    "http://1.2.09../": (None, "the same"),
    "http://a!$&'()*+,;=.test/": (None, "signs that no label has"),
    f"http://{'a' * 64}.test/": (None, "more than 63 octets"),
}
HOSTS = {
    # Addresses: of one to four numbers in three bases, where the last label is one.
    "1.2.3.4.": "1.2.3.4",
    "0300.168.0xF0": "192.168.0.240",
    "0x.0x0.0": "0.0.0.0",
    "256": "0.0.1.0",
    "0xffffffff": "255.255.255.255",
    "1.2.65535": "1.2.255.255",
    "1e2": "1e2",
    "4294967296": None,
    "1.2.3.4.5": None,
    "1.2.3.256": None,
    "256.2.3.4": None,
    "1.2.3.08": None,
    "09.2.3.4": None,
    "a.2.3.4": None,
    "a.0x4": None,
    "a.0x": None,
    "1..2": None,
    "\U0001f4a9.123": None,
    "\uff10\uff38\uff46.1": "15.0.0.1",
    "%30%78%37%66.1": "127.0.0.1",
    # IPv6: the shortest form; IPv4 in its end; what is too long, too short, or has a zone.
    "[0:0:0:1:0:0:0:0]": "[0:0:0:1::]",
    "[0:1:0:0:0:1:0:0]": "[0:1::1:0:0]",
    "[::FFFF:1.2.3.4]": "[::ffff:102:304]",
    "[1::2::3]": None,
    "[0:1:2:3:4:5:6:7:8]": None,
    "[1:2:3:4:5:6:7:]": None,
    "[:1]": None,
    "[::1.2.3.4.]": None,
    "[::1.2.3]": None,
    "[::1.2.3.256]": None,
    "[::1%25eth0]": None,
    "[::1": None,
    "[::1]x": None,
    # Signs that a host cannot have, however they are written.
    "a b": None,
    "a%20b": None,
    "a<b": None,
    "a%7Cb": None,
    "a^b": None,
    "a%zz": None,
    "%25": None,
    "\uff05\uff10\uff10.test": None,
    "a\x7f": None,
    "\ufffd.test": None,
    "%ef%bf%bd": None,
    # Mapping: case, width, compatibility, composition; ignored signs; dots of other scripts.
    "FASS.test": "fass.test",
    "Fa\u00df.test": "xn--fa-hia.test",
    "\u1e9e.test": "xn--zca.test",
    "\u03b2\u038c\u03bb\u03bf\u03c2": "xn--nxasmm1c",
    "\uff26\u24de\u24de.test": "foo.test",
    "\u2167.test": "viii.test",
    "u\u0308.test": "xn--tda.test",
    "\u00dc.XN--TDA": "xn--tda.xn--tda",
    "a\u00adb\u200b\u2060\ufeff.test": "ab.test",
    "a%C2%ADb": "ab",
    "\u00ad": None,
    "a\u3002b\uff0ec\uff61": "a.b.c",
    "\u2025": None,
    "a\u2488test": None,
    "\u2260": "xn--1ch",
    "\u226e.\u226f": "xn--gdh.xn--hdh",
    "\u00a1": "xn--7a",
    "\u19da": "xn--pkf",
    # Hyphens may stand anywhere.
    "-x.x-.aa--bb": "-x.x-.aa--bb",
    "-\u2020.a\u2020--": "xn----xhn.xn--a---kp0a",
    # Punycode: in a name with other signs of what is mapped already, and of more than ASCII; in ASCII it stands for itself.
    "xn--zca.\u00df": "xn--zca.xn--zca",
    "xn--a.\u00df": None,
    "xn--.\u00df": None,
    "xn--a-.\u00df": None,
    "xn--\u00e4.test": None,
    "xn--zn7c.\u00df": None,
    "xn--u-ccb.\u00df": None,
    "xn--a-yoc.\u00df": None,
    "xn--xn---epa.\u00df": None,
    "\uff58\uff4e--a": None,
    "xn--zca=": None,
    "XN--a": "xn--a",
    "%78n--a": "xn--a",
    "xn--": "xn--",
    "xn--8i7caa.test": "xn--8i7caa.test",
    "2.xn--mgbb": "2.xn--mgbb",
    # A label begins with no combining sign, and joiners join.
    "\u0301a.test": None,
    "a\u0301.test": "xn--1ca.test",
    "a\u200cb": None,
    "a\u200db": None,
    "xn--1ug.\u00df": None,
    "xn--1ug.test": "xn--1ug.test",
    "\u0dc1\u0dca\u200d\u0dbb\u0dd3.test": "xn--10cl1a0b660p.test",
    "\u0646\u0627\u0645\u0647\u200c\u0627\u06cc": "xn--mgba3gch31f060k",
    # Right to left: a label has one direction, ends in it, and has digits of one kind. Labels in ASCII beside them may begin
    # with a digit: toascii.json takes them, UTS #46 does not (B1), and browsers leave its cases of direction out.
    "\u05d0\u05d1.test": "xn--4dbc.test",
    "\u064aa": None,
    "a\u05d0": None,
    "1\u00e0.\u05d0": None,
    "\u00e01.\u05d0": "xn--1-rfa.xn--4db",
    "\u05d01\u0661": None,
    "\u05d0\u0308.\u00e0": "xn--ssa73l.xn--0ca",
    "1.\u064a": "1.xn--mhb",
    "\u064a.1": None,
    # Lengths of labels: 63 octets as DNS counts them.
    "x" * 63: "x" * 63,
    f"{'x' * 59}\u00e4": None,
}


@pytest.mark.parametrize(("reference", "expected"), REFERENCES.items())
def test_references(reference: str, expected: str | None) -> None:
    assert normalize(reference, BASE) == expected


@pytest.mark.parametrize(("reference", "expected"), [(reference, answer) for reference, (answer, _) in DIFFERENT.items()])
def test_where_our_form_is_another_one(reference: str, expected: str | None) -> None:
    assert normalize(reference, BASE) == expected


@pytest.mark.parametrize(("host", "expected"), HOSTS.items())
def test_hosts(host: str, expected: str | None) -> None:
    assert normal_host(host) == expected
    if expected:
        assert normal_host(expected) == expected
