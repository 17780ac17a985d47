from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.text import chinese, segment
from focuscrawl.text.segment import CACHED_WORDS, RememberingSegmenter, Segmenter, _Terms, stop_words, weak_keywords

ARTICLE = """
主题爬虫从几个种子网页出发，按照主题相关度决定下一个要下载的链接，尽量少下载无关的页面。它先把网页的正文切成词语，
去掉停用词，再用词频和逆文档频率计算每个词的权重，得到一个向量，与主题向量比较夹角的余弦。相似度高于阈值的页面被认为
与主题相关，它里面的链接会得到较高的分数。有时候相关的网页藏在几个无关的网页后面，所以爬虫允许沿着无关网页继续走几步，
这种做法叫作隧道技术。为了不给别人的服务器添麻烦，程序遵守网站的爬取规则，在两次请求之间等待一秒钟，遇到错误就退避。
数据库保存已经见过的地址、网页的标题和摘要，也保存每个决定的理由。这样，使用者可以随时查询某个地址为什么被下载，
或者为什么被放弃。重复的网页通过指纹来发现：完全相同的正文有相同的散列值，略有不同的正文只差几个比特。过了一段时间，
程序会重新访问重要的页面，看看内容有没有变化；经常变化的页面访问得勤一些，很少变化的页面访问得少一些。
北京大学的研究者在二〇〇三年比较了几种搜索策略，发现锚文本和链接周围的文字比整个页面的文字更能说明目标网页的主题。
中文没有空格，分词的好坏直接影响结果；词典里没有的新词，例如人名、地名和产品名称，要靠统计模型来识别。
春天的时候，我和朋友坐火车去南方旅行，在小镇上吃了米粉，看了油菜花，晚上住在河边的旅馆里，听见青蛙叫了一夜。
"""

PLAIN = Segmenter()


@pytest.fixture(scope="module")
def segmenter() -> Segmenter:
    return Segmenter(["微服务", "表", "C", "主题爬虫"])


def test_english_is_lowered_stemmed_and_freed_of_stop_words(segmenter: Segmenter) -> None:
    assert segmenter.terms("The Crawlers were crawling; it crawled HTTP servers") == ["crawler", "crawl", "crawl", "server"]


def test_chinese_is_cut_and_mixed_text_keeps_its_order(segmenter: Segmenter) -> None:
    assert segmenter.terms("用 Python 学习编程 in the cloud") == ["python", "学习", "编程", "cloud"]


def test_user_words_are_kept_whole_even_when_they_are_one_character(segmenter: Segmenter) -> None:
    assert segmenter.terms("微服务的表，用 C 写") == ["微服务", "表", "c"]
    assert "微服务" not in Segmenter().terms("微服务的表")
    assert Segmenter().terms("表 c") == []


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("C++ and C#", ["c++", "c#"]),
        ("mysql_field_type TF-IDF", ["mysql", "field", "type", "tf", "idf"]),
        ("in 2024 call 13800138000", ["2024", "call"]),
        ("café Привет", ["café", "привет"]),
        ("x" * 41, []),
        ("", []),
        (" \n\t。，！", []),
    ],
)
def test_words_of_other_kinds(segmenter: Segmenter, text: str, terms: list[str]) -> None:
    assert segmenter.terms(text) == terms


def test_identifiers_read_the_same_among_chinese_words(segmenter: Segmenter) -> None:
    assert segmenter.terms("函数 mysql_field_type TF-IDF C++") == ["函数", "mysql", "field", "type", "tf", "idf", "c++"]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("铁路局", ["铁路局", "铁路"]),
        ("鐵路局的高速鐵路", ["铁路局", "铁路", "高速铁路", "铁路"]),
        ("咖啡馆", ["咖啡馆", "咖啡"]),
        ("城市轨道交通", ["城市", "轨道交通"]),  # another thing than 轨道
        ("轨道", ["轨道"]),
        ("列表", ["列表"]),  # words of one character are in too many
        ("加密算法", ["加密算法"]),  # itself a user word
    ],
)
@pytest.mark.parametrize("prefer", ["rjieba", "jieba"])
def test_a_longer_word_that_names_a_user_word_gives_both(text: str, terms: list[str], prefer: str) -> None:
    segmenter = Segmenter(["铁路", "咖啡", "轨道", "表", "算法", "加密算法"], prefer)
    assert segmenter.terms(text) == terms
    assert segmenter.reference_terms(text) == terms


def test_what_the_user_means_as_it_stands_is_the_longer_word_alone() -> None:
    segmenter = Segmenter(["铁路"])
    assert segmenter.terms("铁路局") == ["铁路局", "铁路"]
    assert segmenter.reference_terms("铁路局", within=False) == ["铁路局"]


def test_both_segmenters_agree_on_chinese_text() -> None:
    words = ["主题爬虫", "隧道技术"]
    fast, reference = Segmenter(words, "rjieba"), Segmenter(words, "jieba")
    ours, theirs = Counter(fast.terms(ARTICLE)), Counter(reference.terms(ARTICLE))
    assert (ours & theirs).total() >= 0.94 * max(ours.total(), theirs.total())
    assert ours["主题爬虫"] == theirs["主题爬虫"] == 1
    assert reference.terms(ARTICLE) == fast.reference_terms(ARTICLE)


def test_the_name_tells_what_cuts_and_in_which_version() -> None:
    assert Segmenter(prefer="jieba").name.startswith("jieba 0.42")
    assert Segmenter(prefer="rjieba").name.startswith("rjieba 0.")
    assert "PyStemmer 3" in Segmenter().name


def test_jieba_serves_where_rjieba_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chinese, "find_spec", lambda name: None)
    segmenter = Segmenter()
    assert segmenter.name.startswith("jieba")
    assert segmenter.terms("学习编程") == ["学习", "编程"]


def test_an_unknown_segmenter_is_refused() -> None:
    with pytest.raises(ImportError, match="jieba and rjieba"):
        Segmenter(prefer="pkuseg")


@pytest.mark.slow
def test_jieba_is_quiet_and_leaves_nothing_in_the_temporary_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "jieba.cache").write_bytes(b"left by a stranger")
    chinese._jieba_base.__wrapped__()
    assert [file.name for file in tmp_path.iterdir()] == ["jieba.cache"]
    assert capfd.readouterr() == ("", "")


def test_the_word_cache_is_bounded() -> None:
    terms = _Terms(frozenset(), lambda word: ())
    terms.update((str(number), ()) for number in range(CACHED_WORDS))
    assert terms["crawling"] == ("crawl",)
    assert len(terms) == 1


def test_stop_words_of_both_languages() -> None:
    assert {"the", "because", "我们", "因为"} <= stop_words()
    assert not {"php", "time", "数据"} & stop_words()


def test_words_of_addresses_count_where_a_keyword_has_them() -> None:
    assert Segmenter(["HTTP client"]).terms("An HTTP client, see https://a.com") == ["http_client", "http", "client", "see"]
    assert Segmenter(synonyms=(("client", "http client"),)).reference_terms("an http client") == ["client"]
    assert Segmenter(["client"]).terms("an HTTP client") == ["client"]


def test_keywords_that_tell_little_are_found() -> None:
    assert weak_keywords(["http client", "state of the art", "e-mail", "C++", "tea", "茶", "railway"]) == ([], {})
    assert weak_keywords(["The", "的", "railway"]) == (["The", "的"], {})
    assert weak_keywords(["first aid", "维生素 C", "if a"]) == (["if a"], {"first aid": "aid", "维生素 C": "维生素"})
    assert weak_keywords(["first-aid", "vitamin-c"]) == ([], {"first-aid": "aid", "vitamin-c": "vitamin"})
    assert weak_keywords(["x-ray", "wi-fi", "children's", "self-hosted"]) == ([], {})
    assert weak_keywords(["chemin de fer", "la paix", "der"]) == (["der"], {"la paix": "paix"})
    assert weak_keywords(["The Who", "rock"]) == (["The Who"], {})
    assert weak_keywords(["go", "go tutorial"]) == (["go"], {}), "a word that is a keyword of its own counts"


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_any_text_gives_clean_terms(text: str) -> None:
    terms = PLAIN.terms(text)
    assert all(term and not term.isspace() and len(term) <= 40 for term in terms)
    assert not set(terms) & {"the", "我们"}


def test_user_words_of_one_segmenter_are_none_of_another() -> None:
    text, words = "遥远星系的光谱", ["遥远星系"]
    with_words, without = Segmenter(words, prefer="rjieba"), Segmenter(prefer="rjieba")
    assert "遥远星系" in with_words.terms(text)
    assert "遥远星系" not in without.terms(text)
    assert "遥远星系" not in Segmenter(["光谱"], prefer="rjieba").terms(text)
    assert Segmenter(words, prefer="rjieba").terms(text) == with_words.terms(text)


@pytest.mark.parametrize("cut", [Segmenter.terms, Segmenter.reference_terms])
def test_full_width_letters_and_digits_are_those_of_ascii(
    segmenter: Segmenter, cut: Callable[[Segmenter, str], list[str]]
) -> None:
    assert (
        cut(segmenter, "ＰＹＴＨＯＮ 编程 ２０２４ Ｃ＋＋")
        == cut(segmenter, "PYTHON 编程 2024 C++")
        == ["python", "编程", "2024", "c++"]
    )
    assert cut(segmenter, "ＷＡＲＣ") == ["warc"]
    assert cut(Segmenter(["Ｃ"]), "关于Ｃ的书") == cut(Segmenter(["C"]), "关于C的书")


def test_a_remembering_segmenter_gives_the_same_terms_and_cuts_a_text_once() -> None:
    segmenter, text = RememberingSegmenter(["分布式爬虫"]), "A crawler, 分布式爬虫"
    assert segmenter.terms(text) == Segmenter(["分布式爬虫"]).terms(text)
    assert segmenter.terms(text) is segmenter.terms(text)


def test_a_remembering_segmenter_keeps_no_long_texts_and_few_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segment, "KEPT", 3)
    segmenter = RememberingSegmenter()
    for number in range(10):
        segmenter.terms(f"crawler {number}")
    segmenter.terms("word " * 1000)
    assert len(segmenter._texts) <= 3


def test_a_remembering_segmenter_knows_synonyms_of_two_words_from_the_start() -> None:
    synonyms = (("blockchain", "distributed ledger"),)
    remembering, plain = RememberingSegmenter([], synonyms=synonyms), Segmenter([], synonyms=synonyms)
    for text in ("distributed", "a distributed ledger"):
        assert remembering.terms(text) == plain.terms(text)
