from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.url.hosts import host_name
from focuscrawl.url.normalize import normalize
from focuscrawl.url.readable import readable, readable_host, url_text


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://a.test/x?y=1", "http://a.test/x?y=1"),
        ("http://xn--fiq228c.com/%E6%90%9C%E7%B4%A2/a?q=%E7%88%AC%E8%99%AB", "http://中文.com/搜索/a?q=爬虫"),
        ("http://a.test/a%2Fb%E4%B8%AD", "http://a.test/a%2Fb中"),
        ("http://a.test/%CB%D1%CB%F7", "http://a.test/%CB%D1%CB%F7"),  # GBK
        ("http://a.test/%E2%80%AEgpj.exe", "http://a.test/%E2%80%AEgpj.exe"),  # right-to-left override
        ("http://a.test/%E3%80%80", "http://a.test/%E3%80%80"),  # a space
        ("http://a.test/caf%C3%A9", "http://a.test/café"),
    ],
)
def test_text_is_shown_only_if_it_can_be_typed_in_again(url: str, shown: str) -> None:
    assert normalize(url) == url
    assert readable(url) == shown


@given(st.text(max_size=20))
@settings(max_examples=60)
def test_what_is_shown_is_the_same_address(text: str) -> None:
    url = normalize(f"http://a.test/{text}")
    if url is not None:
        assert normalize(readable(url)) == url


def test_hosts() -> None:
    assert readable_host("xn--fiq228c.com:8080") == "中文.com:8080"
    assert readable_host("xn--a.test") == "xn--a.test"
    assert readable_host("a.test") == "a.test"


@pytest.mark.parametrize("host", ["аpple.com", "pаypal.com", "αpple.com", "scоре.com", "а中.com", "ꓮpple.com", "www.a-б.рф"])
def test_a_host_that_mixes_scripts_is_shown_as_it_is_sent(host: str) -> None:
    sent = host_name(normalize(f"http://{host}/") or "")
    assert "xn--" in sent
    assert readable_host(f"{sent}:81") == f"{sent}:81"
    assert readable(f"http://{sent}/%E4%B8%AD") == f"http://{sent}/中"


@pytest.mark.parametrize(
    "host",
    [
        "中国.cn", "中文abc.com", "東京tower.jp", "ひらがなカタ漢字ー.jp", "日本々.jp", "ㄅㄆ中.tw", "한국어a.kr", "bücher.de",
        "café-münchen.fr", "москва.рф", "дом.com", "ру-2.ru", "ελλάδα.gr", "भारत.com", "مثال.com", "ไทย.com",
    ],
)  # fmt: skip
def test_a_host_whose_scripts_are_written_together_is_shown_in_characters(host: str) -> None:
    assert readable_host(host_name(normalize(f"http://{host}/") or "")) == host


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("http://www.postgresql.org/docs/15/sql-createIndex.html", "postgresql /docs/15/sql-create Index"),
        ("http://docs.python.org/3/library/sqlite3.html?highlight=x", "docs python /3/library/sqlite3"),
        ("http://a.example/wiki/%E6%95%B0%E6%8D%AE%E5%BA%93", "a /wiki/数据库"),
        ("http://a.example/%ff%fe/x_y", "a //x y"),
        ("http://www.xn--rt3a77k.xn--fiqs8s:8080/a", "铁路 /a"),
        ("http://localhost/", " /"),
        ("http://127.0.0.1:8000/rail", " /rail"),
        ("http://[2001:db8::1]:8000/rail", " /rail"),
        ("http://2020.example.org/", "2020 example /"),
    ],
)
def test_words_of_an_address(url: str, text: str) -> None:
    assert url_text(url) == text
