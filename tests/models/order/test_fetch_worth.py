"""What the fetch of a page has brought, from which the default order learns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from focuscrawl.items import IN_TITLE, Page, Verdict
from models.order.fetch_worth import FetchWorth
from tests.models.order.pages import page


def worth(page: Page, expected: npt.NDArray[np.float64]) -> float:
    return FetchWorth().of(page, expected)


@pytest.mark.parametrize("path", ["2019/03/", "tag/comet/", "author/jane/", "search/label/comet"])
def test_a_list_by_month_tag_or_author_is_worth_what_is_new_in_it(path: str) -> None:
    """Its posts make each such list relevant, also those that name no post that was not known."""
    listed, other = page(f"http://a.example/{path}"), replace(page("http://a.example/news/"), kind="index")
    poor = np.full(5, 0.01)
    assert worth(listed, poor[:0]) == 0.0
    assert 0.0 < 2 * worth(listed, poor[:2]) < worth(listed, poor)
    assert worth(listed, poor) == worth(other, poor) == worth(other, poor[:0]), "any other list stays worth it"
    assert worth(listed, np.full(1, 0.9)) == pytest.approx(0.8 * 0.9 / 5), "and it leads to what is relevant"


def test_lists_that_lead_to_lists_are_worth_ever_less() -> None:
    """Every page of a link farm is a list that names the topic."""
    outcomes, nothing = FetchWorth(), np.zeros(0)
    farm = [replace(page(f"http://farm.example/dir/{n}"), kind="index") for n in range(12)]
    of_farm = [outcomes.of(listed, nothing) for listed in farm]
    assert 0.0 < of_farm[0] <= of_farm[1] <= of_farm[2], "the first lists of a host are worth what they say"
    assert of_farm[2:] == sorted(of_farm[2:], reverse=True)
    assert of_farm[-1] < of_farm[2] / 3
    assert outcomes.of(farm[0], np.full(5, 0.9)) == pytest.approx(0.8 * 0.9), "but they may lead to what is relevant"
    other = replace(page("http://a.example/dir/"), kind="index")
    assert outcomes.of(other, nothing) > of_farm[2], "and say nothing of another host"
    for number in range(12):
        outcomes.of(page(f"http://farm.example/{number}.html"), nothing)
    assert outcomes.of(farm[0], nothing) > of_farm[2], "nor of a host that has shown as many content pages"


def test_a_page_that_names_the_topic_in_its_title_alone_is_worth_less() -> None:
    record, view = page("http://a.example/record/1"), page("http://a.example/record/1/cite")
    record.verdict = Verdict(0.8, True, 0.2, (("comet", 1.0),))
    view.verdict = replace(record.verdict, terms=(("comet", 1.0), (IN_TITLE, 0.0)))
    nothing = np.zeros(0)
    assert worth(view, nothing) == pytest.approx(0.3 * worth(record, nothing))
    assert worth(view, np.full(5, 0.9)) == pytest.approx(0.8 * 0.9), "but it may lead to what is relevant"
    record.verdict, view.verdict = replace(record.verdict, relevant=False), replace(view.verdict, relevant=False)
    assert worth(view, nothing) == worth(record, nothing), "it is irrelevant, as a person or its language says"


def test_the_more_relevant_pages_were_found_the_less_a_near_miss_is_worth() -> None:
    """At first the pages nearest to the threshold are what there is to learn from."""
    near, found = page("http://a.example/near.html"), page("http://a.example/found.html")
    near.verdict, found.verdict = Verdict(0.1, False, 0.2), Verdict(0.4, True, 0.2)
    nothing = np.zeros(0)
    outcomes = FetchWorth()
    first = outcomes.of(near, nothing)
    assert first == pytest.approx(4 / 13), "odds of 1 to 9, and of 1 to 4 at the threshold"
    of_found = [outcomes.of(found, nothing) for _ in range(100)]
    assert of_found == sorted(of_found), "and the more a page well above it is"
    assert outcomes.of(near, nothing) < 0.6 * first
