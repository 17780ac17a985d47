"""What a crawl types into a web search."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from focuscrawl.text.segment import has_han
from focuscrawl.topics.searxng import LONGEST_QUERY
from focuscrawl.topics.web_queries import MOST_WORDS, RESULT_PAGES, TopicWords, WebSearch, web_searches

WORD = st.text("abXY爬虫 ", min_size=1, max_size=12).filter(lambda word: bool(word.strip()))
WORDS = st.lists(WORD, max_size=9).map(tuple)
TOPICS = st.lists(st.builds(TopicWords, WORDS, WORDS, WORDS), max_size=3)


def queries(*topics: TopicWords) -> list[str]:
    return [search.query for search in web_searches(topics) if search.page == 1]


def test_all_keywords_together_then_two_then_three() -> None:
    found = queries(TopicWords(("web crawler", "robots.txt"), ("search", "index"), ("sitemap",)))
    assert found == [
        "web crawler robots.txt", "web crawler search", "web crawler index", "robots.txt search", "robots.txt index",
        "search index", "web crawler sitemap", "web crawler robots.txt search", "web crawler robots.txt index",
        "web crawler search index", "robots.txt search index",
    ]  # fmt: skip


def test_further_pages_of_results_come_last() -> None:
    assert web_searches([TopicWords(("blockchain",))]) == [WebSearch("blockchain", page) for page in (1, 2, 3)]
    pages = [search.page for search in web_searches([TopicWords(("comet", "planet", "star"))])]
    assert pages == sorted(pages)


def test_without_keywords_the_strongest_terms_are_put_together() -> None:
    assert queries(TopicWords((), ("comet", "planet"))) == ["comet planet"]
    assert queries(TopicWords((), ("comet",))) == ["comet"]
    assert queries(TopicWords()) == []
    assert queries() == []


def test_topics_and_scripts_take_turns_and_are_not_mixed() -> None:
    both = TopicWords(("telescope", "comet", "望远镜", "彗星"))
    assert queries(both, TopicWords(("bread",))) == ["telescope comet", "望远镜 彗星", "bread"]


def test_a_word_that_two_phrases_share_is_typed_once() -> None:
    assert queries(TopicWords(("web crawler", "Crawler traps")))[0] == "web crawler traps"


def test_many_keywords_are_not_typed_at_once() -> None:
    keywords = tuple(f"word{number}" for number in range(20))
    assert queries(TopicWords(keywords))[0].split() == list(keywords[:MOST_WORDS])


@given(TOPICS)
def test_no_search_twice_and_nothing_empty_long_or_mixed(topics: list[TopicWords]) -> None:
    found = web_searches(topics)
    assert len({search.key for search in found}) == len(found)
    given_words = {word for topic in topics for words in (topic.keywords, topic.terms, topic.companions) for word in words}
    plain = {each.casefold() for word in given_words if not has_han(word) for each in word.split()}
    for search in found:
        assert 0 < len(search.query) <= LONGEST_QUERY
        assert 1 <= search.page <= RESULT_PAGES
        if not has_han(search.query):
            assert {word.casefold() for word in search.query.split()} <= plain
