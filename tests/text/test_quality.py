"""One test for each published definition: Gopher, C4, FineWeb, and FineWeb2's thresholds for Chinese."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.text.quality import RULES, Quality, assess
from tests.linear_time import linear

ENGLISH = (
    "An index is a structure that makes queries fast, and it spares the database a look at every row.",
    "Most engines keep it as a tree whose leaves are sorted, so that ranges can be read with few steps.",
    "Writers pay for that: each insert has to change the tree, and a page that is full is split in two.",
    "A planner decides with statistics whether the tree or the table will be read first.",
)
CHINESE = (
    "索引是一种让查询变快的数据结构，数据库不再需要逐行查看整张表。",
    "大多数引擎把它保存为一棵有序的树，这样范围查询只需要很少的几步。",
    "写入的代价由此增加：每一次插入都要修改这棵树，写满的页会被分成两页。",
    "优化器根据统计信息决定先读树还是先读表，并且会在数据变化之后重新估计。",
    "在实际的系统中，索引的数量往往是性能和空间之间的一个折中，也是管理员的责任。",
)


def signal(name: str, *paragraphs: str, language: str = "en", bullets: int = 0) -> float:
    return assess(paragraphs, language, bullets).signals[name]


def failed(*paragraphs: str, language: str = "en", bullets: int = 0) -> set[str]:
    found = assess(paragraphs, language, bullets)
    return {rule.signal for rule in RULES if rule.holds_for(language) and not rule.passes(found.signals[rule.signal], language)}


@pytest.mark.parametrize(("paragraphs", "language"), [(ENGLISH, "en"), (CHINESE, "zh")])
def test_prose_passes_every_rule(paragraphs: tuple[str, ...], language: str) -> None:
    assert failed(*paragraphs, language=language) == set()
    assert assess(paragraphs, language).quality == 1.0


def test_an_empty_text_has_no_signals() -> None:
    assert assess(["", " \n "], "en") == Quality()


# --- Gopher (Rae et al. 2021, appendix A.1.1) -------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "passes"), [(49, False), (50, True), (100_000, True), (100_001, False)])
def test_gopher_words_are_50_to_100_000(count: int, passes: bool) -> None:
    rule = next(rule for rule in RULES if rule.signal == "gopher_words")
    assert rule.passes(count, "en") is passes
    assert signal("gopher_words", "one two - three 4") == 4


def test_gopher_mean_word_length_is_3_to_10_without_the_punctuation_around() -> None:
    assert signal("gopher_mean_word_length", "(four) more, than!") == 4.0
    assert "gopher_mean_word_length" in failed("a b c d e f")
    assert "gopher_mean_word_length" in failed("incomprehensibilities notwithstanding")


def test_gopher_symbols_are_at_most_a_tenth_of_the_words() -> None:
    assert signal("gopher_hashes_per_word", "#one #two three four") == 0.5
    assert signal("gopher_ellipses_per_word", "well... so… what now") == 0.5
    assert {"gopher_hashes_per_word", "gopher_ellipses_per_word"} <= failed("#one two... three four")


def test_gopher_bullets_begin_at_most_nine_tenths_of_the_lines() -> None:
    items = ["• an item of the list"] * 10
    assert signal("gopher_bullet_lines", *items) == 1.0
    assert "gopher_bullet_lines" in failed(*items)
    assert "gopher_bullet_lines" not in failed(*items[:9], "a line")
    assert signal("gopher_bullet_lines", "a", "b", "c", "d", bullets=3) == 0.75


def test_gopher_ellipses_end_at_most_three_tenths_of_the_lines() -> None:
    assert signal("gopher_ellipsis_lines", "read on…", "more ...", "a line.", "another.") == 0.5
    assert "gopher_ellipsis_lines" in failed("read on…", "more ...", "a line.", "another.")


def test_gopher_four_fifths_of_the_words_have_a_letter() -> None:
    assert signal("gopher_alphabetic_words", "one two 3 4") == 0.5
    assert "gopher_alphabetic_words" in failed("one two three 4 5")
    assert "gopher_alphabetic_words" not in failed("one two three four 5")


def test_gopher_two_of_eight_stop_words() -> None:
    assert signal("gopher_stop_words", "The cat, with a hat and that was all.") == 4
    assert "gopher_stop_words" in failed("The cat sat")
    assert "gopher_stop_words" not in failed("le chat est assis", language="fr")  # English words say nothing of French


# --- Gopher, repetition (table A1) -------------------------------------------------------------------------------------------


def test_gopher_duplicate_lines_and_paragraphs() -> None:
    paragraphs = ["same line\nother line", "same line\nthird line", "same line\nother line"]
    assert signal("gopher_duplicate_lines", *paragraphs) == pytest.approx(3 / 6)
    assert signal("gopher_duplicate_line_characters", *paragraphs) == pytest.approx(28 / 57, abs=1e-4)
    assert signal("gopher_duplicate_paragraphs", *paragraphs) == pytest.approx(1 / 3, abs=1e-4)
    assert signal("gopher_duplicate_paragraph_characters", *paragraphs) == pytest.approx(20 / 60, abs=1e-4)


def test_gopher_the_most_frequent_n_gram() -> None:
    text = "aa bb cc aa bb dd aa bb ee"
    assert signal("gopher_top_2_gram", text) == pytest.approx(12 / 18, abs=1e-4)  # "aa bb" three times
    assert signal("gopher_top_3_gram", text) == 0.0  # none is there twice
    assert signal("gopher_top_2_gram", "one two three four") == 0.0


def test_gopher_words_in_repeated_n_grams_count_once() -> None:
    ten = "a1 b2 c3 d4 e5 f6 g7 h8 i9 j0"
    text = f"{ten} {ten} x1 x2 x3 x4 x5"
    for n in range(5, 11):
        assert signal(f"gopher_duplicate_{n}_grams", text) == pytest.approx(10 / 25)
    assert signal("gopher_duplicate_5_grams", "aa " * 20) == pytest.approx(19 / 20)
    assert {f"gopher_duplicate_{n}_grams" for n in range(5, 11)} <= failed(text)


def test_gopher_shorter_repetitions_are_not_in_longer_n_grams() -> None:
    text = "a1 b2 c3 d4 e5 x1 x2 a1 b2 c3 d4 e5 y1"
    assert signal("gopher_duplicate_5_grams", text) == pytest.approx(5 / 13, abs=1e-4)
    assert signal("gopher_duplicate_6_grams", text) == 0.0


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(["a", "bb", "ccc", "d"]), min_size=1, max_size=40))
def test_repetition_is_what_the_definition_says(words: list[str]) -> None:
    """Against the definitions written down plainly."""
    signals, total = assess([" ".join(words)], "en").signals, sum(map(len, words))
    for n in (2, 3, 4):
        grams = Counter(tuple(words[at : at + n]) for at in range(len(words) - n + 1))
        most = max(grams.values(), default=0)
        longest = max((len("".join(gram)) for gram, times in grams.items() if times == most), default=0)
        expected = min(most * longest / total, 1) if most > 1 else 0
        assert signals[f"gopher_top_{n}_gram"] == pytest.approx(expected, abs=1e-4)
    for n in range(5, 11):
        seen, covered = set(), set()
        for at in range(len(words) - n + 1):
            gram = tuple(words[at : at + n])
            covered |= set(range(at, at + n)) if gram in seen else set()
            seen.add(gram)
        expected = sum(len(words[at]) for at in covered) / total
        assert signals[f"gopher_duplicate_{n}_grams"] == pytest.approx(expected, abs=1e-4)


# --- C4 (Raffel et al. 2020, section 2.2) ------------------------------------------------------------------------------------


def test_c4_sentences_are_those_of_lines_of_five_words_that_end() -> None:
    lines = (
        "This line has two sentences. It ends well.",
        "Too short a line.",
        "This one does not end as sentences do",
        "And this one goes on and on...",
        "Please enable Javascript to read this very page.",
    )
    assert signal("c4_sentences", *lines) == 2
    assert "c4_sentences" in failed(*lines)


def test_c4_curly_brackets_and_lorem_ipsum() -> None:
    assert {"c4_curly_brackets", "c4_lorem_ipsum"} <= failed("Lorem ipsum dolor", "if (x) { y }")
    assert not {"c4_curly_brackets", "c4_lorem_ipsum"} & failed(*ENGLISH)


# --- FineWeb (Penedo et al. 2024) --------------------------------------------------------------------------------------------


def test_fineweb_more_than_an_eighth_of_the_lines_end_with_punctuation() -> None:
    lines = ["a line without an end"] * 22 + ["one more with an end."] * 3
    assert signal("fineweb_punctuated_lines", *lines) == 0.12
    assert "fineweb_punctuated_lines" in failed(*lines)
    assert "fineweb_punctuated_lines" not in failed(*lines[1:])


def test_fineweb_characters_in_duplicate_lines_are_less_than_a_tenth() -> None:
    lines = [*(f"{number} is a line" for number in range(10, 19)), "10 is a line"]
    assert signal("fineweb_duplicate_characters", *lines) == 0.1
    assert "fineweb_duplicate_characters" in failed(*lines)


def test_fineweb_short_lines_have_30_characters_at_most() -> None:
    assert signal("fineweb_short_lines", "x" * 30, "x" * 31) == 0.5
    assert "fineweb_short_lines" in failed("short", "short too", "short, too", "x" * 40)


# --- Chinese (FineWeb2, cmn_Hani), and languages that we cannot cut -----------------------------------------------------------


def test_chinese_is_counted_in_words_of_jieba() -> None:
    assert signal("gopher_words", "数据库的索引", language="zh") == 3
    assert signal("gopher_mean_word_length", "数据库的索引", language="zh") == 2.0
    assert signal("gopher_stop_words", "數據庫與索引的表", language="zh") == 2  # 的 and, in traditional characters, 與


def test_chinese_sentences_end_with_their_own_marks() -> None:
    assert signal("c4_sentences", CHINESE[0] + CHINESE[1], language="zh") == 2
    assert signal("fineweb_punctuated_lines", "他说：“好。”", "没有", language="zh") == 0.5


def test_chinese_has_thresholds_of_its_own() -> None:
    bounds = {rule.signal: rule.bounds("zh") for rule in RULES if rule.bounds("zh") != rule.bounds("en")}
    assert bounds["gopher_mean_word_length"] == (1, 5)
    assert bounds["gopher_top_2_gram"][1] == 0.256
    assert not any(rule.holds_for("zh") for rule in RULES if rule.signal == "fineweb_short_lines")


def test_without_words_only_lines_are_judged() -> None:
    judged = {rule.signal for rule in RULES if rule.holds_for("th")}
    assert "fineweb_punctuated_lines" in judged
    assert not judged & {"gopher_words", "gopher_top_2_gram", "c4_sentences"}
    assert 0 <= assess(["ภาษาไทย"], "th").quality <= 1


@pytest.mark.parametrize("text", ["a " * 100_000, "索引" * 50_000, "{" * 200_000, "\n".join(map(str, range(40_000)))])
def test_odd_texts_take_no_longer(text: str) -> None:
    with linear():
        assess(text.split("\n"), "zh")
