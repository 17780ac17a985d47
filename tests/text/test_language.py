from __future__ import annotations

import pytest

from focuscrawl.text.language import code, detect

ENGLISH = "This is a page about the way in which web crawlers choose the pages that they are going to read next. " * 3


@pytest.mark.parametrize(
    ("text", "label", "expected"),
    [
        ("主题爬虫", "", "zh"),
        ("主题爬虫", "en", "zh"),
        ("使用 Scrapy 和 Python 编写的主题爬虫 with several English words", "en-US", "zh"),
        ("これは日本語のページです", "zh", "ja"),
        ("한국어 페이지", "", "ko"),
        (ENGLISH, "", "en"),
        (ENGLISH, "zh-CN", "en"),
        (ENGLISH + "中文", "", "en"),
        ("Les robots d'indexation sont des programmes qui parcourent le web et lisent les pages. " * 3, "en", "fr"),
        ("Home", "de-AT", "de"),
        ("", "", ""),
        ("", "en_US", "en"),
        ("1234 5678", "", ""),
    ],
)
def test_detect(text: str, label: str, expected: str) -> None:
    assert detect(text, label) == expected


@pytest.mark.parametrize(
    ("label", "expected"), [("zh-Hans-CN", "zh"), (" EN_us", "en"), ("x-klingon", ""), ("中文", ""), ("", "")]
)
def test_code(label: str, expected: str) -> None:
    assert code(label) == expected
