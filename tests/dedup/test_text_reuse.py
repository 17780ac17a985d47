"""Sentences that were said before are known, whoever said them; what stands on a host's last pages is its template."""

from __future__ import annotations

import pytest

from focuscrawl.dedup import text_reuse
from focuscrawl.dedup.text_reuse import LAST, SeenSentences, TextReuse

A, B = "http://a.example", "http://b.example"
ONE = "The comet was seen from three observatories in the same night."
TWO = "Nobody had expected a second tail of ionised gas so early."
THREE = "Its orbit will bring it back in four hundred years or so."


def test_known_is_what_was_said_before_by_length() -> None:
    read = SeenSentences()
    assert read.read(f"{ONE} {TWO}", A).known == 0.0
    assert read.read(f"{TWO}\n{THREE}", B).known == len(TWO[:-1]) / len(TWO[:-1] + THREE[:-1])
    assert read.read(f"{THREE}  {ONE.upper()}", A).known == 1.0


def test_short_sentences_and_empty_texts_say_nothing() -> None:
    read = SeenSentences()
    assert [read.read(text, A) for text in ("Back to top. Home.", "Back to top. Home.", "", "...")] == [
        TextReuse(empty=True)
    ] * 4


def test_a_sentence_twice_on_one_page_is_not_known_for_that() -> None:
    assert SeenSentences().read(f"{ONE} {ONE}", A) == TextReuse()


def test_chinese_sentences_count_with_half_the_characters() -> None:
    read = SeenSentences()
    text = "这颗彗星在同一个夜里被三座天文台看到。下一次回来要四百年。"
    assert read.read(text, A).known == 0.0
    assert read.read(text, A).known == 1.0


def test_what_stands_on_the_last_pages_of_a_host_is_its_template() -> None:
    read = SeenSentences()
    for number in range(20):
        reuse = read.read(f"{ONE}\n{TWO}\nThis sentence has the number {number}, and nobody said it before.", A)
    assert reuse.known == pytest.approx(0.7, abs=0.1)
    assert (reuse.own, reuse.foreign) == (0.0, 0.0)
    assert read.read(f"{ONE}\n{THREE}", B).foreign == len(ONE[:-1]) / len(
        ONE[:-1] + THREE[:-1]
    )  # it is not the template of others


def test_what_a_host_has_said_itself_is_told_from_what_others_said() -> None:
    read = SeenSentences()
    read.read(ONE, A)
    read.read(TWO, B)
    for number in range(LAST):
        read.read(f"A sentence that is long enough has number {number} in it.", A)
    whole = len(ONE[:-1] + TWO[:-1] + THREE[:-1])
    reuse = read.read(f"{ONE} {TWO} {THREE}", A)
    shares = [len(sentence[:-1]) / whole for sentence in (ONE, TWO)]
    known = sum(map(len, (ONE[:-1], TWO[:-1]))) / whole
    assert reuse == TextReuse(known, own=shares[0], foreign=shares[1], elsewhere=shares[1])
    reuse = read.read(f"{ONE} {THREE}", f"{A.replace('a.', 'www.a.')}/page")
    assert (reuse.own, reuse.sibling, reuse.foreign) == (0.0, 1.0, 0.0)


def test_what_is_old_is_forgotten_at_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_reuse, "MOST_KNOWN", 20)
    read = SeenSentences()
    read.read(ONE, A)
    for number in range(9):
        read.read(f"A sentence that is long enough has number {number} in it.", A)
    assert read.read(ONE, A).known == 1.0  # in the table before
    for number in range(100, 125):
        read.read(f"A sentence that is long enough has number {number} in it.", A)
    assert read.read(ONE, A).known == 0.0


def test_what_given_domains_have_said_is_told_apart_whenever_they_said_it() -> None:
    read = SeenSentences()
    read.read(f"{ONE} {TWO}", B)
    read.read(ONE, A, given=True)
    read.read(THREE, f"{A}/further")
    reuse = read.read(f"{ONE} {TWO} {THREE}", "http://c.example")
    assert reuse.foreign == 1.0
    assert reuse.given == len(ONE[:-1] + THREE[:-1]) / len(ONE[:-1] + TWO[:-1] + THREE[:-1])
    read.read(TWO, "http://d.example", given=True)
    assert read.read(TWO, f"{A}/last").given == 0.0  # what is given itself copies nobody


def test_an_article_is_no_copy_of_the_list_that_showed_it_first() -> None:
    """Many blogs show whole articles in their lists. Of 150 such articles 9 were fetched before their directory was closed."""
    read = SeenSentences()
    read.read(f"{ONE} {TWO} {THREE}", A, index=True)
    for number in range(LAST):
        read.read(f"A sentence that is long enough has number {number} in it.", A)
    assert read.read(f"{ONE} {TWO}", A) == TextReuse()
    assert read.read(f"{TWO} {THREE}", B).foreign == len(TWO[:-1]) / len(TWO[:-1] + THREE[:-1])  # of the article on A


def test_a_list_copies_other_lists() -> None:
    read = SeenSentences()
    read.read(f"{ONE} {TWO}", A, given=True, index=True)
    assert read.read(f"{TWO} {ONE}", B, index=True) == TextReuse(known=1.0, foreign=1.0, given=1.0)


def test_a_list_is_no_copy_of_articles_that_name_each_other() -> None:
    """Articles name related ones. Once ten were read, the lists of such a site said little new, and were closed unread: of 90
    articles on the topic 17 were found."""
    read = SeenSentences()
    read.read(f"Related:\n{ONE}\n{TWO}", f"{A}/article")
    for number in range(LAST):
        read.read(f"A sentence that is long enough has number {number} in it.", A)
    assert read.read(f"{ONE}\n{TWO}\n{THREE}", f"{A}/list", index=True) == TextReuse()


def test_a_list_copies_nothing_of_its_own_host() -> None:
    """The lists of a blog by month, tag and author show the same articles. Such a blog was closed after some 80 pages, mostly
    lists. The homes of endless hosts of one domain look like lists, too: of 1 000 requests they got 162."""
    read = SeenSentences()
    read.read(f"{ONE} {TWO}", f"{A}/page/1", index=True)
    assert read.read(f"{TWO} {ONE}", f"{A}/comets", index=True) == TextReuse(known=1.0)
    assert read.read(f"{TWO} {ONE}", f"{A}/tag/comets") == TextReuse(known=1.0)  # a list, whatever its page looks like
    assert read.read(f"{TWO} {ONE}", "http://other.a.example/", index=True) == TextReuse(known=1.0, sibling=1.0)


def test_an_article_is_no_copy_of_the_home_page_that_showed_it_and_linked_to_it() -> None:
    read = SeenSentences()
    read.read(f"{ONE} {TWO} {THREE} Nobody knows yet what it is made of.", f"{A}/")
    for number in range(LAST):
        read.read(f"A sentence that is long enough has number {number} in it.", A)
    assert read.read(f"{ONE} {TWO}", f"{A}/one", parent=f"{A}/") == TextReuse()
    assert read.read(f"{ONE} {TWO}", f"{A}/two", parent=f"{A}/one").known == 1.0  # two pages alike
    assert read.read(f"{ONE} {TWO} {THREE}", f"{A}/three", parent=f"{A}/").known == 1.0


@pytest.mark.parametrize(("parent_is_one", "own"), [(True, 1.0), (False, 0.0)])
def test_what_a_post_has_of_the_thread_read_just_before_is_no_template(parent_is_one: bool, own: float) -> None:
    """Answers read soon after their question were taken for their host's template: 72 were fetched until they were closed."""
    read = SeenSentences()
    read.read(f"{THREE} That is on another page of the same host.", f"{A}/question/1")
    read.read(f"{ONE} {TWO}", f"{A}/question/2")
    assert read.read(TWO, f"{A}/question/2/answer/7", parent=f"{A}/question/2", parent_is_one=parent_is_one).own == own


def test_the_only_page_read_of_a_host_is_its_template_even_for_what_it_links_to() -> None:
    read = SeenSentences()
    read.read(f"{ONE} {TWO}", f"{A}/question/2")
    assert read.read(TWO, f"{A}/question/2/answer/7", parent=f"{A}/question/2", parent_is_one=True).own == 0.0


def test_a_home_page_that_is_read_again_is_among_the_last_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_reuse, "PAGES", 2)
    read = SeenSentences()
    for url in (f"{A}/", B, f"{A}/", f"{B}/2"):
        read.read(f"{ONE} {TWO} {THREE}", url)
    assert read.read(ONE, f"{A}/one", parent=f"{A}/").known == 0.0


def test_what_a_reply_quotes_is_not_said_again() -> None:
    read = SeenSentences()
    read.read(ONE, A)
    assert read.read(f"{TWO}\n\nSomebody wrote:\n> {ONE}\n> > {ONE}", A).known == 0.0
    assert read.read(f"{THREE}\n{TWO}", B).known == len(TWO[:-1]) / len(THREE[:-1] + TWO[:-1])


def test_code_that_a_manual_has_in_two_languages_is_said_once_in_each() -> None:
    read = SeenSentences()
    code = "archive = open_archive(path, mode='r', lazily=True)"
    read.read(f"{ONE}\n{code}", A, language="en")
    assert read.read(f"这颗彗星在同一个夜里被三座天文台看到。\n{code}", A, language="zh").known == 0.0
    assert read.read(code, B, language="en").known == 1.0
