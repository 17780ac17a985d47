"""What a part of the web may cost without giving."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from itertools import islice, permutations, product
from string import ascii_lowercase
from urllib.parse import quote

import pytest

from focuscrawl.dedup.text_reuse import TextReuse
from focuscrawl.frontier import first_visits, part_table
from focuscrawl.frontier.fetch_yield import FetchYield
from focuscrawl.frontier.yields import SAMPLED, YieldLimit
from focuscrawl.url.groups import domain_of

HOST, HUB = "http://www.example.com", "http://www.example.com/hub.html"


def own(share: float) -> TextReuse:
    """A page so much of which its host has said before."""
    return TextReuse(known=share, own=share)


def foreign(share: float) -> TextReuse:
    """A page so much of which others have said."""
    return TextReuse(known=share, foreign=share)


def rich(pages: int = 200, share: float = 0.6) -> YieldLimit:
    """A crawl that finds something elsewhere."""
    limit = YieldLimit()
    for number in range(pages):
        limit.record(FetchYield(f"http://good{number % 5}.org/g/{number}", "http://good0.org/", number % 10 < 10 * share))
    return limit


def refused(limit: YieldLimit, url: str = HOST + "/cal/{n}ev", parent: str = HUB) -> float:
    """Share of further addresses of this form."""
    return sum(bool(limit.rule(url.format(n=n), parent)) for n in range(1000)) / 1000


def closing(limit: YieldLimit, urls: Iterator[str], parent: str = HUB, **brought: object) -> tuple[int, list[str]]:
    """Fetches until a part was closed, and which."""
    for number, url in enumerate(urls, 1):
        if closed := limit.record(FetchYield(url, parent, **brought)):  # type: ignore[arg-type]
            return number, closed
    return 0, []


def numbered(form: str, count: int = 1000) -> Iterator[str]:
    return (form.format(n=n) for n in range(count))


@pytest.mark.parametrize(("share", "most"), [(0.6, 30), (0.15, 60)])
def test_the_poorer_the_crawl_the_more_a_part_may_cost(share: float, most: int) -> None:
    limit = rich(share=share)
    fetches, closed = closing(limit, numbered(HOST + "/cal/{n}ev"))
    assert most / 2 < fetches <= most
    assert f"p {HOST}/cal/" in closed
    assert refused(limit) == pytest.approx(1 - 1 / SAMPLED, abs=0.02)
    assert refused(limit, HOST + "/news/{n}") == 0
    assert refused(limit, "http://good0.org/g/{n}") == 0


def test_a_crawl_that_finds_nothing_closes_nothing() -> None:
    limit = YieldLimit()
    assert closing(limit, numbered(HOST + "/cal/{n}")) == (0, [])


def test_a_share_of_0_switches_it_off_and_what_was_given_is_always_fetched() -> None:
    off = YieldLimit(0.0)
    for number in range(300):
        off.record(FetchYield(f"{HOST}/g/{number}", HUB, relevant=number % 2 == 0))
        off.record(FetchYield(f"{HOST}/cal/{number}", HUB))
    assert refused(off) == 0
    limit = rich()
    closing(limit, numbered(HOST + "/cal/{n}ev"))
    assert refused(limit, parent="") == 0


def test_lists_that_lead_to_something_are_not_barren() -> None:
    limit = rich()
    for number in range(200):
        page = f"{HOST}/lists/{number}/"
        limit.record(FetchYield(page, HUB))
        limit.record(FetchYield(f"{HOST}/articles/{number}.html", page, relevant=True))
    assert refused(limit, HOST + "/lists/{n}/") == 0


def test_hosts_are_closed_later_than_directories() -> None:
    limit = rich()
    fetches, closed = closing(limit, (f"{HOST}/{word}{n}/x" for n in range(99) for word in ("a", "b", "c", "d", "e")))
    assert fetches > 60
    assert f"h {HOST}" in closed


def test_a_good_directory_of_a_barren_host_stays_open() -> None:
    limit = rich()
    for number in range(10):
        limit.record(FetchYield(f"{HOST}/good/{number}.html", HUB, relevant=True))
    for number in range(400):
        limit.record(FetchYield(f"{HOST}/{'abcdefgh'[number % 8]}{number % 80}/x", HUB))
        limit.record(FetchYield(f"http://good1.org/g/{number}", "http://good0.org/", relevant=True))
    assert refused(limit, HOST + "/another/{n}/") > 0.9
    assert refused(limit, HOST + "/good/{n}.html") == 0


def test_titles_with_numbers_are_closed_together_but_keep_nothing_open() -> None:
    limit, words = rich(), ["winter", "spring", "summer", "autumn", "river", "market", "garden", "letter", "village", "engine"]
    titles = [f"{HOST}/{one}-{other}-{n}" for n, (one, other) in enumerate(product(words, words))]
    fetches, closed = closing(limit, iter(titles))
    assert 0 < fetches < 30
    assert closed == [f"t {HOST}/*0"]
    assert refused(limit, HOST + "/bread-night-{n}") > 0.9
    assert refused(limit, HOST + "/about") == 0
    limit = rich()
    closing(limit, (f"{HOST}/{word}{n}/x" for n in range(99) for word in "abcde"))
    for url in titles[:10]:
        limit.record(FetchYield(url, HUB, relevant=True))
    assert refused(limit, HOST + "/bread-night-{n}") > 0.9


def test_posts_of_a_blog_off_the_topic_are_closed_together() -> None:
    words = ["winter", "spring", "summer", "autumn", "river", "market", "garden", "letter"]
    fetches, closed = closing(rich(), (f"{HOST}/{'-'.join(title)}/" for title in permutations(words, 3)))
    assert 0 < fetches < 30
    assert closed == [f"t {HOST}/*/"]


def test_pages_of_another_kind_below_a_directory_off_the_topic_are_tried() -> None:
    limit, project = rich(), HOST + "/browse/projects/stars-{n}/about"
    _, closed = closing(limit, numbered(HOST + "/browse/KEY-{n}"))
    assert f"p {HOST}/browse/" in closed
    assert refused(limit, HOST + "/browse/KEY-{n}") > 0.9
    assert refused(limit, project) == 0
    for number in range(10):
        limit.record(FetchYield(project.format(n=number), HUB, relevant=number % 2 == 0))
    assert refused(limit, project) == 0


def test_kinds_of_pages_below_a_directory_off_the_topic_are_tried_no_more_once_ten_brought_nothing() -> None:
    limit = rich()
    closing(limit, numbered(HOST + "/browse/KEY-{n}"))
    for letter in ascii_lowercase[:10]:
        assert refused(limit, HOST + "/browse/{n}/z/y") == 0
        limit.record(FetchYield(f"{HOST}/browse/{letter}/x/y", HUB))
    assert refused(limit, HOST + "/browse/{n}/z/y") > 0.9


def with_terms() -> YieldLimit:
    """A crawl that has closed a department's lists of courses, because they nearly say the same."""
    limit = rich()
    closing(limit, numbered(HOST + "/courses/{n}WS/"), reuse=TextReuse(known=0.9))
    assert refused(limit, HOST + "/courses/{n}WS/") > 0.9
    return limit


@pytest.mark.parametrize(("relevant", "closes"), [(True, False), (False, True)])
def test_lists_that_repeat_put_aside_what_they_lead_to_only_once_it_was_tried(relevant: bool, closes: bool) -> None:
    limit, course = with_terms(), HOST + "/courses/{n}WS/stars.html"
    assert refused(limit, course) == 0
    for number in range(5):
        limit.record(FetchYield(f"{HOST}/courses/{number}WS/moon.html", HUB, relevant=relevant))
    assert (refused(limit, course) > 0.9) is closes


def test_pages_of_ever_new_forms_are_tried_a_few_times_where_all_repeats() -> None:
    limit = with_terms()
    for letter in ascii_lowercase[:10]:
        assert refused(limit, HOST + "/courses/{n}WS/y/x/stars.html") == 0
        limit.record(FetchYield(f"{HOST}/courses/90WS/{letter}/x/stars.html", HUB, reuse=TextReuse(known=0.9)))
    assert refused(limit, HOST + "/courses/{n}WS/y/x/stars.html") > 0.9


def test_a_directory_that_copies_closes_what_it_never_showed_too() -> None:
    limit = rich()
    closing(limit, (f"{HOST}/p/{letter * length}.html" for length in range(1, 9) for letter in "abcdef"), reuse=own(0.9))
    assert refused(limit, HOST + "/p/{n}-a.pdf") > 0.9


def test_relevant_pages_that_say_nothing_new_close_a_farm() -> None:
    limit = rich()
    for number in range(12):
        limit.record(FetchYield(f"http://farm.com/p/{number}.html", HUB, relevant=True, reuse=own(number / 12)))
    fetches, _ = closing(limit, numbered("http://farm.com/p/{n}.html"), relevant=True, reuse=own(0.9))
    assert 0 < fetches < 60
    assert refused(limit, "http://farm.com/p/{n}.html") > 0.9
    [farm] = [part for part in limit.barren() if "farm" in part.part]
    assert farm.repeats
    assert "repeat what was read before" in str(farm)


def test_a_large_manual_that_repeats_half_its_sentences_stays_open() -> None:
    limit = rich()
    for number in range(3000):
        limit.record(FetchYield(f"{HOST}/manual/{number}.html", HUB, relevant=number % 2 == 0, reuse=own((number % 10) / 11)))
    assert refused(limit, HOST + "/manual/{n}.html") == 0


def test_new_hosts_of_one_domain_and_new_domains_are_visited_in_proportion() -> None:
    limit = rich()
    fetches, closed = closing(limit, numbered("http://n{n}.wild.com/"))
    assert fetches < 25
    assert "m wild.com" in closed
    assert refused(limit, "http://further{n}.wild.com/") > 0.9
    assert refused(limit, "http://n1.wild.com/page{n}") == 0
    fetches, closed = closing(limit, numbered("http://www.k{n}.com/"))
    assert fetches < 25
    assert any(part.startswith("n") for part in closed)
    assert refused(limit, "http://unknown{n}.com/") > 0.9


def test_new_hosts_of_a_domain_that_brought_little_are_judged_as_those_of_a_new_one() -> None:
    limit = rich()
    closing(limit, numbered("http://www.k{n}.com/"))
    known = "http://www.known.com/"
    limit.record(FetchYield(known, HUB))
    assert refused(limit, "http://host{n}.known.com/") > 0.9
    for number in range(4):
        limit.record(FetchYield(f"{known}{number}", known, relevant=True))
    assert refused(limit, "http://host{n}.known.com/") == 0


@pytest.mark.parametrize("form", ["http://n{n}.wild.com/", "http://www.k{n}.com/"])
def test_first_visits_end_soon_where_they_repeat_although_they_brought_more_than_the_rest(form: str) -> None:
    limit = rich(share=0.3)
    for number in range(6):
        limit.record(FetchYield(form.format(n=f"first{number}"), HUB, relevant=True))
    fetches, closed = closing(limit, numbered(form), relevant=True, reuse=foreign(0.9))
    assert 0 < fetches < 10
    assert closed[0][0] in "mn"
    url = next(u for u in numbered(form.replace("{n}", "new{n}")) if zlib.crc32(u.encode()) % SAMPLED)
    assert limit.set_back(url, HUB) == ("last" if "wild" in form else "new")  # the text of a new domain may be another one


def test_what_the_first_page_of_a_host_names_on_it_is_no_first_visit() -> None:
    limit = rich()
    closing(limit, numbered("http://n{n}.wild.com/"))
    assert refused(limit, "http://new.wild.com/{n}", "http://new.wild.com/") == 0
    assert refused(limit, "http://new{n}.wild.com/") > 0.9


def test_hosts_that_only_repeat_are_judged_by_first_visits() -> None:
    limit = rich()
    for number in range(8):
        limit.record(FetchYield(f"http://www.k{number}.com/", HUB, relevant=True, reuse=foreign(0.97)))
    limit.record(FetchYield("http://www.k9.com/", HUB, relevant=True, reuse=foreign(0.1)))
    assert refused(limit, "http://www.k1.com/page{n}") > 0.9
    assert refused(limit, "http://www.k9.com/page{n}") == 0


def test_a_domain_on_trial_that_several_old_ones_name_need_not_prove_itself_beside_a_farm() -> None:
    limit = rich()
    for name in ("quotes", *(f"k{number}" for number in range(8))):
        limit.record(FetchYield(f"http://www.{name}.com/", HUB, relevant=True, reuse=foreign(0.97)))
    assert refused(limit, "http://www.quotes.com/page{n}") > 0.9
    for number in range(3):
        limit.names("http://www.quotes.com/", f"http://good{number}.org/")
    assert refused(limit, "http://www.quotes.com/page{n}") == 0
    assert refused(limit, "http://www.k1.com/page{n}") > 0.9


def test_domains_that_several_name_are_first_visits_of_their_own() -> None:
    limit = rich()
    for host in range(40):
        for by in range(3):
            limit.names(f"http://mirror{host}.com/", f"http://good{by}.org/")
    assert refused(limit, "http://mirror39.com/{n}") == 0
    fetches, _ = closing(limit, numbered("http://mirror{n}.com/", 30), relevant=True, reuse=foreign(1.0))
    assert 0 < fetches < 10
    for number in range(20, 30):
        limit.record(FetchYield(f"http://mirror{number}.com/", HUB, relevant=True, reuse=foreign(1.0)))
    assert refused(limit, "http://mirror39.com/{n}") > 0.9


def test_an_address_on_a_mirror_is_that_of_its_original_unless_a_rule_refuses_it_there() -> None:
    limit = rich()
    for number in range(5):
        limit.record(FetchYield(f"http://m.site.test/{number}", HUB, relevant=True))
        limit.record(FetchYield(f"http://www.site.test/{number}", HUB, original=f"http://m.site.test/{number}"))
    assert limit.set_back("http://www.site.test/book/7", HUB) == "mirror"
    assert limit.on_original("http://www.site.test/book/7", HUB) == "http://m.site.test/book/7"
    assert limit.on_original("http://m.site.test/book/7", HUB) == ""


def test_a_parameter_whose_value_makes_no_difference_is_closed_where_its_page_is_known() -> None:
    limit = rich()
    for number in range(10):
        original = f"{HOST}/a?id=1&ref=0" if number else ""
        limit.record(
            FetchYield(f"{HOST}/a?id=1&ref={number}", HUB, relevant=not number, original=original, reuse=own(float(number > 0)))
        )
    assert refused(limit, HOST + "/a?id=1&ref=x{n}") > 0.9
    assert "?ref" in limit.reason(f"{HOST}/a?id=1&ref=9", HUB)
    others = YieldLimit()
    for part in limit.whole():
        others.add(part)
    assert "?ref" in others.reason(f"{HOST}/a?id=1&ref=9", HUB)  # by what is shared alone, as `scrapy why` asks
    assert (limit.set_back(f"{HOST}/a?id=2&ref=9", HUB), limit.keep_aside(f"{HOST}/a?id=2&ref=9", HUB)) == ("", "repeats")
    assert refused(limit, HOST + "/a?id=2&ref=x{n}") == 0  # another page
    for number in range(10):
        limit.record(FetchYield(f"{HOST}/b?id={number}", HUB, relevant=True))
    assert refused(limit, HOST + "/b?id=x{n}") == 0


@pytest.mark.parametrize(
    ("form", "known_from_others"),
    [
        ("/tent/{n}?color={c}&size={s}", ("black", "tiny")),
        ("/show.php?id={n}&color={c}&size={s}", ("black", "tiny")),
        ("/p/{n}-{c}", ("blue", "")),  # words count each by itself
        ("/p/tent-{w}-{c}-{s}", ("black", "large")),
    ],
)
def test_of_a_product_one_variant_is_fetched_and_all_products_are(form: str, known_from_others: tuple[str, str]) -> None:
    """Of a made shop whose 200 products have six variants each, 88 were fetched with 300 requests: the others were put aside
    with the directory, which repeats."""
    limit = rich()

    def variant(number: int, color: str, size: str) -> str:
        return HOST + form.format(n=number, w=ascii_lowercase[number] * 4, c=color, s=size)

    for number in range(20):
        first = variant(number, "red", "small")
        limit.record(FetchYield(first, HUB, relevant=True))
        for color, size in (("blue", "large"), ("green", "wide")):
            if not limit.rule(variant(number, color, size), HUB):
                limit.record(FetchYield(variant(number, color, size), first, original=first, reuse=own(1.0)))
    assert limit.closed_part(variant(19, *known_from_others), HUB).startswith("v ")
    assert limit.closed_part(variant(25, "red", "small"), HUB) == ""


@pytest.mark.parametrize("form", ["/{n}", "/shop/{n}", "/shop/gear/{n}"])
def test_other_products_whose_names_begin_alike_are_fetched_where_variants_are_not(form: str) -> None:
    """Of a made shop whose paints have six colours, beside products that are called alike (`/shop/gear/alpine-vest`), 100
    of 146 relevant pages were fetched with 300 requests, because the paints were read first."""
    limit = rich()
    for letter in ascii_lowercase[:20]:
        paint = HOST + form.format(n=f"{letter * 4}-paint")
        for color in ("red", "blue", "green"):
            if not limit.rule(f"{paint}-{color}", HUB):
                original = "" if color == "red" else f"{paint}-red"
                limit.record(FetchYield(f"{paint}-{color}", HUB, not original, original, reuse=own(float(bool(original)))))
    assert limit.rule(HOST + form.format(n="aaaa-paint-blue"), HUB)
    limit.record(FetchYield(HOST + form.format(n="alpine-tent"), HUB, relevant=True))
    limit.record(FetchYield(HOST + form.format(n="alpine-tent-for-two"), HUB, relevant=True))
    others = ("alpine-vest", "alpine-tent-for-ten", "alpine-tent-with-pole")
    assert [limit.rule(HOST + form.format(n=name), HUB) for name in others] == ["", "", ""]


def test_variants_that_are_pages_of_their_own_are_all_fetched() -> None:
    limit = rich()
    for number in range(20):
        for system in ("linux", "windows", "mac"):
            limit.record(FetchYield(f"{HOST}/docs/{ascii_lowercase[number] * 4}-on-{system}", HUB, relevant=True))
            limit.record(FetchYield(f"{HOST}/show.php?about={number}&on={system}&as=page", HUB, relevant=True))
    assert (
        limit.rule(f"{HOST}/docs/aaaa-on-android", HUB) == limit.rule(f"{HOST}/show.php?about=1&on=android&as=text", HUB) == ""
    )


@pytest.mark.parametrize(
    "form",
    ["/sid-{x}/doc/{n}.html", "/(S({x}))/doc/{n}.html", "/shop;s={x}/doc/{n}.html", "/doc/{n}-{x}.html", "/doc/{n}.html;{x}"],
)
def test_a_session_within_the_path_is_a_value(form: str) -> None:
    limit = rich()
    for number in range(6):
        first = HOST + form.format(n=number, x=f"3fa{number}c2b1")
        limit.record(FetchYield(first, HUB, relevant=True))
        limit.record(FetchYield(HOST + form.format(n=number, x=f"9d{number}e7d40"), first, original=first, reuse=own(1.0)))
    assert limit.rule(HOST + form.format(n=3, x="77aa81fc"), HUB) == "yield"
    assert limit.rule(HOST + form.format(n=33, x="77aa81fc"), HUB) == ""


def test_a_parameter_without_which_the_page_is_the_same_is_closed() -> None:
    limit = rich()
    for number in range(6):
        page = f"{HOST}/topic?t={number}"
        for url, original in ((page, ""), (page + "&view=unread", page), (page + f"&p={number}0", page + "&view=unread")):
            limit.asked(url)
            limit.record(FetchYield(url, HUB, relevant=not original, original=original))
        limit.record(FetchYield(page + "&start=15", HUB, relevant=True))
    limit.asked(HOST + "/topic?t=9")
    assert limit.rule(HOST + "/topic?t=9&view=unread", HUB) == limit.rule(HOST + "/topic?t=9&p=90", HUB) == "yield"
    assert limit.rule(HOST + "/topic?t=8&view=unread", HUB) == ""  # its page is not known
    assert limit.rule(HOST + "/topic?t=9&start=15", HUB) == ""


def test_each_page_of_a_manual_is_fetched_in_one_version() -> None:
    """Of a manual with 191 pages in five versions 558 addresses were asked for, and pages that only one version has were put
    aside with the others."""
    limit = rich()
    for name in ascii_lowercase[:6]:
        first = f"{HOST}/en/5.2/{name}.html"
        limit.record(FetchYield(first, HUB, relevant=True))
        limit.record(FetchYield(f"{HOST}/en/stable/{name}.html", HUB, original=first, reuse=own(1.0)))
    limit.asked(f"{HOST}/en/5.2/z.html")
    versions = ("stable", "latest", "dev", "4", "v4.1", "1.x", "3.2-beta1")
    assert {limit.rule(f"{HOST}/en/{version}/z.html", HUB) for version in versions} == {"yield"}
    assert {limit.rule(f"{HOST}/en/{version}/new.html", HUB) for version in versions} == {""}


def test_versions_that_differ_are_all_fetched() -> None:
    limit = rich()
    for name in ascii_lowercase[:6]:
        for version in ("1.0", "2.0", "latest"):
            limit.record(FetchYield(f"{HOST}/{version}/{name}.html", HUB, relevant=True))
    limit.asked(f"{HOST}/1.0/z.html")
    assert limit.rule(f"{HOST}/latest/z.html", HUB) == ""


def test_pages_of_the_present_manual_are_not_put_aside_for_what_was_read_in_an_older_version() -> None:
    """Breadth-first, 34 of 40 relevant pages of a manual were found: six that the older version lacks had been put aside."""
    limit = rich()
    for number, name in enumerate(ascii_lowercase):
        older = f"{HOST}/docs/2.x/ops/{name}"
        limit.record(FetchYield(older, HUB, relevant=number % 3 == 0))
        limit.record(FetchYield(f"{HOST}/docs/ops/{name}", HUB, original=older, reuse=own(1.0)))
    assert limit.set_back(f"{HOST}/docs/ops/new", HUB) == "yield"  # it waits behind everything else, but is not put aside


def test_files_where_no_page_was_are_not_asked_for_after_five() -> None:
    """Of 400 requests to a journal 75 went to references, of which nothing was learned."""
    limit = rich()
    closed = [limit.record_file(f"{HOST}/paper/{number}/cite") for number in range(5)]
    files = f"f {HOST}/paper/0/*"
    assert closed == [[], [], [], [], [files]]
    assert refused(limit, HOST + "/paper/{n}/cite") > 0.97
    assert refused(limit, HOST + "/paper/{n}") == 0
    assert limit.set_back(f"{HOST}/paper/9/cite", HUB) == "repeats"
    assert [str(each) for each in limit.barren()] == [f"{HOST}/paper/0/*: the last 5 answers were files, not pages"]


def test_files_among_pages_are_asked_for() -> None:
    limit = rich()
    for number in range(20):
        limit.record(FetchYield(f"{HOST}/node/{number}", HUB, relevant=number % 9 == 0))
    assert [limit.record_file(f"{HOST}/node/{number}") for number in range(20, 40)] == [[]] * 20


def test_where_files_were_pages_may_come_to_be() -> None:
    """As PDF files are once a run reads them."""
    limit = rich()
    for number in range(6):
        limit.record_file(f"{HOST}/get/{number}")
    for number in range(6, 20):
        limit.record(FetchYield(f"{HOST}/get/{number}", HUB))
    assert limit.rule(f"{HOST}/get/99", HUB) == ""
    assert limit.take_opened() == ["example.com"]


def test_a_query_without_a_name_is_a_value() -> None:
    """The frames of a javadoc are at `index.html?org/x/Map.html` for each class: of 391 requests they got 154."""
    limit = rich()
    for name in ascii_lowercase:
        limit.record(FetchYield(f"{HOST}/api/org/x/{name}.html", HUB, relevant=True))
    for name in ascii_lowercase[:6]:
        original = f"{HOST}/api/index.html?org/x/a.html" if name > "a" else ""
        limit.record(FetchYield(f"{HOST}/api/index.html?org/x/{name}.html", HUB, original=original))
    assert limit.rule(f"{HOST}/api/index.html?org/x/z.html", HUB) == "yield"
    for number in range(10):
        limit.record(FetchYield(f"{HOST}/read.php?tid-{number}.html", HUB, relevant=True))
    assert limit.rule(f"{HOST}/read.php?tid-99.html", HUB) == ""


def test_posts_of_a_thread_whose_page_has_another_parameter_are_copies_and_their_number_makes_a_difference() -> None:
    """Of a forum with 60 relevant pages 30 were stored with 400 requests."""
    limit = rich()
    for number in range(12):
        limit.record(FetchYield(f"{HOST}/show.php?t={number}", HUB, relevant=True))
        copy = FetchYield(f"{HOST}/show.php?p={number}", HUB, original=f"{HOST}/show.php?t={number}", reuse=own(1.0))
        limit.record(copy)
    assert refused(limit, HOST + "/show.php?p=x{n}") > 0.9
    assert "show.php?p" in limit.reason(f"{HOST}/show.php?p=99", HUB)
    assert refused(limit, HOST + "/show.php?t=x{n}") == 0


def test_the_first_page_of_a_thread_at_two_addresses_says_nothing_of_its_further_pages() -> None:
    """Of a forum with 106 relevant pages 57 were stored: once three threads had been seen with `pn=1`, too, no `pn=2` was."""
    limit = rich()
    for number in range(5):
        thread = f"{HOST}/p/{number}"
        limit.record(FetchYield(thread, HUB, relevant=True))
        limit.record(FetchYield(f"{thread}?pn=1", HUB, original=thread, reuse=own(1.0)))
    limit.asked(HOST + "/p/9")
    assert limit.rule(HOST + "/p/9?pn=1", HUB) == "yield"
    assert limit.rule(HOST + "/p/9?pn=2", HUB) == limit.rule(HOST + "/p/9?pn=12", HUB) == ""


def test_what_a_script_of_a_forum_repeats_closes_no_other_script() -> None:
    limit = rich()
    for number in range(160):
        if number % 4 == 0:
            limit.record(FetchYield(f"{HOST}/topic.php?f=1&t={number}", HUB, relevant=number % 12 == 0))
        limit.record(FetchYield(f"{HOST}/report.php?f={number % 7}&p={number}", HUB, reuse=own(1.0)))
    assert refused(limit, HOST + "/report.php?f=2&p=x{n}") > 0.9
    assert refused(limit, HOST + "/board.php?f=x{n}") == 0


def test_what_differs_in_a_value_alone_is_not_asked_for_beside_what_is_on_its_way() -> None:
    limit = rich()
    for number in range(4):
        original = f"{HOST}/desk/a?visit=0" if number else ""
        limit.record(FetchYield(f"{HOST}/desk/a?visit={number}", HUB, relevant=not number, original=original))
    first, second = (f"{HOST}/desk/b?visit=x{n}" for n in range(2))
    assert limit.rule(first, HUB) == limit.rule(second, HUB) == ""
    limit.asked(first)
    assert (limit.rule(first, HUB), limit.rule(second, HUB)) == ("", "yield")


def test_where_the_one_that_stands_for_others_fails_another_takes_its_place_once() -> None:
    limit = rich()
    for number in range(4):
        original = f"{HOST}/desk/a?visit=0" if number else ""
        limit.record(FetchYield(f"{HOST}/desk/a?visit={number}", HUB, relevant=not number, original=original))
    first, second, third = (f"{HOST}/desk/b?visit=x{n}" for n in range(3))
    limit.asked(first)
    assert limit.instead(second) == ""  # it stands for nobody
    assert limit.rule(second, HUB) == "yield"
    assert limit.instead(first) == second
    assert [limit.rule(url, HUB) for url in (first, second, third)] == ["yield", "", "yield"]
    assert limit.instead(second) == ""
    assert limit.rule(third, HUB) == "yield"
    for page in "c", "d":  # no other is known yet: the next one that is found
        limit.asked(f"{HOST}/desk/{page}?visit=x0")
    assert limit.instead(f"{HOST}/desk/c?visit=x0") == ""
    assert [limit.rule(f"{HOST}/desk/{page}?visit=x1", HUB) for page in "cd"] == ["", "yield"]


def test_a_name_drawn_by_a_machine_in_the_path_may_make_no_difference_either() -> None:
    limit = rich()
    for number in range(6):
        page = number % 2
        original = f"{HOST}/help/{page}/{page}a000000/read" if number > 1 else ""
        limit.record(FetchYield(f"{HOST}/help/{page}/{number}a000000/read", HUB, relevant=not original, original=original))
    assert refused(limit, HOST + "/help/1/{n}bbbbbbbb/read") > 0.9
    assert refused(limit, HOST + "/help/9{n}/{n}bbbbbbbb/read") == 0


def test_pages_that_are_the_same_each_year_are_read_once_and_close_no_directory() -> None:
    limit = rich()
    for course in range(4):
        for year in range(2016, 2025):
            first, url = (f"{HOST}/courses/{each}/db{course}/" for each in (2016, year))
            if not limit.rule(url, HUB):
                limit.record(FetchYield(url, HUB, relevant=url == first, original="" if url == first else first))
    assert limit.rule(f"{HOST}/courses/2024/db3/", HUB) == "yield"
    assert refused(limit, HOST + "/courses/2024/new{n}/") == 0


def test_one_order_of_each_months_messages_is_read_and_closes_no_archive() -> None:
    limit, asked = rich(), 0
    for month in range(1, 13):
        for year in range(2000, 2010):
            folder = f"{HOST}/users/{year}-{month:02}"
            for order in ("thread", "subject", "author", "date"):
                url, first = f"{folder}/{order}.html", f"{folder}/thread.html"
                if not limit.rule(url, HUB):
                    limit.asked(url)
                    asked += 1
                    copies = order != "thread"
                    limit.record(FetchYield(url, HUB, original=first * copies, reuse=own(0.9 * copies)))
            limit.record(FetchYield(f"{folder}/00{month}.html", first, relevant=True))
    assert refused(limit, HOST + "/users/2011-01/0{n}.html") == 0
    assert limit.rule(f"{HOST}/users/2011-01/date.html", HUB) == ""
    limit.asked(f"{HOST}/users/2011-01/date.html")
    assert limit.rule(f"{HOST}/users/2011-01/author.html", HUB) == "yield"
    assert asked < 130  # of 480


def test_chinese_titles_are_one_template() -> None:
    """As the pages of a Chinese encyclopaedia or blog are called, encoded."""
    limit, letters = rich(), "星光年云球太阳空宇宙文源景观测系世界大小发现"
    titles = [f"{HOST}/{quote(f'{one}{other}')}" for one, other in product(letters, letters)]
    fetches, closed = closing(limit, iter(titles))
    assert 0 < fetches < 30
    assert closed == [f"t {HOST}/*"]
    assert refused(limit, f"{HOST}/{quote('铁路')}2{{n}}") == 0  # titles with numbers are another one
    fetches, closed = closing(limit, (f"{HOST}/{quote('第')}{n}{quote('章')}.html" for n in range(99)))
    assert closed == [f"t {HOST}/*0.html"]


def test_the_address_that_a_page_names_as_its_own_may_be_fetched_though_others_show_the_same() -> None:
    limit = rich()
    for n in range(4):
        old, stable = (f"{HOST}/en/{version}/{n}x.html" for version in ("3.2", "stable"))
        limit.record(FetchYield(old, HUB, relevant=True, canonical=stable))
        limit.record(FetchYield(stable, HUB, original=old, is_home=True, canonical=stable))
    limit.asked(f"{HOST}/en/3.2/9x.html")
    assert limit.refusal(f"{HOST}/en/stable/9x.html", HUB) == "yield"
    assert limit.refusal_of_named(f"{HOST}/en/stable/9x.html", HUB) == ""
    assert limit.rule(f"{HOST}/en/stable/new.html", HUB) == ""  # its directory is open
    closing(limit, numbered(HOST + "/old/{n}x.html"))
    assert limit.refusal_of_named(f"{HOST}/old/500x.html", HUB) == "yield"


def test_where_the_addresses_lie_that_pages_name_as_their_own_does_not_bring_too_little() -> None:
    """The pages of the stable version bring what was read at an older one, but those that only it has bring more."""
    limit = rich()
    for n in range(60):
        old, stable = (f"{HOST}/en/{version}/{n}x.html" for version in ("3.2", "stable"))
        limit.record(FetchYield(old, HUB, relevant=True, canonical=stable))
        assert limit.refusal_of_named(stable, old) == ""
        limit.record(FetchYield(stable, original=old, is_home=True, canonical=stable))
    assert [limit.rule(f"{HOST}/en/stable/{n}new.html", HUB) for n in range(9)] == [""] * 9


def test_links_that_differ_in_a_value_that_mattered_at_times_wait_behind_everything_else() -> None:
    """A quarter of the pages of a development version differ from those of the last release."""
    limit, latest = rich(), f"{HOST}/en/dev/99x.html"
    for n in range(12):
        stable, dev = (f"{HOST}/en/{version}/{n}x.html" for version in ("stable", "dev"))
        limit.record(FetchYield(stable, HUB, relevant=True))
        limit.record(FetchYield(dev, HUB, relevant=n % 4 == 0, original="" if n % 4 == 0 else stable))
    limit.asked(f"{HOST}/en/stable/99x.html")
    assert [limit.rule(latest, HUB), limit.refusal(latest, HUB), limit.set_back(latest, HUB)] == ["yield", "", "yield"]
    for n in range(12, 30):  # the rest is the same
        limit.record(FetchYield(f"{HOST}/en/stable/{n}x.html", HUB, relevant=True))
        limit.record(FetchYield(f"{HOST}/en/dev/{n}x.html", HUB, original=f"{HOST}/en/stable/{n}x.html"))
    assert [limit.refusal(latest, HUB), limit.set_back(latest, HUB)] == ["yield", "repeats"]


def manual(limit: YieldLimit, known: float, released: str = "3.2", other: str = "next") -> None:
    """Each of 12 pages was read in the release, then in another version, of whose text so much was known."""
    for name in ascii_lowercase[:12]:
        limit.record(FetchYield(f"{HOST}/docs/{released}/ops/{name}.html", HUB, relevant=True))
        limit.record(FetchYield(f"{HOST}/docs/{other}/ops/{name}.html", HUB, relevant=True, reuse=own(known)))


@pytest.mark.parametrize(("released", "other"), [("3.2", "next"), ("16", "15"), ("current", "16")])
def test_versions_of_a_page_that_say_mostly_the_same_wait_behind_everything_else(released: str, other: str) -> None:
    """Of a manual with 64 pages in five versions that differ in a fifth of their text 54 to 61 were read with 100 requests:
    most versions counted as pages of their own."""
    limit = rich()
    manual(limit, 0.8, released, other)
    limit.asked(f"{HOST}/docs/{released}/ops/z.html")
    version = f"{HOST}/docs/{other}/ops/z.html"
    assert [limit.refusal(version, HUB), limit.set_back(version, HUB)] == ["", "yield"]
    assert limit.set_back(f"{HOST}/docs/{other}/ops/new.html", HUB) == ""  # what only this version has
    assert refused(limit, f"{HOST}/docs/{other}/{{n}}x.html") == 0


def test_versions_of_a_page_that_say_mostly_something_else_do_not_wait() -> None:
    limit = rich()
    manual(limit, 0.4)
    limit.asked(f"{HOST}/docs/3.2/ops/z.html")
    assert limit.set_back(f"{HOST}/docs/next/ops/z.html", HUB) == ""


def test_pages_of_one_name_that_repeat_known_text_are_told_apart_unless_they_are_versions() -> None:
    limit = rich()
    for name in ascii_lowercase[:12]:
        limit.record(FetchYield(f"{HOST}/docs/moon/{name}.html", HUB, relevant=True))
        limit.record(FetchYield(f"{HOST}/docs/sun/{name}.html", HUB, relevant=True, reuse=own(0.8)))
    limit.asked(f"{HOST}/docs/moon/z.html")
    assert not limit.closed_part(f"{HOST}/docs/sun/z.html", HUB).startswith("v ")


def test_what_lies_in_a_barren_directory_is_refused_whatever_is_known_of_its_values() -> None:
    """The filters of a shop that is off the topic have no end."""
    limit, listed = rich(), HOST + "/list/{n}x.html?cat={n}&sort={s}"
    for n in range(20):
        by_name, by_price = (listed.format(n=n, s=sort) for sort in ("name", "price"))
        limit.record(FetchYield(by_name, HUB))
        limit.record(FetchYield(by_price, HUB, original="" if n % 4 == 3 else by_name))
    limit.asked(listed.format(n=99, s="name"))
    other = listed.format(n=99, s="price")
    assert limit.closed_part(other, HUB) == f"v {HOST}?sort"
    assert [limit.refusal(other, HUB), limit.refusal_of_named(other, HUB)] == ["yield", "yield"]


def growing(limit: YieldLimit, pages: int, shows_end: bool = True) -> list[str]:
    """A manual with articles `/manual/x/a.html`, each of which was read a second time with a directory more in between."""
    closed = []
    for n in range(pages):
        short, long = f"{HOST}/manual/moon/{ascii_lowercase[n]}.html", f"{HOST}/manual/sun/moon/{ascii_lowercase[n]}.html"
        limit.record(FetchYield(short, HUB, relevant=True))
        closed += limit.record(FetchYield(long, HUB, relevant=not shows_end, original=short if shows_end else ""))
    return closed


def test_a_relative_link_that_grows_leads_to_no_known_page_again() -> None:
    limit, longer = rich(), f"{HOST}/manual/sun/mars/z.html"
    assert growing(limit, 3) == [f"v {HOST}/.../*/", f"v {HOST}/.../*/sun/.../"]
    assert not limit.refusal(f"{HOST}/manual/mars/z.html", HUB)
    assert limit.rule(longer, HUB) == "yield"
    assert limit.reason(longer, HUB).startswith(f"{HOST}/.../*/: ")
    assert not limit.rule(f"{HOST}/manual/mars/z.html", HUB)
    assert not limit.rule(f"{HOST}/manual/sun/mars/y.html", HUB)  # its page is known nowhere else
    assert not limit.rule(f"{HOST}/manual/reviews/mars/z.html", HUB)  # nothing is known of reviews
    assert limit.instead(f"{HOST}/manual/mars/z.html") == longer  # was a dead link
    assert not limit.rule(longer, HUB)
    assert limit.instead(f"{HOST}/manual/mars/z.html") == ""  # once


def test_a_relative_link_that_grows_closes_no_directory() -> None:
    limit = rich()
    assert f"p {HOST}/manual/" not in growing(limit, 26)
    assert refused(limit, f"{HOST}/manual/venus/{{n}}x.html") == 0


def test_pages_of_one_name_in_many_directories_are_told_apart() -> None:
    limit = rich()
    assert growing(limit, 26, shows_end=False) == []
    assert not limit.rule(f"{HOST}/manual/mars/moon/a.html", HUB)


def test_a_refused_address_spares_no_longer_one() -> None:
    limit = rich()
    growing(limit, 3)
    closing(limit, numbered(HOST + "/old/{n}x.html"))
    assert limit.refusal(f"{HOST}/old/500x.html", HUB) == "yield"
    assert limit.refusal(f"{HOST}/sun/old/500x.html", HUB) == ""


def test_a_waiting_address_spares_no_other_one_once_its_directory_is_closed() -> None:
    limit = rich()
    shop(limit, ascii_lowercase[:6])
    waiting, other = f"{HOST}/lenses/500x.html", f"{HOST}/sale/500x.html"
    assert limit.refusal(waiting, HUB) == ""
    assert limit.refusal(other, HUB) == "yield"
    closing(limit, numbered(HOST + "/lenses/{n}x.html"))
    assert limit.set_back(waiting, HUB) == "yield"
    assert limit.refusal(other, HUB) == ""


def test_what_one_run_learned_of_growing_links_holds_for_the_next() -> None:
    earlier, later = rich(), YieldLimit()
    growing(earlier, 3)
    for part in earlier.whole():
        later.add(part)
    later.was_fetched(f"{HOST}/manual/mars/z.html")
    assert later.keep_aside(f"{HOST}/manual/sun/mars/z.html", HUB) == "yield"
    assert later.keep_aside(f"{HOST}/manual/sun/mars/y.html", HUB) == ""


def shop(limit: YieldLimit, products: str) -> None:
    """Each product stands in three categories, the page of its reviews is another one; all were read."""
    for name in products:
        limit.record(FetchYield(f"{HOST}/reviews/{name}.html", HUB, relevant=True))
        for category in ("lenses", "sale", "new"):
            copies = "" if category == "lenses" else f"{HOST}/lenses/{name}.html"
            limit.record(FetchYield(f"{HOST}/{category}/{name}.html", HUB, relevant=not copies, original=copies))


def test_a_product_is_fetched_in_one_of_its_categories() -> None:
    limit = rich()
    shop(limit, "ab")
    urls = [f"{HOST}/{category}/z.html" for category in ("sale", "lenses", "new")]
    assert [limit.refusal(url, HUB) for url in urls] == ["", "", "yield"]  # `lenses` goes before `sale`
    assert [limit.set_back(url, HUB) for url in urls] == ["yield", "", "yield"]
    assert limit.refusal(f"{HOST}/reviews/z.html", HUB) == ""
    limit.asked(urls[2])  # one in a hundred is
    limit.record(FetchYield(urls[2], HUB, relevant=True))
    assert [limit.set_back(url, HUB) for url in urls] == ["yield", "yield", ""]
    assert limit.refusal(f"{HOST}/sale/index.html", HUB) == ""


@pytest.mark.parametrize(
    ("released", "other"),
    [
        ("stable", "main"),
        ("latest", "dev"),
        ("3.2", "next"),
        ("stable", "3.2"),
        ("stable", "latest"),
        ("3.10", "3.9"),
        ("3.9", "3.8"),
        ("3.9", "4.0-rc1"),
    ],
)
def test_of_two_versions_of_a_waiting_page_the_released_one_is_fetched(released: str, other: str) -> None:
    """Which was the first in the alphabet decided: `/docs/main/` was read instead of `/docs/stable/`."""
    limit = rich()
    for name in "abc":
        known = f"{HOST}/docs/{released}/{name}.html"
        limit.record(FetchYield(known, HUB, relevant=True))
        limit.record(FetchYield(f"{HOST}/docs/{other}/{name}.html", HUB, original=known))
    urls = [f"{HOST}/docs/{version}/z.html" for version in (other, released)]
    assert [limit.refusal(url, HUB) for url in urls] == ["", ""]
    assert [limit.set_back(url, HUB) for url in urls] == ["yield", ""]


def test_of_many_versions_of_a_waiting_page_the_release_is_fetched() -> None:
    """Of the addresses that end alike the first four were remembered, whichever these are."""
    limit, versions = rich(), [*(f"1.{number}" for number in range(8)), "stable"]
    urls = [f"{HOST}/docs/{version}/z.html" for version in versions]
    assert {limit.refusal(url, HUB) for url in urls} == {""}
    for name, version in zip(ascii_lowercase, versions[:-1], strict=False):
        known = f"{HOST}/docs/stable/{name}.html"
        limit.record(FetchYield(known, HUB, relevant=True))
        limit.record(FetchYield(f"{HOST}/docs/{version}/{name}.html", HUB, original=known))
    assert [bool(limit.set_back(url, HUB)) for url in urls] == [True] * 8 + [False]


def test_a_directory_before_the_end_of_a_path_is_not_taken_for_a_last_name() -> None:
    """`/shoes/sale/` was refused because products in `/sale/` had shown known ones, and `/reviews/z.html` because
    `/shoes/reviews/` had been compared with `/shoes/`, though it is another page."""
    limit = rich()
    shop(limit, ascii_lowercase[:6])
    for part in ("shoes", "boots"):
        for last in ("", "reviews/"):
            limit.record(FetchYield(f"{HOST}/{part}/{last}", HUB, relevant=True))
    assert limit.refusal(f"{HOST}/shoes/sale/", HUB) == ""
    assert limit.refusal(f"{HOST}/lenses/z.html", HUB) == ""
    assert limit.refusal(f"{HOST}/sale/z.html", HUB) == "yield"
    assert limit.refusal(f"{HOST}/reviews/z.html", HUB) == ""


def test_pages_of_one_name_in_two_chapters_are_told_apart_though_links_grow_through_both() -> None:
    limit = rich()
    growing(limit, 3)
    for name in "abc":
        known = f"{HOST}/manual/sun/{name}{name}.html"
        limit.record(FetchYield(known, HUB, relevant=True))
        limit.record(FetchYield(f"{HOST}/manual/moon/sun/{name}{name}.html", HUB, original=known))
    assert not limit.refusal(f"{HOST}/manual/moon/setup.html", HUB)
    assert not limit.refusal(f"{HOST}/manual/sun/setup.html", HUB)
    assert limit.refusal(f"{HOST}/manual/moon/sun/setup.html", HUB) == "yield"


def test_directories_that_have_a_few_pages_in_common_are_told_apart_by_the_others() -> None:
    """Each issue of a journal has the same editorial board: of 96 articles, called alike in each, 24 were found."""
    limit = rich()
    for issue in range(6):
        limit.record(FetchYield(f"{HOST}/issue{issue}/a.html", HUB, relevant=True))
        limit.record(FetchYield(f"{HOST}/issue{issue}/b.html", HUB, relevant=True))
        limit.record(FetchYield(f"{HOST}/issue{issue}/board.html", HUB, original=f"{HOST}/issue0/board.html" * bool(issue)))
    assert [limit.refusal(f"{HOST}/issue{issue}/c.html", HUB) for issue in range(6)] == [""] * 6


def test_a_list_of_which_it_is_open_whether_it_is_a_copy_closes_no_value_and_opens_none() -> None:
    limit = rich()
    for term in range(2000, 2006):
        limit.record(FetchYield(f"{HOST}/{term}/lectures/", HUB, undecided=True))
    assert limit.refusal(f"{HOST}/2024/lectures/", HUB) == ""
    growing(limit, 3)
    for name in ascii_lowercase:
        limit.record(FetchYield(f"{HOST}/manual/moon/{name}{name}/", HUB))
        limit.record(FetchYield(f"{HOST}/manual/sun/moon/{name}{name}/", HUB, undecided=True))
    assert limit.refusal(f"{HOST}/manual/mars/z.html", HUB) == ""
    assert limit.rule(f"{HOST}/manual/sun/mars/z.html", HUB) == "yield"


def test_lists_that_say_the_same_are_copies_once_they_have_led_to_known_pages() -> None:
    """Paths that grow for ever: all pages say the same, and each leads to others below its own address."""
    limit, urls = rich(), [f"{HOST}/a/a/"]
    for url in urls:
        limit.record(FetchYield(url, url[:-2], undecided=True))
        if not limit.lists_lead_to_known(url):
            urls += [f"{url}{name}/" for name in "abcd"]
    assert len(urls) < 120
    assert not limit.lists_lead_to_known(f"{HOST}/courses/1/")


def test_lists_that_say_the_same_lead_on_as_long_as_new_pages_are_below_them() -> None:
    limit = rich()
    for week in range(30):
        limit.record(FetchYield(f"{HOST}/week{week}/", HUB, undecided=True))
        for lecture in "abcde":
            original = f"{HOST}/week1/a" if lecture in "cd" else ""
            limit.record(FetchYield(f"{HOST}/week{week}/{lecture}", f"{HOST}/week{week}/", original=original))
        assert not limit.lists_lead_to_known(f"{HOST}/week{week}/")


def test_commits_that_hold_the_same_files_are_copies_and_files_elsewhere_say_nothing_of_them() -> None:
    limit = rich()
    for number in range(9):
        limit.record(FetchYield(f"{HOST}/files/{number}", HUB, original=f"{HOST}/files/x"))
    assert not limit.lists_lead_to_known(f"{HOST}/tree/3/")
    limit.record(FetchYield(f"{HOST}/tree/2/", HUB, undecided=True))
    for name in "abc":
        assert not limit.lists_lead_to_known(f"{HOST}/tree/3/")
        limit.record(FetchYield(f"{HOST}/tree/2/{name}", f"{HOST}/tree/2/", original=f"{HOST}/tree/1/{name}"))
    assert limit.lists_lead_to_known(f"{HOST}/tree/3/")


@pytest.mark.parametrize("behind", ["{page}/amp/", "{page}/print", "{page}/AMP?x=1"])
def test_a_word_behind_an_address_that_shows_the_same_page_makes_no_difference(behind: str) -> None:
    """Blogs have each post once more for phones and for the printer."""
    limit, asked = rich(), 0
    for title in ("how-to-prune", "the-old-shed", "why-roses-fade", "soil-in-spring", "a-late-frost", "red-ants"):
        page = f"{HOST}/{title}" + "/" * behind.endswith("/") + "?x=1" * behind.endswith("?x=1")
        limit.asked(page)
        limit.record(FetchYield(page, HUB, relevant=True))
        copy = behind.format(page=f"{HOST}/{title}")
        if not limit.rule(copy, page):
            limit.asked(copy)
            asked += 1
            limit.record(FetchYield(copy, page, original=page, reuse=own(1.0)))
    assert asked == 3
    unknown = behind.format(page=f"{HOST}/never-met")
    assert limit.rule(unknown, HUB) == ""


def test_a_word_behind_an_address_that_shows_another_page_stays_open() -> None:
    limit = rich()
    for number in range(20):
        for url in (f"{HOST}/group{number}/", f"{HOST}/group{number}/staff/"):
            limit.asked(url)
            limit.record(FetchYield(url, HUB, relevant=True))
    limit.asked(f"{HOST}/group-of-ours/")
    assert limit.rule(f"{HOST}/group-of-ours/staff/", HUB) == ""


def test_what_a_directory_copied_closes_no_other_one_beside_it() -> None:
    limit = rich()
    for number, book in enumerate(("alpha", "bravo", "carol")):
        for page in range(8):
            limit.record(FetchYield(f"{HOST}/doc/{book}/single{page}.html", HUB, relevant=True))
        for page in range(12):  # by chapter and by section: what the page of the whole book says
            limit.record(FetchYield(f"{HOST}/doc/{book}/chapters/{page}.html", HUB, relevant=True, reuse=own(1.0)))
        assert refused(limit, f"{HOST}/doc/{book}/chapters/1{{n}}.html") > 0.9
        assert refused(limit, HOST + "/doc/delta/{n}.html") == 0, number


def test_a_closed_part_is_tried_the_rarer_the_longer_it_brings_nothing() -> None:
    limit = rich()
    closing(limit, numbered(HOST + "/cal/{n}ev"))
    at_first = refused(limit)
    for number in range(20):
        limit.record(FetchYield(f"{HOST}/cal/{number}tried", HUB))
    assert at_first < refused(limit) == 1


def test_a_part_that_copies_is_tried_the_rarer_though_what_it_copies_is_relevant() -> None:
    limit = YieldLimit()
    closing(limit, numbered("http://farm.com/p/{n}.html"), relevant=True, reuse=own(0.8))
    at_first = refused(limit, "http://farm.com/p/x{n}.html")
    for number in range(20):
        limit.record(FetchYield(f"http://farm.com/p/{number}tried.html", HUB, relevant=True, reuse=own(0.8)))
    assert 0 < at_first < refused(limit, "http://farm.com/p/x{n}.html") == 1


def test_what_is_closed_for_what_came_since_the_last_fruitful_visit_does_not_open_in_turns() -> None:
    limit = rich(share=0.3)
    closed = [part for n in range(150) for part in limit.record(FetchYield(f"http://k{n}.com/", HUB, relevant=n < 14))]
    assert "n8" in closed
    assert len(closed) == len(set(closed))


def test_of_first_visits_those_that_a_copying_domain_names_come_last() -> None:
    limit = rich()
    for number in range(8):
        limit.record(FetchYield(f"http://www.k{number}.com/", HUB, relevant=True, reuse=foreign(0.97)))
    farm, good = (
        next(u for u in numbered(form) if zlib.crc32(u.encode()) % SAMPLED)
        for form in ("http://farm.com/{n}", "http://good.com/{n}")
    )
    assert [limit.set_back(url, HUB) for url in (farm, good)] == ["new", "new"]
    limit.names(farm, "http://www.k1.com/")
    assert [limit.set_back(url, HUB) for url in (farm, good)] == ["last", "new"]
    for url, by in product((farm, good), range(3)):
        limit.names(url, f"http://good{by}.org/")
    assert [limit.set_back(url, HUB) for url in (farm, good)] == ["last", ""]


def test_what_a_domain_names_that_turns_out_to_copy_comes_last() -> None:
    limit = rich()
    farm = next(u for u in numbered("http://farm.com/{n}") if zlib.crc32(u.encode()) % SAMPLED)
    limit.record(FetchYield("http://www.k1.com/", HUB, relevant=True))
    limit.names(farm, "http://www.k1.com/")
    for by in range(3):
        limit.names(farm, f"http://good{by}.org/")
    for number in range(2, 10):
        limit.record(FetchYield(f"http://www.k{number}.com/", HUB, relevant=True, reuse=foreign(0.97)))
    assert limit.set_back(farm, HUB) == ""  # three old ones name it, and none that copies
    for number in range(3):
        limit.record(FetchYield(f"http://www.k1.com/{number}", HUB, relevant=True, reuse=foreign(0.97)))
    assert limit.set_back(farm, HUB) == "last"


def test_months_without_a_sentence_are_closed_soon() -> None:
    limit, empty = rich(), rich()
    with_text, _ = closing(limit, numbered(HOST + "/cal/{n}ev"))
    without, _ = closing(empty, numbered(HOST + "/cal/{n}ev"), reuse=TextReuse(empty=True))
    assert 0 < without < with_text / 2


def test_a_small_blog_most_of_whose_text_is_its_template_stays_open_where_the_rest_brings_no_more() -> None:
    limit = rich(share=0.05)
    for number in range(200):
        limit.record(FetchYield(f"{HOST}/posts/{number}.html", HUB, relevant=True, reuse=TextReuse(known=0.9)))
    assert refused(limit, HOST + "/posts/{n}.html") == 0


def test_a_farm_is_closed_whatever_the_rest_brings() -> None:
    limit = YieldLimit()
    for number in range(30):  # all that is read is the farm, and its first pages were new
        limit.record(FetchYield(f"http://farm.com/p/{number}.html", HUB, relevant=True))
    fetches, _ = closing(limit, numbered("http://farm.com/p/{n}.html"), relevant=True, reuse=own(0.8))
    assert 0 < fetches < 45


def test_what_lists_quote_closes_nobody() -> None:
    limit = rich()
    for number in range(200):  # half of the articles were shown whole by the list that named them
        limit.record(FetchYield(f"{HOST}/posts/{number}.html", HUB, relevant=True, reuse=own(float(number % 2))))
    assert refused(limit, HOST + "/posts/{n}.html") == 0


def test_of_many_hosts_that_copy_each_costs_few_pages() -> None:
    limit, paid = rich(), 0
    for number in range(12 * 30):
        url = f"http://offer{number % 12}.com/{number}-x/"
        if not limit.rule(url, HUB):
            limit.record(FetchYield(url, HUB, relevant=True, reuse=foreign(0.0 if number < 12 else 0.9)))
            paid += 1
    assert paid < 12 * 4


def test_what_was_given_is_the_source_of_what_it_says_and_a_section_alone_copies_nobody() -> None:
    limit = rich()
    limit.record(FetchYield(f"{HOST}/", relevant=True))
    for number in range(60):  # read on a farm before
        limit.record(FetchYield(f"{HOST}/a/{number}", HUB, relevant=True, reuse=TextReuse(known=0.4, foreign=0.9)))
        limit.record(
            FetchYield(
                f"http://found.com/{'ab'[number % 3 > 0]}/{number}", HUB, relevant=True, reuse=foreign(0.45 * (number % 3 < 1))
            )
        )
    assert refused(limit, HOST + "/a/{n}") == 0
    assert refused(limit, "http://found.com/a/{n}") == 0
    copier = [
        FetchYield(f"http://copier.com/{number}/x", HUB, relevant=True, reuse=TextReuse(known=0.4, foreign=0.9))
        for number in range(20)
    ]
    assert any("d copier.com" in limit.record(brought) for brought in copier)


def test_articles_that_others_show_whole_copy_nothing() -> None:
    limit = rich()
    for number in range(60):
        copy = f"http://first.org/{number}.html" if number % 3 else ""
        share = 0.8 if copy else 0.05
        limit.record(FetchYield(f"http://found.com/{number}", HUB, relevant=not copy, original=copy, reuse=foreign(share)))
    assert refused(limit, "http://found.com/x{n}") == 0


@pytest.mark.parametrize(("first", "closes"), [(HOST, True), ("http://first.org", False)])
def test_a_directory_of_copies_of_its_own_hosts_pages_is_closed_whatever_the_rest_brings(first: str, closes: bool) -> None:
    limit = YieldLimit()
    fetches, closed = closing(limit, numbered(HOST + "/by/{n}x", 100), original=f"{first}/by/", reuse=own(1.0))
    assert (0 < fetches < 20) is closes
    assert (f"p {HOST}/by/" in closed) is closes
    assert refused(limit, HOST + "/elsewhere/{n}") == 0


def asked_twice(title: str, canonical: str, answers: str = "67") -> YieldLimit:
    """A site of questions that links to answers as `/q/5/title/7`, which shows the question and names `/q/5/title` as its
    address."""
    limit = rich()
    for number, word in enumerate(islice(map("".join, permutations("ghijk", 4)), 60)):
        page = HOST + title.format(n=number, word=word)
        limit.record(FetchYield(f"{page}?from=list", HUB, relevant=True))
        for answer in answers:
            named = canonical.format(page=page)
            limit.record(FetchYield(f"{page}/{answer}", HUB, original=f"{page}?from=list", canonical=named, reuse=own(1.0)))
    return limit


@pytest.mark.parametrize(("canonical", "closes"), [("", True), ("{page}", False)])
def test_other_addresses_of_pages_close_no_part_that_has_the_pages_too(canonical: str, closes: bool) -> None:
    """Each has a template of its own, so that these prove nothing."""
    limit = asked_twice("/q/{n}/{word}", canonical)
    assert (refused(limit, HOST + "/q/x{n}/title") > 0.9) is closes


@pytest.mark.parametrize("canonical", ["", "{page}"])
def test_other_addresses_of_pages_with_titles_close_neither_the_pages_nor_their_host(canonical: str) -> None:
    limit = asked_twice("/q/{n}/how-{word}-cooks", canonical, answers="6789")
    assert refused(limit, HOST + "/q/{n}/how-it-is") == 0
    assert refused(limit, HOST + "/elsewhere/{n}x") == 0
    assert refused(limit, HOST + "/q/{n}/how-it-is/9") > 0.9


@pytest.mark.parametrize("canonical", ["", "{page}"])
def test_other_addresses_of_pages_that_are_built_alike_are_closed_alone(canonical: str) -> None:
    limit = asked_twice("/q/{n}/title", canonical)
    assert refused(limit, HOST + "/q/{n}/title") == 0
    assert refused(limit, HOST + "/q/{n}/title/9") > 0.9


def test_new_hosts_that_are_copies_of_known_ones_end_soon() -> None:
    limit = rich()
    fetches, closed = closing(
        limit, numbered("http://mirror{n}.com/"), relevant=True, original="http://first.org/a.html", reuse=foreign(1.0)
    )
    assert 0 < fetches < 10
    assert closed[0][0] == "n"


@pytest.mark.parametrize(
    ("later", "trusted"),
    [
        (TextReuse(0.4, own=0.9), False),
        (TextReuse(0.4, sibling=0.9), False),
        (TextReuse(0.4, foreign=0.9), True),
        (TextReuse(0.4, foreign=0.9, given=0.2), True),
        (TextReuse(0.4, foreign=0.9, given=0.6), False),
    ],
)
def test_a_domain_whose_first_pages_were_its_own_is_trusted_but_where_it_copies_what_was_given(
    later: TextReuse, trusted: bool
) -> None:
    limit = rich()
    for number in range(9):
        limit.record(FetchYield(f"http://found.com/{number}", HUB, relevant=True, reuse=foreign(0.25)))
    for pair in islice(permutations(ascii_lowercase, 2), 60):  # on a farm, these were read before
        limit.record(FetchYield(f"http://found.com/{''.join(pair)}/x", HUB, relevant=True, reuse=later))
    assert (refused(limit, "http://found.com/x{n}") == 0) is trusted


@pytest.mark.parametrize(("host", "closes"), [(HOST, False), ("http://found.com", True)])
def test_a_site_is_not_closed_because_its_articles_were_read_on_a_farm_first(host: str, closes: bool) -> None:
    """A farm that had taken a site's paragraphs was read before the site, which was a seed: 21 of its relevant articles were
    never fetched."""
    limit = rich()
    copied = TextReuse(0.9, foreign=0.9, elsewhere=0.9)
    for number in range(60):
        limit.record(FetchYield(f"{host}/articles/{number}.html", HUB, relevant=True, reuse=copied))
    assert (refused(limit, host + "/articles/{n}.html") > 0.9) is closes


def test_where_one_part_of_a_host_copies_the_others_are_fetched() -> None:
    limit = rich()
    for number in range(60):
        limit.record(FetchYield(f"{HOST}/find/{number}/x", HUB, relevant=True, reuse=own(0.9)))
    assert refused(limit, HOST + "/find/{n}/x") > 0.9
    assert refused(limit, HOST + "/other/{n}") == 0


@pytest.mark.parametrize("at_once", [True, False])
def test_where_one_part_of_a_host_copies_other_workers_and_runs_fetch_the_others_too(at_once: bool) -> None:
    """They closed the host and its domain, because they judged all parts by all that was copied there."""
    limit, other = rich(), YieldLimit()
    for number in range(60):
        for part in [] if at_once else limit.take():
            other.add(part)
        other.rule(HOST + "/a", HUB)
        limit.record(FetchYield(f"{HOST}/find/{number}/x", HUB, relevant=True, reuse=own(0.9)))
    for part in limit.take():
        other.add(part)
    assert refused(other, HOST + "/find/{n}/x") > 0.9
    assert refused(other, HOST + "/other/{n}") == 0


@pytest.mark.parametrize("given", [True, False])
@pytest.mark.parametrize("elsewhere", [False, True], ids=["one worker", "another one, or an earlier run, has found the host"])
def test_a_host_is_closed_for_saying_its_own_again_unless_it_was_given(given: bool, elsewhere: bool) -> None:
    """A shop shows its list in many orders. Of one that was the crawl's seed 769 URLs were put aside after five such pages."""
    limit, host, parent = rich(), "http://found.com", "" if given else HUB
    for number in range(60):
        limit.record(FetchYield(f"{host}/item/{number}.html", parent, relevant=True, given=given))
    if elsewhere:
        limit, found = YieldLimit(), limit
        for part in found.whole():
            limit.add(part)
    for number in range(12):
        limit.record(FetchYield(f"{host}/list.html?color={number}", host, reuse=own(1.0), given=given))
    assert refused(limit, host + "/list.html?color=x{n}") > 0.9
    for field in ascii_lowercase:
        limit.record(FetchYield(f"{host}/list.html?{field}=1", host, reuse=own(1.0), given=given))
    assert (refused(limit, host + "/new/{n}") == 0) is given


@pytest.mark.parametrize(("given", "closes"), [(True, False), (False, True)])
@pytest.mark.parametrize("reuse", [TextReuse(0.9), TextReuse(empty=True)], ids=["the same greeting", "no sentence"])
def test_pages_that_only_greet_close_a_host_unless_it_was_given(given: bool, closes: bool, reuse: TextReuse) -> None:
    """Breadth-first, a department whose people's homes come before their papers was put aside after 17 pages."""
    limit, host = rich(), "http://found.com"
    for word in ascii_lowercase:
        limit.record(FetchYield(f"{host}/{word}/home", host, reuse=reuse, given=given))
    assert (refused(limit, host + "/new/{n}") > 0.9) is closes


def test_a_given_host_that_says_what_its_sisters_said_is_closed() -> None:
    limit, host = rich(), "http://m.found.com"
    for word in ascii_lowercase:
        limit.record(FetchYield(f"{host}/{word}/home", host, reuse=TextReuse(0.9, sibling=0.8), given=True))
    assert refused(limit, host + "/new/{n}") > 0.9


def test_a_host_opens_again_when_it_says_something_new() -> None:
    limit = rich(share=0.7)
    _, closed = closing(limit, (f"{HOST}/{word}{word}/x" for word in ascii_lowercase), relevant=True, reuse=own(0.9))
    assert closed[0] == f"h {HOST}"
    assert refused(limit, HOST + "/other/{n}") > 0.9
    assert limit.take_opened() == []
    for number in range(200):
        limit.record(FetchYield(f"{HOST}/good/{number}.html", HUB, relevant=number % 2 == 0))
    assert refused(limit, HOST + "/other/{n}") == 0
    assert [limit.take_opened(), limit.take_opened()] == [[domain_of(HOST)], []]


@pytest.mark.parametrize("form", ["{name}/list?page={n}", "{name}/list.asp?id=3&page={n}"])
def test_the_lists_of_one_directory_do_not_close_those_of_another(form: str) -> None:
    """Boards, departments and channels number the pages of their lists alike."""
    limit = rich()
    closing(limit, (f"{HOST}/{form.format(name='toys', n=n)}" for n in range(60)))
    assert refused(limit, f"{HOST}/{form.replace('{name}', 'toys')}") > 0.9
    assert refused(limit, f"{HOST}/{form.replace('{name}', 'books')}") == 0


@pytest.mark.parametrize("form", ["http://k{n}.com/", "http://h{n}.example.com/"])
def test_first_visits_that_are_open_again_are_told_without_a_name(form: str) -> None:
    """What they kept out is anywhere."""
    limit = rich()
    limit.record(FetchYield(HOST + "/", HUB, relevant=True))
    closing(limit, (form.format(n=n) for n in range(200)))
    assert limit.rule(form.format(n=300), HUB) == "yield"
    for number in range(400, 430):
        limit.record(FetchYield(form.format(n=number), HUB, relevant=True))
    assert (limit.rule(form.format(n=300), HUB), limit.take_opened()) == ("", [""])


def test_a_mirror_that_turns_out_to_be_a_host_of_its_own_is_told_by_its_domain() -> None:
    limit = rich()
    for number in range(4):
        limit.record(FetchYield(f"{HOST}/{number}", HUB, original=f"http://first.org/{number}"))
    assert (limit.rule(HOST + "/other/7", HUB), limit.take_opened()) == ("mirror", [])
    for number in range(5):
        limit.record(FetchYield(f"{HOST}/own/{number}", HUB, relevant=True))
    assert (limit.rule(HOST + "/other/7", HUB), limit.take_opened()) == ("", [domain_of(HOST)])


def test_a_part_that_opens_by_what_several_workers_have_counted_is_told_by_its_domain() -> None:
    one, other = rich(share=0.7), YieldLimit()
    closing(one, (f"{HOST}/{word}{word}/x" for word in ascii_lowercase), relevant=True, reuse=own(0.9))
    for part in one.whole():
        other.add(part)
    assert (other.rule(HOST + "/other/7", HUB), other.take_opened()) == ("yield", [])
    list(one.take())
    for number in range(200):
        one.record(FetchYield(f"{HOST}/good/{number}.html", HUB, relevant=number % 2 == 0))
    for part in one.take():
        other.add(part)
    assert (other.rule(HOST + "/other/7", HUB), other.take_opened()) == ("", [domain_of(HOST)])


def test_hops_count_more_than_pages() -> None:
    pages, _ = closing(rich(), numbered("http://www.k{n}.com/"))
    hops, _ = closing(rich(), numbered("http://www.k{n}.com/"), redirect="http://elsewhere.net/")
    assert 0 < hops < pages


def test_a_few_first_visits_that_copy_prove_nothing() -> None:
    """A directory of 60 companies: two of the first three home pages had one and the same sentence, and all others were refused
    for good. A visit costs two requests, but is one page that copies."""
    limit, directory = rich(), "http://directory.org/members/"
    for number, share in enumerate((0.0, 1.0, 1.0, 0.0, 1.0)):
        assert limit.record(FetchYield(f"http://www.k{number}.com/", directory, reuse=foreign(share))) == []
    assert refused(limit, "http://www.n{n}.com/", directory) == 0
    visits, closed = closing(rich(), numbered("http://www.f{n}.com/"), directory, reuse=foreign(1.0))
    assert (visits, closed) == (3, ["n directory.org"])


def test_hops_from_host_to_host_of_one_domain_are_first_visits_of_it() -> None:
    limit = rich()
    fetches, closed = closing(limit, numbered("http://n{n}.short.com/a"), redirect="http://other.short.com/a")
    assert 0 < fetches < 10
    assert closed == ["m short.com"]
    assert refused(limit, "http://x{n}.short.com/a") > 0.9
    for target in ("https://old.moved.com/new/", "http://www.moved.com/"):  # https, and a new name
        assert closing(limit, numbered("http://old.moved.com/{n}", 100), redirect=target) == (0, [])


def test_a_number_in_a_file_name_that_makes_no_difference_is_closed() -> None:
    """Discuz: the last number says from which page of the list the reader came. Each thread was fetched twice and more."""
    limit, thread = rich(), HOST + "/thread-{}-{}-{}.html"
    for number in range(10, 14):
        first = thread.format(number, 1, 1)
        limit.record(FetchYield(first, HUB, relevant=True))
        limit.record(FetchYield(thread.format(number, 1, number), HUB, original=first))
        limit.record(FetchYield(thread.format(number, 2, 1), HUB, relevant=True))
    asked = [thread.format(*numbers) for numbers in ((13, 1, 7), (13, 3, 1), (99, 1, 7))]
    assert [limit.rule(url, HUB) for url in asked] == ["yield", "", ""]


def test_redirects_that_lead_to_known_urls_are_closed() -> None:
    """A forum links to the last post of each thread by a redirect: 976 of 1 282 requests went there."""
    limit = rich()
    jump, thread = HOST + "/forum.php?goto=lastpost&mod=redirect&tid={n}", HOST + "/forum.php?mod=viewthread&tid={n}"
    known = f"{HOST}/thread-1.html"
    assert closing(limit, numbered(jump), redirect=known, target_known=True) == (7, [f"r {HOST}/forum.php?goto&mod&tid"])
    assert refused(limit, jump) > 0.9
    assert limit.set_back(jump.format(n=3), HUB) == "repeats"
    assert refused(limit, thread) == 0


def test_redirects_into_a_closed_part_are_closed() -> None:
    """A job board: each `/save?job=5` leads to the log-in form at an address of its own. 480 of 789 requests went there."""
    limit, form = rich(), HOST + "/form?next={n}"
    first = form.format(n=0)
    limit.record(FetchYield(first, HUB))
    assert closing(limit, numbered(HOST + "/form?next=1{n}"), original=first)[1] == [f"v {HOST}?next"]
    saved = ((f"{HOST}/save?job={number}", form.format(n=f"2{number}")) for number in range(100))
    closed = [limit.record(FetchYield(url, HUB, redirect=target)) for url, target in saved]
    assert closed.index([f"r {HOST}/*?job"]) == 6
    assert refused(limit, HOST + "/save?job={n}") > 0.9
    assert refused(limit, HOST + "/job?id={n}") == 0


def test_redirects_that_are_few_among_pages_or_lead_to_new_urls_stay_open() -> None:
    limit = rich()
    for number in range(20):
        limit.record(FetchYield(f"{HOST}/{number}.html", HUB, relevant=True))
    target = f"{HOST}/thread-1.html"
    assert closing(limit, numbered(HOST + "/{n}0.html", 20), redirect=target, target_known=True) == (0, [])
    assert closing(limit, numbered(HOST + "/old/{n}.html", 100), redirect=target) == (0, [])


def test_a_short_address_is_spared_once_the_one_that_continues_it_is_known() -> None:
    """An encyclopedia has `/item/moon` redirect to `/item/moon/4711`, and links to both. A third of the requests went there."""
    limit, item, links = rich(), HOST + "/item/{}", HOST + "/item/{}?from=list"
    words = ["sun", "moon", "mars", "venus", "comet", "dust", "star", "nova", "ring"]
    full = {word: item.format(f"{word}/{number}") for number, word in enumerate(words, 4711)}
    for word in words[:-1]:
        assert limit.refusal(full[word], HUB) == ""
    closed = [limit.record(FetchYield(item.format(word), HUB, redirect=full[word])) for word in words[:7]]
    assert closed == [[], [], [], [], [], [], [f"r {HOST}/item/*/..."]]
    assert [limit.rule(item.format(word), HUB) for word in words[7:]] == ["yield", ""]
    assert limit.set_back(item.format("nova"), HUB) == "repeats"
    assert limit.rule(links.format("nova"), HUB) == ""  # of such addresses nothing is known
    assert [limit.rule(full[word], HUB) for word in words] == [""] * len(words)


def test_what_leads_elsewhere_than_to_the_known_address_that_continues_it_is_asked_for() -> None:
    limit, item = rich(), HOST + "/item/{}"
    for number, word in enumerate("abcdefghijklmnopqrstuvw"):
        limit.refusal(item.format(f"{word}{word}/{number}"), HUB)
    for word in "abcdefg":  # the other meaning of each word
        limit.record(FetchYield(item.format(word * 2), HUB, redirect=item.format(f"{word}{word}/7")))
    assert limit.rule(item.format("hh"), HUB) == ""
    for word in "abcdefghijklm":  # sections that have a page of their own, beside some that have none
        limit.record(FetchYield(item.format(word * 2), HUB, relevant=True))
        limit.record(FetchYield(item.format(word * 2), HUB, redirect=item.format(f"{word}{word}/{ord(word) - ord('a')}")))
    assert limit.rule(item.format("ww"), HUB) == ""


def test_a_run_that_goes_on_knows_which_addresses_continue_others() -> None:
    limit, item = rich(), HOST + "/item/{}"
    for word in ("sun", "moon", "mars", "venus", "comet", "dust", "star"):
        limit.refusal(item.format(f"{word}/5"), HUB)
        limit.record(FetchYield(item.format(word), HUB, redirect=item.format(f"{word}/5")))
    later = YieldLimit()
    for part in limit.whole():
        later.add(part)
    later.was_fetched(item.format("nova/5"))
    assert later.rule(item.format("nova"), HUB) == "yield"
    assert limit.reason(item.format("nova"), HUB).startswith(f"redirects from {HOST}/item/*: most of the last 7 pages repeat")


def test_what_one_domain_names_in_vain_closes_no_first_visits_to_what_others_name() -> None:
    limit, directory = rich(), "http://directory.net/"
    for number in range(60):
        limit.record(FetchYield(f"http://k{number}.com/", directory))
        limit.record(FetchYield(f"http://found{number}.com/", HUB, relevant=True))
    assert refused(limit, "http://unknown{n}.com/", directory) > 0.9
    assert refused(limit, "http://unknown{n}.com/") == 0


def test_what_home_pages_lead_to_counts_for_first_visits() -> None:
    limit = rich()
    for number in range(60):
        limit.record(FetchYield(f"http://k{number}.com/", HUB))
        limit.record(FetchYield(f"http://k{number}.com/article", f"http://k{number}.com/", relevant=True))
    assert refused(limit, "http://unknown{n}.com/") == 0


def test_a_new_domain_that_several_old_ones_name_is_visited() -> None:
    limit = rich()
    closing(limit, numbered("http://www.k{n}.com/"))
    url = "http://wanted.com/{n}"
    assert refused(limit, url) > 0.9
    for number in range(3):
        limit.names("http://wanted.com/", f"http://good{number}.org/")
    assert refused(limit, url) == 0
    for number in range(3):
        limit.names("http://farm.com/", f"http://www.k{number}.com/")  # nobody knows these
    assert refused(limit, "http://farm.com/{n}") > 0.9


def test_mirrors_are_refused_by_a_rule_of_their_own() -> None:
    limit = rich()
    for number in range(4):
        limit.record(FetchYield(f"{HOST}/{number}", HUB, original=f"http://first.org/{number}", reuse=foreign(1.0)))
    assert {limit.rule(f"{HOST}/more/{n}", HUB) for n in range(100)} == {"mirror", ""}
    assert limit.any_closed


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part_table, "MOST_PARTS", 100)
    monkeypatch.setattr(first_visits, "MOST_DOMAINS", 100)
    limit = YieldLimit()
    for number in range(1000):
        limit.record(FetchYield(f"http://h{number}.com/a/", HUB))
        limit.names(f"http://x{number}.com/", HUB)
    assert 96 < sum(len(part.get("parts", ())) for part in limit.whole()) <= 100
    assert 96 < sum(len(part.get("parts", ())) for part in limit.take()) <= 100
    assert 96 < len(limit._first_visits._named) <= 100


def test_what_came_back_counts_elsewhere() -> None:
    limit = rich()
    closing(limit, numbered(HOST + "/cal/{n}ev"))
    other = YieldLimit()
    for part in json.loads(json.dumps(list(limit.take()))):
        other.add(part)
    assert refused(other) == refused(limit) > 0.9
    assert list(other.whole()) == list(limit.whole())
    assert [*limit.take(), *other.take()] == []


def known_elsewhere(limit: YieldLimit, share: float = 0.2) -> Iterator[YieldLimit]:
    """What other workers and later runs with this share know: by what was learned, at once and bit by bit, and by its sum."""
    for parts in (limit.take(), limit.whole()):
        other = YieldLimit(share)
        for part in parts:
            other.add(json.loads(json.dumps(part)))
        yield other


def test_a_farm_is_closed_elsewhere_by_its_last_pages() -> None:
    """The next run judged it by all of its pages, the first of which were new, and fetched a dozen more each time."""
    limit = rich()
    for number in range(40):
        limit.record(FetchYield(f"{HOST}/p/{number}.html", HUB, relevant=True))
    _, closed = closing(limit, numbered(HOST + "/p/{n}.html"), relevant=True, reuse=own(0.9))
    assert closed
    for other in known_elsewhere(limit):
        assert refused(other, HOST + "/p/{n}.html") > 0.9


def test_what_a_closed_part_copied_is_taken_out_once_where_a_run_begins() -> None:
    """The next run took it out of the counts of the host once more, and with it most of the honest pages that it had read."""
    limit = rich()
    for number in range(12):
        limit.record(FetchYield(f"{HOST}/good/{number}", HUB, relevant=True, reuse=own(0.1)))
    closing(limit, numbered(HOST + "/copied/{n}.html"), relevant=True, reuse=own(0.6))
    before = counted(limit)
    assert before[f"h {HOST}"][5] == 12
    for other in known_elsewhere(limit):
        assert refused(other, HOST + "/copied/{n}.html") > 0.9
        assert counted(other) == before


def counted(limit: YieldLimit) -> dict[str, list[float]]:
    return {part: row for piece in limit.whole() for part, row in piece.get("parts", {}).items()}


def test_the_sum_says_what_others_have_closed_before_it_was_judged_here() -> None:
    limit, later = rich(), YieldLimit()
    limit.add({"parts": {f"p {HOST}/cal/": [30, 6, 0, 0, 0, 24, 0, 0, 5, 2, 10, 0.2]}})
    for part in limit.whole():
        later.add(part)
    assert refused(later) > 0.9


def test_a_part_that_opens_by_the_sum_of_what_two_runs_have_learned_is_told() -> None:
    """Neither saw it open, and the next run, for which it is open, did not look for what they had refused."""
    limit, part = rich(), f"p {HOST}/cal/"
    limit.add({"parts": {part: [30, 0, 0, 0, 0, 24, 0, 0, 30, 2, 5, 0.2]}})
    limit.add({"parts": {part: [30, 29, 0, 0, 0, 24, 0, 0, 0, 2, 0, 0.2]}})
    assert (refused(limit), limit.take_opened()) == (0, [domain_of(HOST)])


def test_first_visits_are_closed_elsewhere_by_those_since_the_last_fruitful_one() -> None:
    limit = rich()
    for number in range(15):
        limit.record(FetchYield(f"http://k{number}.com/", HUB, relevant=True))
    assert closing(limit, numbered("http://d{n}.com/"))[1]
    for other in known_elsewhere(limit):
        assert refused(other, "http://e{n}.com/") > 0.9


def test_a_part_stays_closed_elsewhere_until_it_brings_something() -> None:
    """It does not open because the rest of the crawl has become poor, neither here nor in the next run."""
    limit = rich()
    closing(limit, numbered(HOST + "/cal/{n}ev"))
    for number in range(2):
        limit.record(FetchYield(f"{HOST}/cal/{number}more", HUB, relevant=True))
    for number in range(2000):
        limit.record(FetchYield(f"http://poor{number % 50}.org/{number % 7}/{number}", "http://good0.org/", number % 25 == 0))
    assert refused(limit) > 0.9
    for other in known_elsewhere(limit):
        assert refused(other) > 0.9


def test_a_run_with_a_lower_share_judges_anew_what_another_has_closed() -> None:
    limit = YieldLimit(0.9)
    for number in range(60):
        limit.record(FetchYield(f"{HOST}/good/{number}", HUB, relevant=True))
        limit.record(FetchYield(f"{HOST}/poor/{number}", HUB, relevant=number % 4 == 0))
    assert refused(limit, HOST + "/poor/{n}") > 0.9
    for other in known_elsewhere(limit, share=0.2):
        assert refused(other, HOST + "/poor/{n}") == 0


def test_a_part_that_others_have_closed_and_opened_again_is_open_here() -> None:
    """The next run reads in order what was learned bit by bit, and judges at the end of it."""
    limit, part = rich(), f"p {HOST}/cal/"
    limit.add({"parts": {part: [30, 0, 0, 0, 0, 24, 0, 0, 30, 2, 5, 0.2]}})  # closed, and tried five times since
    limit.add({"parts": {part: [20, 9, 0, 0, 0, 20, 0, 0, 0, 1, 0, 0.2]}})  # opened
    assert refused(limit) == 0


def test_parameters_as_earlier_versions_named_them_do_no_harm() -> None:
    limit, part = rich(), "k http://www.example.com?page"
    limit.add({"parts": {part: [60, 0, 60, 55, 52]}})
    limit.rule(HOST + "/", HUB)
    assert [barren.part for barren in limit.barren()] == [part[2:]]


def test_links_into_a_closed_part_are_followed_as_rarely_elsewhere() -> None:
    limit = rich()
    for number in range(80):
        limit.record(FetchYield(f"{HOST}/cal/{number}ev", HUB))
    for other in known_elsewhere(limit):
        assert refused(other) == refused(limit) == 1


@pytest.mark.parametrize(
    "part",
    [{}, {"parts": []}, {"parts": {"a": ["x", 1, 1, 1]}}, {"parts": 3}, {"parts": {"a": [1]}}, {"parts": {"a": [1, 0, 0, -1]}},
     {"parts": {"a": [1, 0, 0, "nan"]}}],
)  # fmt: skip
def test_foreign_parts_are_refused_and_change_nothing(part: dict[str, object]) -> None:
    limit = rich()
    before = list(limit.whole())
    with pytest.raises((KeyError, TypeError, ValueError, AttributeError)):
        limit.add(part)
    assert list(limit.whole()) == before


def test_a_closed_part_is_told_with_what_it_and_the_rest_brought() -> None:
    limit = YieldLimit()
    for number in range(60):
        limit.record(FetchYield(f"{HOST}/a/{number}", HUB, relevant=True))
        limit.record(FetchYield(f"{HOST}/dull/{number}", HUB))
    told = limit.reason(f"{HOST}/dull/99", HUB)
    assert told.startswith(f"{HOST}/dull/")
    assert ": 0 of the last 59 pages brought something; the rest of the crawl brings 0.9" in told
    assert limit.reason(f"{HOST}/a/99", HUB) == ""


def test_what_repeats_is_put_aside_and_what_is_off_the_topic_waits() -> None:
    limit, follows = YieldLimit(), YieldLimit(follows=True)
    for number in range(120):
        for each in (limit, follows):
            each.record(FetchYield(f"{HOST}/a/{number}", HUB, relevant=True))
            each.record(FetchYield(f"{HOST}/dull/{number}", HUB))
            each.record(FetchYield(f"{HOST}/same/{number}", HUB, relevant=True, reuse=own(0.9)))
    urls = [
        next(u for u in numbered(HOST + form) if zlib.crc32(u.encode()) % SAMPLED)
        for form in ("/a/{n}", "/dull/{n}", "/same/{n}")
    ]
    assert [limit.set_back(url, HUB) for url in urls] == ["", "yield", "repeats"]
    assert [limit.refusal(url, HUB) for url in urls] == ["", "yield", "yield"]
    # Who goes on at the edge gets all of it in the end.
    assert [follows.set_back(url, HUB) for url in urls] == ["", "yield", "last"]
    assert [follows.refusal(url, HUB) for url in urls] == ["", "", ""]


def test_first_visits_that_bring_nothing_wait_behind_what_known_hosts_have() -> None:
    limit = rich()
    closing(limit, numbered("http://k{n}.com/"))
    closing(limit, numbered(HOST + "/dull/{n}"))
    urls = [
        next(u for u in numbered(form) if zlib.crc32(u.encode()) % SAMPLED)
        for form in ("http://x{n}.com/", HOST + "/dull/1{n}")
    ]
    assert [limit.set_back(url, HUB) for url in urls] == ["new", "yield"]


@pytest.mark.parametrize(("fruitful", "rule"), [(0, "last"), (1, "yield")])
def test_a_barren_domain_that_never_brought_anything_waits_behind_all_others(fruitful: int, rule: str) -> None:
    limit = rich()
    for number in range(fruitful):
        limit.record(FetchYield(f"{HOST}/news/{number}", HUB, relevant=True))
    for number in range(120):
        limit.record(FetchYield(f"{HOST}/cal/{number}ev", HUB))
    url = next(url for url in numbered(HOST + "/cal/x{n}y") if limit.rule(url, HUB))
    assert limit.set_back(url, HUB) == rule


@pytest.mark.parametrize("pages_of_its_own", [0, 10], ids=["on trial", "trusted"])
def test_the_hosts_of_a_farm_stay_closed_though_good_hosts_pass_their_trial(pages_of_its_own: int) -> None:
    limit = rich()
    robbed, farm = "http://robbed.com", "http://farm.com"
    for host in (robbed, farm):
        for number in range(pages_of_its_own):
            limit.record(FetchYield(f"{host}/own/{number}", HUB, relevant=True))
    for number in range(30):
        limit.record(FetchYield(f"http://www.k{number}.com/", HUB, relevant=True, reuse=foreign(0.97)))
        for host in (robbed, farm):  # it may name its sources
            limit.names(f"{host}/", f"http://www.k{number}.com/")
        limit.names(f"http://www.k{number}.com/", f"{farm}/")
    for host in (robbed, farm):
        for number in range(4 if not pages_of_its_own else 60):
            limit.names(f"{host}/", HUB)
            limit.record(FetchYield(f"{host}/news/{number}", HUB, relevant=True, reuse=TextReuse(0.4, foreign=0.9)))
    for number in range(120):  # good hosts on trial
        limit.record(FetchYield(f"http://found{number % 60}.com/{number}", HUB, relevant=True))
    assert refused(limit, farm + "/x{n}") > 0.9
    assert refused(limit, robbed + "/x{n}") == 0


@pytest.mark.parametrize(("names_it", "trusted"), [(False, True), (True, False)])
def test_a_domain_that_may_copy_by_chance_is_trusted_but_where_it_and_a_copying_one_name_each_other(
    names_it: bool, trusted: bool
) -> None:
    limit, found = rich(), "http://found.com"
    limit.record(FetchYield("http://www.copier.com/", HUB, relevant=True, reuse=foreign(0.97)))
    limit.names(f"{found}/", "http://www.copier.com/")
    if names_it:
        limit.names("http://www.copier.com/", f"{found}/")
    for number in range(9):  # on the mean it copies a third: more than honest ones do, but not surely
        limit.record(FetchYield(f"{found}/{number}", HUB, relevant=True, reuse=TextReuse(0.4, foreign=0.75 * (number % 9 > 4))))
    for pair in islice(permutations(ascii_lowercase, 2), 60):  # on a farm, these were read before
        limit.record(FetchYield(f"{found}/{''.join(pair)}/x", HUB, relevant=True, reuse=TextReuse(0.4, foreign=0.8)))
    assert (refused(limit, f"{found}/x{{n}}") == 0) is trusted


@pytest.mark.parametrize("in_company", [False, True])
def test_a_trusted_domain_that_names_a_copier_and_is_named_by_it_is_closed_for_what_others_said(in_company: bool) -> None:
    limit, found = rich(), "http://found.com"
    for number in range(10):
        limit.record(FetchYield(f"{found}/{number}", HUB, relevant=True))
    limit.record(FetchYield("http://www.copier.com/", HUB, relevant=True, reuse=foreign(0.97)))
    limit.names(f"{found}/", "http://www.copier.com/")
    if in_company:
        limit.names("http://www.copier.com/", f"{found}/")
    for pair in islice(permutations(ascii_lowercase, 2), 30):
        limit.record(FetchYield(f"{found}/{''.join(pair)}/x", HUB, relevant=True, reuse=TextReuse(0.7, foreign=0.7)))
    assert (refused(limit, f"{found}/x{{n}}") > 0.9) is in_company


def test_a_closed_domain_stays_closed_when_one_of_its_hosts_is_closed_too() -> None:
    limit = rich()
    closed = [
        part
        for number in range(60)
        for part in limit.record(
            FetchYield(f"http://n{number % 6}.wild.com/{number}", HUB, relevant=True, reuse=TextReuse(0.4, sibling=0.6))
        )
    ]
    assert "d wild.com" in closed
    assert any(part.startswith("h http://n") for part in closed[closed.index("d wild.com") :])
    assert closed.count("d wild.com") == 1


def test_others_hear_at_once_of_what_is_closed_or_opened_and_of_several_pages() -> None:
    limit = rich()
    assert limit.has_news
    list(limit.take())
    assert not limit.has_news
    for number in range(10):
        assert not limit.has_news
        limit.record(FetchYield(f"{HOST}/cal/{number}ev", HUB))
    assert limit.has_news
    number = 0
    while not limit.any_closed:
        list(limit.take())
        limit.record(FetchYield(f"{HOST}/cal/{number}more", HUB))
        number += 1
    assert limit.has_news


def test_a_page_was_said_before_where_a_part_copies_not_where_it_is_off_the_topic() -> None:
    limit = rich()
    closing(limit, numbered(HOST + "/copies/{n}.html"), relevant=True, reuse=own(0.9))
    closing(limit, numbered("http://other.com/cal/{n}ev"))
    pages = (HOST + "/copies/7.html", "http://other.com/cal/7ev", "http://good0.org/g/1")
    assert [limit.is_said_before(url) for url in pages] == [True, False, False]
    for n in range(2000):  # that the crawl as a whole repeats says nothing of an open part
        limit.record(FetchYield(f"{HOST}/copies/{n}.html", HUB, relevant=True, reuse=own(0.9)))
    assert [limit.is_said_before(url) for url in pages] == [True, False, False]
    limit.share = 0.0
    assert not limit.is_said_before(pages[0])
