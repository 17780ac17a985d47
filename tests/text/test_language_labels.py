"""The codes of languages, and the tags that pages get."""

from __future__ import annotations

import pytest
from resiliparse.parse.lang import supported_langs

from focuscrawl.text.language_labels import KNOWN, code, tag
from tests.text.languages import PROSE, TRADITIONAL


@pytest.mark.parametrize(
    ("label", "expected"), [("zh-Hans-CN", "zh"), (" EN_us", "en"), ("x-klingon", ""), ("中文", ""), ("", "")]
)
def test_the_code_of_a_language_is_two_letters_that_its_label_begins_with(label: str, expected: str) -> None:
    assert code(label) == expected


@pytest.mark.parametrize(
    ("language", "text", "label", "expected"),
    [
        ("zh", PROSE["zh"], "zh-TW", "zh-Hans"),
        ("zh", TRADITIONAL, "zh-CN", "zh-Hant"),
        ("zh", "中文", "zh-HK", "zh-Hant"),
        ("zh", "中文", "zh_cn", "zh-Hans"),
        ("zh", "中文", "zh", "zh"),
        ("en", PROSE["en"], "zh-TW", "en"),
        ("", "", "zh-TW", ""),
    ],
)
def test_a_chinese_text_is_tagged_by_its_own_script_or_else_by_its_label(
    language: str, text: str, label: str, expected: str
) -> None:
    assert tag(language, text, label) == expected


def test_known_languages_are_those_that_statistics_tell() -> None:
    assert set(supported_langs()) == KNOWN
