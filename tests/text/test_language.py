from __future__ import annotations

import pytest
from resiliparse.parse.lang import detect_fast

from focuscrawl.text.language import _ASCII_RUNS, _RUNS, Guess, Habits, _has_other_letters, guess, tags
from tests.text.languages import PROSE, TRADITIONAL

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
        ("2022-12-28 3.40.1, 2022-11-16 3.40.0", "", ""),
        ("2022-12-28 3.40.1, 2022-11-16 3.40.0", "fr", "fr"),
    ],
)
def test_guess(text: str, label: str, expected: str) -> None:
    assert guess(text, label).language == expected


@pytest.mark.parametrize("language", PROSE)
@pytest.mark.parametrize(("label", "habit"), [("", ""), ("en", ""), ("", "en"), ("zh-CN", "zh")])
def test_prose_is_stronger_than_a_wrong_label_or_habit(language: str, label: str, habit: str) -> None:
    assert guess(PROSE[language], label, habit).language == language


COMMANDS = """cd /etc/nginx/conf.d && vi default.conf
worker_processes auto;
nodeSelector: kubernetes.io/os: linux
yum install -y epel-release && systemctl enable --now nginx.service
org.apache.hadoop.mapreduce.Job: map 0% reduce 0%
const queryParams = new URLSearchParams(window.location.search);
"""


def test_code_does_not_outvote_the_sentences_about_it() -> None:
    assert guess("安装之后启动服务，再检查端口是否打开。配置文件如下：\n" + 8 * COMMANDS).language == "zh"
    assert guess(PROSE["fr"] + "\n" + 4 * COMMANDS, "en").language == "fr"


@pytest.mark.parametrize(
    "token",
    ["camelCaseName", "snake_case_name", "os.path.join", "/usr/share/doc", "https://host/der/die/das", "a@b.example", "f(x)"],
)
def test_identifiers_and_addresses_are_no_prose(token: str) -> None:
    assert guess(f"{token} {token} {token} {token}").prose == 0


def test_fragments_are_in_the_language_of_the_label_then_of_the_host() -> None:
    fragment = "xmlRelaxNGParse Function\nxmlSchemaTypePtr Structure\nImplementation details"
    assert guess(fragment, "en-US", "de").language == "en"
    assert guess(fragment, "", "de").language == "de"


def test_an_english_page_that_names_chinese_things_is_english() -> None:
    assert guess(PROSE["en"] + " 中文 (简体) 日本語 한국어", "zh", "zh").language == "en"


def test_a_mixed_page_names_its_languages_the_main_one_first() -> None:
    assert tags([PROSE["zh"]] * 2 + [PROSE["en"]]) == ["zh-Hans", "en"]
    assert tags([PROSE["en"]] * 3 + [PROSE["zh"]], "zh-CN") == ["en", "zh-Hans"]
    assert tags([PROSE["de"], PROSE["fr"]], "de") == ["de", "fr"]
    assert tags([PROSE["zh"], TRADITIONAL]) == ["zh-Hans", "zh-Hant"]
    assert tags([PROSE["zh"]] * 9 + ["Yes, we can."]) == ["zh-Hans"]
    assert tags([]) == []


def test_short_paragraphs_count_together_by_their_script() -> None:
    sentences = [f"{sentence}." for sentence in PROSE["en"].split(". ")]
    chinese = [f"{sentence}。" for sentence in PROSE["zh"].split("。")]
    assert tags(sentences + chinese, "zh") == ["zh-Hans", "en"]


CHINESE_LINES = ["今天天气很好，我们去公园。", "学习英语，每天都要坚持。", "这个问题没有简单的答案。"]
WORDS = PROSE["en"].split()
ENGLISH_LINES = [" ".join(WORDS[at : at + 8]) for at in range(0, len(WORDS), 8)]
ACCENTED_LINES = [f"{line} (Noël)" for line in ENGLISH_LINES]


@pytest.mark.parametrize("lines", [ENGLISH_LINES, ACCENTED_LINES])
@pytest.mark.parametrize("label", ["", "en", "zh", "zh-CN", "ja"])
def test_short_lines_in_another_script_than_the_label_s_are_of_their_own_language(lines: list[str], label: str) -> None:
    assert tags(CHINESE_LINES * 6 + lines * 2, label) == ["zh-Hans", "en"]
    assert tags(CHINESE_LINES * 6 + ["Contents", "see also", "1234 5678"] * 20, label) == ["zh-Hans"]


def test_words_that_are_near_no_language_are_not_in_that_of_another_script() -> None:
    words = ["zq xv jk wq zx vq zq kx"] * 30
    assert guess("\n".join(words), "zh").language == "zh"
    assert tags(CHINESE_LINES * 6 + words, "zh-CN") == ["zh-Hans"]


def test_more_short_lines_than_are_examined_count_in_full() -> None:
    assert tags(CHINESE_LINES * 500 + ENGLISH_LINES * 16) == ["zh-Hans"]  # English is a thirteenth of the prose


def test_the_habit_of_a_host_needs_pages_with_prose_and_a_majority() -> None:
    habits = Habits()
    for language in ("de", "de", "", "en"):
        habits.note("a.example", Guess(language, 500))
    assert habits.of("a.example") == "de"
    habits.note("b.example", Guess("de", 500))
    for _ in range(5):
        habits.note("b.example", Guess("fr", 10))
    assert habits.of("b.example") == ""
    for language in ("de", "en", "fr", "de"):
        habits.note("c.example", Guess(language, 500))
    assert habits.of("c.example") == ""


def test_habits_change_and_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Habits, "MAX_HOSTS", 2)
    habits = Habits()
    for language in ["de"] * 500 + ["en"] * 300:
        habits.note("a.example", Guess(language, 500))
    assert habits.of("a.example") == "en"
    for host in ("b", "c"):
        for _ in range(3):
            habits.note(host, Guess("en", 500))
    assert [habits.of(host) for host in ("a.example", "b", "c")] == ["", "en", "en"]


@pytest.mark.parametrize(
    "text",
    [
        "It’s a page “about the way” of ‘typographic quotes’ – with dashes… and the rest of it.",
        "¶ this is a heading · and a menu → that leads on\u00a0to the rest © of it all.",
        "¿is this (or that) the page «that we are looking for»? Yes, it is the one.",
        "this costs 5 € and that is all, xIsNot and foo_bar are no words, a. b. c. d e f g.",
    ],
)
def test_signs_do_not_make_a_text_take_the_long_way_and_both_ways_find_the_same_runs(text: str) -> None:
    assert not text.isascii()
    assert not _has_other_letters(text)
    assert _ASCII_RUNS.findall(text) == _RUNS.findall(text) != []


@pytest.mark.parametrize("sign", ["é", "²", "٣", "中", "，", "\u4dc0", "\ufaff"])
def test_other_letters_and_east_asian_marks_take_the_long_way(sign: str) -> None:
    assert _has_other_letters(f"these are some words{sign}")


@pytest.mark.parametrize("language", PROSE)
@pytest.mark.parametrize("length", [30, 60, 120, 240])
def test_the_best_rank_alone_is_the_first_of_all_ranks(language: str, length: int) -> None:
    text = PROSE[language][:length]
    ranks = detect_fast(text, cutoff=2000, n_results=110)
    assert isinstance(ranks, list)
    assert ranks[0] == detect_fast(text, cutoff=2000)
    assert ranks[0][1] == min(rank for _, rank in ranks)


@pytest.mark.parametrize("text", ["Contents", "fr: home", "les pages d'un site", "1234 5678", "the words of this page"])
@pytest.mark.parametrize("label", ["fr", "zh"])
def test_a_short_text_in_ascii_is_in_the_language_of_the_label(text: str, label: str) -> None:
    assert guess(text, label).language == label
