from __future__ import annotations

import pytest

from focuscrawl.reading.licence import licence_of, licence_of_link

BASE = "http://a.example/dir/page.html"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://creativecommons.org/licenses/by/4.0/", "CC-BY-4.0"),
        ("http://creativecommons.org/licenses/by-nc-sa/3.0", "CC-BY-NC-SA-3.0"),
        ("//creativecommons.org/licenses/by-sa/4.0/deed.zh-hans", "CC-BY-SA-4.0"),
        ("https://creativecommons.org/licenses/by-sa/2.5/cn/", "CC-BY-SA-2.5-CN"),
        ("https://creativecommons.org/licenses/by-nd/", "CC-BY-ND"),
        ("https://creativecommons.org/publicdomain/zero/1.0/", "CC0-1.0"),
        ("https://creativecommons.org/publicdomain/mark/1.0/", "CC-PDM-1.0"),
        ("https://www.gnu.org/licenses/fdl-1.3.html", "GFDL-1.3"),
        ("https://www.gnu.org/copyleft/fdl.html", "GFDL"),
        ("https://www.apache.org/licenses/LICENSE-2.0", "Apache-2.0"),
        ("https://opensource.org/licenses/MIT", "MIT"),
        ("https://spdx.org/licenses/ODC-By-1.0.html", "ODC-By-1.0"),
        ("CC BY-NC-SA 4.0", "CC-BY-NC-SA-4.0"),
        ("cc-by", "CC-BY"),
        ("CC0", "CC0-1.0"),
        ("Creative Commons Attribution-ShareAlike 4.0 International License", "CC-BY-SA-4.0"),
        ("采用 CC BY 4.0 协议", "CC-BY-4.0"),
        ("MIT", "MIT"),
    ],
)
def test_known_ones_have_their_spdx_identifier(text: str, expected: str) -> None:
    assert licence_of(text, BASE) == expected
    assert licence_of(text, BASE, sure=False) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/terms", "http://a.example/terms"),
        ("https://b.example/licence.html", "https://b.example/licence.html"),
        ("Free for  schools", "Free for schools"),
        ("mailto:me@a.example", ""),
    ],
)
def test_others_are_an_address_or_words_where_the_page_calls_them_so(text: str, expected: str) -> None:
    assert licence_of(text, BASE) == expected
    assert licence_of(text, BASE, sure=False) == ""


def test_a_link_is_known_by_its_address_then_by_its_words() -> None:
    assert licence_of_link("/copy", "CC BY 4.0", BASE) == "CC-BY-4.0"
    assert licence_of_link("https://creativecommons.org/licenses/by/3.0/", "CC BY 4.0", BASE) == "CC-BY-3.0"
    assert licence_of_link("/copy", "terms", BASE) == "http://a.example/copy"
