"""How the parts of the web are called."""

import pytest

from focuscrawl.frontier.part_names import (
    FILES,
    HOPS,
    VALUES,
    all_longer_paths_of,
    below_lists_of,
    files_at,
    hops_from,
    hops_on,
    template_of,
    words,
)
from focuscrawl.frontier.same_values import counts_of_values
from focuscrawl.url.groups import groups_of

URL = "http://www.h.org/item/moon?from=5"


def test_a_name_begins_with_its_kind_and_no_two_parts_share_one() -> None:
    values = [*counts_of_values(URL), *all_longer_paths_of(URL), below_lists_of(URL)]
    names = [*groups_of(URL).within, files_at(URL), hops_from(URL), hops_on(URL), *values]
    assert len(set(names)) == len(names)
    assert all(name.startswith(VALUES) for name in values)
    assert (files_at(URL)[:2], hops_from(URL)[:2], hops_on(URL)[:2]) == (FILES, HOPS, HOPS)


def test_files_and_redirects_lead_back_to_their_template() -> None:
    assert template_of(files_at(URL)) == template_of(hops_from(URL)) == groups_of(URL).template


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ("n", "first visits to unknown domains"),
        ("n3", "first visits to domains that 3 others name"),
        ("n8", "domains on trial"),
        ("m a.org", "new hosts of a.org"),
        ("h http://a.org", "http://a.org"),
        ("f http://a.org/export.php?id", "http://a.org/export.php?id"),
    ],
)
def test_people_are_told_a_part_in_words(part: str, said: str) -> None:
    assert words(part) == said
