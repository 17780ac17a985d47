from __future__ import annotations

import pytest

from focuscrawl.text.segment import Phrases, RememberingSegmenter, Segmenter, several_words
from focuscrawl.text.vocabulary import Vocabulary

KEYWORDS = ["machine learning", "learning rate schedule", "rate", "Java 线程", "chemin de fer", "la musique"]


@pytest.fixture(scope="module")
def segmenter() -> Segmenter:
    return Segmenter(KEYWORDS)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Machine Learning", ["machin_learn", "machin", "learn"]),
        ("machines learn", ["machin_learn", "machin", "learn"]),
        ("a machine-learning course", ["machin_learn", "machin", "learn", "cours"]),
        ("learning a machine", ["learn", "machin"]),
        ("the machine, and the learning", ["machin_learn", "machin", "learn"]),
        ("machinelearning", ["machin_learn", "machin", "learn"]),
        ("the rate", ["rate"]),
        (
            "machine learning rate schedules",
            ["machin_learn", "machin", "learn_rate_schedul", "learn", "rate", "schedul"],
        ),
        ("Java线程", ["java_线程", "java", "线程"]),
        ("le chemin de fer", ["le", "chemin_de_fer", "chemin", "de", "fer"]),
        ("la musique", ["la", "musiqu"]),
        ("", []),
    ],
)
def test_a_keyword_of_several_words_is_one_more_term(segmenter: Segmenter, text: str, terms: list[str]) -> None:
    assert segmenter.terms(text) == terms
    assert segmenter.reference_terms(text) == terms


def test_the_term_of_a_keyword(segmenter: Segmenter) -> None:
    terms = [segmenter.phrase(keyword) for keyword in KEYWORDS]
    assert terms == ["machin_learn", "learn_rate_schedul", "", "java_线程", "chemin_de_fer", ""]
    assert not segmenter.phrase("deep learning"), "no keyword"
    assert not segmenter.phrase("")


def test_what_is_one_word_is_no_phrase() -> None:
    assert list(map(several_words, ("web crawler", "c++", "la musique", "b-tree", "望远镜", ""))) == [
        True, False, False, True, False, False,
    ]  # fmt: skip
    plain = Segmenter(["telescope", "望远镜", "first aid"])
    assert plain.terms("first aid and 望远镜") == ["aid", "望远镜"], "`first` is no term"


def test_a_long_chinese_keyword_gives_its_words() -> None:
    segmenter = Segmenter(["数据库查询", "数据库", "望远镜", "时区转换", "加密算法"])
    assert segmenter.terms("优化数据库查询") == ["优化", "数据库查询", "数据库", "查询"]
    assert segmenter.reference_terms("优化数据库查询") == ["优化", "数据库查询", "数据库", "查询"]
    assert segmenter.terms("數據庫") == ["数据库"]
    assert segmenter.phrase("数据库查询") == "数据库查询"
    assert not any(map(segmenter.phrase, ["数据库", "望远镜", "加密算法", "时区转换"])), "words, or with one telling word"


@pytest.mark.parametrize("prefer", ["jieba", "rjieba"])
def test_both_segmenters_know_the_words_of_a_long_keyword(prefer: str) -> None:
    Segmenter(["先做"], prefer).terms("先做的词典")
    assert Segmenter(["生活随笔"], prefer).terms("我的生活随笔") == ["生活随笔", "生活", "随笔"]


def test_a_synonym_stands_for_a_long_word_whole() -> None:
    segmenter = Segmenter(synonyms=(("blockchain", "分布账本"),))
    assert segmenter.terms("分布账本") == ["blockchain"]


def test_synonyms_come_first() -> None:
    segmenter = Segmenter(
        ["distributed ledger", "web crawler"], synonyms=(("区块链", "distributed ledger"), ("web crawler", "spider"))
    )
    assert segmenter.terms("a distributed ledger") == ["区块链"]
    assert segmenter.terms("a spider") == ["web_crawler", "web", "crawler"]
    assert not segmenter.phrase("distributed ledger")


GIVEN = ("washing machine", "casino", "html parser", "二手房价格", "高速铁路", "Java 线程", "first aid", "colour scheme", "")


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("washing machines", ["wash_machin", "wash", "machin"]),
        ("washingmachine", ["wash_machin", "wash", "machin"]),
        ("wash the red machine", ["wash", "red", "machin"]),
        ("an HTML parser", ["html_parser", "html", "parser"]),
        ("二手房价格", ["二手房_价格", "二手房", "价格"]),
        ("二手房的價格", ["二手房_价格", "二手房", "价格"]),
        ("高速铁路", ["高速铁路", "铁路"]),
        ("first aid", ["aid"]),
        ("color schemes", ["colour_scheme", "colour", "scheme"]),
    ],
)
def test_other_phrases_are_found_among_the_terms_that_a_text_has(text: str, terms: list[str]) -> None:
    segmenter = Segmenter(["铁路"], phrases=GIVEN)
    assert segmenter.terms(text) == terms
    assert segmenter.reference_terms(text) == terms


def test_the_term_of_a_phrase_that_is_no_keyword() -> None:
    segmenter = Segmenter(["铁路"], phrases=GIVEN)
    terms = list(map(segmenter.phrase, GIVEN))
    assert terms == ["wash_machin", "", "html_parser", "二手房_价格", "", "java_线程", "", "colour_scheme", ""]


def test_phrases_that_are_no_keywords_leave_the_other_terms_as_they_are() -> None:
    text = "二手房价格 and the washing machine: 高速铁路, Java 线程"
    plain = Segmenter(["铁路"]).terms(text)
    assert [term for term in Segmenter(["铁路"], phrases=GIVEN).terms(text) if "_" not in term] == plain


def test_one_segmenter_cuts_for_several_topics() -> None:
    topics = [Vocabulary(("comet",), ("fire work",), (("a", "b"),)), Vocabulary(("comet", "orbit"), (), (("a", "b"),))]
    joined = Vocabulary.of_all(topics)
    assert joined == Vocabulary(("comet", "orbit"), ("fire work",), (("a", "b"),))
    assert Segmenter.of(joined).terms("fire work") == ["fire_work", "fire", "work"]


def test_replays_see_phrases_too() -> None:
    for segmenter in (
        RememberingSegmenter(["machine learning"]),
        RememberingSegmenter.of(Vocabulary((), ("machine learning",))),
    ):
        assert segmenter.terms("machine learning") == segmenter.terms("machine learning") == ["machin_learn", "machin", "learn"]


def test_terms_without_a_phrase_are_given_back_as_they_are() -> None:
    terms = ["washing", "machine"]
    assert Phrases([("machine", "learning"), ("one",), ()]).mark(terms) is not terms
    assert Phrases([("deep", "learning")]).mark(terms) is terms
