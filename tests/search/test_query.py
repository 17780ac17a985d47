from __future__ import annotations

import re

import pytest

from focuscrawl.errors import BadInput
from focuscrawl.search.query import MOST_CHARACTERS, MOST_WORDS, Clause, Query, any_of, parse


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("telescope  mirror", Query((Clause("telescope"), Clause("mirror")))),
        ('"focal length" -meteor', Query((Clause("focal length", True), Clause("meteor", kind="without")))),
        ('-"a b" title:comet title:"two words"', Query((Clause("a b", True, "without"), Clause("comet", kind="title"),
                                                         Clause("two words", True, "title")))),
        ("site:Example.ORG site:https://b.example/ -site:例子.测试 x",
         Query((Clause("x"),), sites=("example.org", "b.example"), without_sites=("xn--fsqu00a.xn--0zwm56d",))),
        ("lang:nb -lang:lo", Query(languages=("nb",), without_languages=("lo",))),
        ("lang:zh_Hant -lang:EN", Query(languages=("zh-hant",), without_languages=("en",))),
        ("after:2026-01-31 before:2026", Query(after=1769817600.0, before=1767225600.0)),
        ("after:2026-1", Query(after=1767225600.0)),
        ("“搜索引擎”　－广告 site：a.example",
         Query((Clause("搜索引擎", True), Clause("广告", kind="without")), sites=("a.example",))),
        ("std::vector http://a.example/x 12:30 note: this", Query((Clause("std::vector"), Clause("http://a.example/x"),
                                                                   Clause("12:30"), Clause("note"), Clause("this")))),
        ("c++ - c#", Query((Clause("c++"), Clause("c#")))),
        ('stuck"to a phrase"', Query((Clause("stuck"), Clause("to a phrase", True)))),
    ],
)  # fmt: skip
def test_what_is_typed(text: str, wanted: Query) -> None:
    assert parse(text) == wanted


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "nothing to search for"),
        ("  　", "nothing to search for"),
        ("?! -", "no word to search for in '?! -'"),
        ('telescope "focal length', "quotation mark is open"),
        ("sites:a.example x", "unknown operator sites: in the query; did you mean site:?"),
        ("zzz:top", "there are site:, lang:, title:, after:, before:"),
        ("zzz:top", '"zzz:top"'),
        ("lang: zh", "lang: has no value"),
        ("lang:chinese", "lang: takes a code"),
        ("lang:cn", "lang: 'cn' is not the code of a known language; for Chinese, write zh"),
        ("-lang:xxx-yy", "lang: 'xxx-yy' is not the code of a known language, such as zh or en"),
        ("site:a.example/path", "site: takes the name of a host"),
        ("site:https://a.example/path", "site: takes the name of a host"),
        ("after:yesterday", "after: takes a day"),
        ("before:2026-02-30", "before: takes a day"),
        ("-title:x", "-title: is not possible; leave out a word by -word"),
        ("-after:2026", "use before:"),
        ("x" * (MOST_CHARACTERS + 1), "characters; give at most"),
        ("x y " * MOST_WORDS, f"has {2 * MOST_WORDS} words"),
    ],
)
def test_what_cannot_be_searched_for(text: str, told: str) -> None:
    with pytest.raises(BadInput, match=re.escape(told)):
        parse(text)


def test_texts_are_taken_as_they_are() -> None:
    assert any_of(["site:x", "a b"]) == Query((Clause("site:x"), Clause("a b")), relevant=False)
