"""What a page is tagged with."""

import pytest

from focuscrawl.items import Link
from models.page.tags import MOST_TAGS, tags_of

META = "body/article/div.post-meta/span.post-tag/a"


def link(url: str, anchor: str, position: str = META, rel: tuple[str, ...] = (), in_site: bool = True) -> Link:
    return Link(url, anchor, position=position, rel=rel, in_site=in_site)


@pytest.mark.parametrize(
    "url",
    [
        "https://blog.example/tags/python/",
        "https://blog.example/tag/python",
        "https://blog.example/categories/code/python/",
        "https://blog.example/search/label/python",
        "https://blog.example/list?tag=python",
        "https://blog.example/categories/?category=python",
    ],
)
def test_addresses_of_tags(url: str) -> None:
    assert tags_of("content", [link(url, "# Python")]) == ["python"]


def test_a_tag_says_so_itself_wherever_it_leads() -> None:
    assert tags_of("content", [link("https://other.example/x", "投资", rel=("tag",), in_site=False)]) == ["投资"]


@pytest.mark.parametrize(
    "url",
    [
        "https://blog.example/tags/",
        "https://blog.example/tagged",
        "https://blog.example/?tags=",
        "https://shop.example/category/shoes/red-boot-42",
        "https://shop.example/?category=20&product=5",
    ],
)
def test_other_addresses(url: str) -> None:
    assert tags_of("content", [link(url, "All tags")]) == []


def test_tags_of_other_sites_are_links_like_others() -> None:
    assert tags_of("content", [link("https://other.example/tags/python/", "Python", in_site=False)]) == []


@pytest.mark.parametrize(
    "position",
    ["body/nav/ul/li/a", "body/div.sidebar/div.tag-cloud/a", "body/aside/a", "body/div.site-footer/a", "div.Widget/a"],
)
def test_tags_of_the_site_are_not_those_of_the_page(position: str) -> None:
    assert tags_of("content", [link("https://blog.example/tags/python/", "Python", position)]) == []


def test_the_footer_of_a_post_is_the_page_s() -> None:
    assert tags_of("content", [link("https://blog.example/tags/python/", "Python", "article/footer.post-meta/a")]) == ["python"]


def test_an_index_page_shows_tags_of_other_pages() -> None:
    assert tags_of("index", [link("https://blog.example/tags/python/", "Python")]) == []


def test_a_page_with_too_many_shows_those_of_the_site() -> None:
    links = [link(f"https://blog.example/tags/{number}/", f"tag {number}") for number in range(MOST_TAGS + 1)]
    assert tags_of("content", links) == []
    assert len(tags_of("content", links[1:])) == MOST_TAGS


def test_a_long_name_is_the_title_of_a_page() -> None:
    assert (
        tags_of("content", [link("https://blog.example/tags/x/", "How we crossed the river at night and lost the cat")]) == []
    )


def test_each_tag_once() -> None:
    twice = [link("https://blog.example/tags/python/", "Python"), link("https://blog.example/category/python/", "python")]
    assert tags_of("content", twice) == ["python"]
