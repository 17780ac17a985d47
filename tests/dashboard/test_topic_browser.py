"""A topic in a real browser: made from nothing, crawled, labelled by keys, trained, and the frontier scored again by it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from focuscrawl.config.topic_file import read_topic
from focuscrawl.topics.labels import read_labels
from tests.crawl.run import QUICK
from tests.crawl.site import Site, page
from tests.dashboard.browsing import AXE, VENDORED, Desk, browsing
from tests.dashboard.running import until
from tests.patience import PATIENCE
from tests.topics.crawled import URLS, sky_crawl

pytestmark = pytest.mark.system

HOSTILE = "<img src=x onerror=alert(1)> telescope"
PAGES = ("", "find", "label", "train")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """Over a crawl about the sky and cooking; topics lie beside the crawls."""
    folder = tmp_path_factory.mktemp("browser")
    (folder / "crawls").mkdir()
    sky_crawl(folder / "crawls")
    settings = {**QUICK, "TOPICS_DIR": str(folder / "topics")}
    options = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    with browsing(folder, folder / "crawls", *options) as desk:
        yield desk


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """A list of forty pages, every other one about astronomy, and one with a hostile title."""
    links = [f"/{'star' if number % 2 else 'bread'}-{number}" for number in range(40)]
    with Site({"127.0.0.1": "127.0.0.1"}) as serving:
        serving.answers["127.0.0.1/"] = page("Everything", links)
        for link in links:
            title = link[1:].replace("-", " ")
            serving.answers[f"127.0.0.1{link}"] = page(title, links[:3], on_topic=link.startswith("/star"))
        serving.answers["127.0.0.1/star-1"] = page(HOSTILE.replace("<", "&lt;").replace(">", "&gt;"), links[:3])
        yield serving


def made(desk: Desk, name: str, words: str, seeds: str = "") -> Page:
    """The page of a new topic."""
    window = desk.open("/topics")
    window.get_by_label("Name").fill(name)
    window.get_by_label("Words and phrases").fill(words)
    window.get_by_label("Where else a crawl begins").fill(seeds)
    window.get_by_role("button", name="Make the topic").click()
    window.wait_for_url(f"**/t/{name}/**")
    return window


def said(window: Page, text: str) -> None:
    """Wait until this is told."""
    expect(window.locator("p[role=status]")).to_contain_text(text, timeout=1000 * PATIENCE)


def go(window: Page, name: str) -> None:
    """To another page of the topic."""
    window.get_by_role("navigation", name="Pages of this topic").get_by_role("link", name=name).click()
    window.get_by_role("heading", level=1, name=name).wait_for()


ANOTHER = "before => document.querySelector('input[name=url]').value !== before"


def answer(window: Page, key: str, told: str) -> None:
    """Label the page that is shown by a key, and wait for the next one."""
    before = window.locator("input[name=url]").input_value()
    window.keyboard.press(key)
    window.wait_for_function(ANOTHER, arg=before)
    said(window, told)


def runs(desk: Desk, window: Page, crawl: str) -> list[dict[str, Any]]:
    """None before the crawl has begun, which may take longer than the dashboard waits for it."""
    answer = window.request.get(f"{desk.address}/c/{crawl}/settings.json")
    found: list[dict[str, Any]] = answer.json()["runs"] if answer.ok else []
    return found


def test_a_topic_is_made_from_nothing_crawled_labelled_and_trained(desk: Desk, site: Site) -> None:
    # Three pages that are not about stars: of the sixteen that the crawl keeps, twelve of fourteen are asked about.
    seeds = [site.url(f"127.0.0.1/{name}") for name in ("", "bread-0", "bread-2")]
    window = made(desk, "stars", "telescope, galaxy, nebula, comet", "\n".join(seeds))
    said(window, "The topic is made.")
    go(window, "Train and crawl")
    window.get_by_role("link", name="Start a crawl of this topic").click()
    window.locator("input[name=max_pages]").fill("16")
    window.get_by_role("button", name="Start", exact=True).click()
    until(lambda: [run["ended_at"] is not None for run in runs(desk, window, "stars")] == [True])

    window.goto(f"{desk.address}/t/stars/find")
    window.get_by_role("button", name="Search the pages of").click()
    said(window, "Found:")
    window.evaluate("window.stays = true")
    for number in range(2):
        window.get_by_role("button", name="An example").first.click()
        window.locator(".found .state", has_text="example").nth(number).wait_for()
        window.get_by_role("heading", name="What this changes").wait_for()
    assert window.evaluate("window.stays") is True  # without loading the page again
    assert len(read_topic(desk.folder / "topics" / "stars.toml").topic.examples) == 2
    window.get_by_text("All examples are pages of 127.0.0.1").wait_for()

    go(window, "Label pages")
    labels = desk.folder / "topics" / "stars.labels.tsv"
    title = window.locator("#asked-title").inner_text()
    answer(window, "y", "Yes: kept.")
    assert read_labels(labels)
    answer(window, "u", "It is taken back.")
    assert window.locator("#asked-title").inner_text() == title
    assert read_labels(labels) == {}
    answer(window, "s", "Skipped.")
    assert read_labels(labels) == {}
    for number in range(1, 13):
        star = "/star-" in window.locator("#asked .url").inner_text()
        answer(window, "y" if star else "n", "Yes: kept." if star else "No: kept.")
        assert len(read_labels(labels)) == number
    found = read_labels(labels)
    assert {"/star-" in url for url, label in found.items() if label.relevant} == {True}
    assert {"/star-" in url for url, label in found.items() if not label.relevant} == {False}

    go(window, "Train and crawl")
    window.get_by_role("button", name="Train on the labels").click()
    said(window, "The topic is trained on 12 labels.")
    assert window.locator("table.trained tbody tr").count() == 4
    window.get_by_role("button", name="Score again").click()
    said(window, "Scored again:")
    moved = int(window.locator("p[role=status]").inner_text().split(": ")[1].split()[0])
    data = window.request.get(f"{desk.address}/t/stars/train.json").json()["rescoring"]
    assert 0 < moved == data["moved"] <= data["waiting"]
    waits = window.request.get(f"{desk.address}/c/stars/frontier.json").json()["urls"]
    by_kind = [row["url"].rsplit("/", 1)[1].partition("-")[0] for row in waits if row["url"].startswith(site.url("127.0.0.1/"))]
    assert by_kind[:3] == ["star"] * 3
    window.get_by_role("link", name="Let this crawl go on").click()
    assert window.locator("input[name=name]").input_value() == "stars"
    assert desk.seen == []


def test_a_word_is_weighed_and_taken_back_with_the_keyboard(desk: Desk) -> None:
    window = made(desk, "sky", "telescope")
    file = desk.folder / "topics" / "sky.toml"
    window.evaluate("window.stays = true")
    window.get_by_role("button", name="Take “telescope” out").focus()
    window.keyboard.press("Enter")
    said(window, "“telescope” is out of the topic.")
    assert "no longer" in window.locator(".changed").inner_text()
    assert dict(read_topic(file).topic.weights) == {"telescope": 0.0}
    window.get_by_role("button", name="Take it back").focus()
    window.keyboard.press("Enter")
    said(window, "It is taken back.")
    assert read_topic(file).topic.weights == ()
    assert window.evaluate("window.stays") is True
    assert desk.seen == []


def test_keys_elsewhere_are_only_keys(desk: Desk) -> None:
    window = made(desk, "keys", "telescope")
    go(window, "Label pages")
    window.get_by_role("link", name="Find pages").focus()
    window.keyboard.press("y")
    window.keyboard.press("n")
    window.wait_for_timeout(500)
    assert not (desk.folder / "topics" / "keys.labels.tsv").exists()


def test_everything_is_there_without_scripts(desk: Desk) -> None:
    window = desk.open("/topics", java_script_enabled=False)
    window.get_by_label("Name").fill("plain")
    window.get_by_label("Words and phrases").fill("telescope, 望远镜")
    window.get_by_role("button", name="Make the topic").click()
    said(window, "The topic is made.")
    go(window, "Find pages")
    window.get_by_role("button", name="Search the pages of").click()
    said(window, "Found:")
    window.get_by_role("button", name="An example").first.click()
    said(window, "The page is an example of the topic.")
    go(window, "Label pages")
    window.get_by_role("button", name="No n", exact=True).click()
    said(window, "No: kept.")
    window.get_by_role("button", name="Undo").click()
    said(window, "It is taken back.")
    go(window, "Train and crawl")
    window.get_by_role("button", name="Train on the labels").click()
    said(window, "Trained")


def test_pages_are_sound_on_a_small_screen_in_both_languages(desk: Desk) -> None:
    window = made(desk, "sound", "telescope, 望远镜")
    window.goto(f"{desk.address}/t/sound/find")
    window.get_by_text("A list of URLs instead").click()
    window.get_by_label("URLs, one per line").fill("\n".join(URLS[:6]))
    window.get_by_role("button", name="Fetch these pages").click()
    said(window, "Found: 6 pages.")
    window.get_by_role("button", name="An example").first.click()
    said(window, "The page is an example")
    window.get_by_role("button", name="Does not belong").last.click()
    said(window, "The page does not belong")
    for options in ({"locale": "en-US", "color_scheme": "light"}, {"locale": "zh-CN", "color_scheme": "dark"}):
        for path in ("/topics", *(f"/t/sound/{name}" for name in PAGES)):
            small = desk.open(path, viewport={"width": 360, "height": 800}, bypass_csp=True, **options)
            assert small.locator("h1").count() == 1
            assert small.evaluate("document.documentElement.scrollWidth") <= 360, path
            for quotes in small.locator("details").all():
                quotes.evaluate("each => each.open = true")
            small.evaluate((VENDORED / "axe.min.js").read_text(encoding="utf-8"))
            assert [each for each in small.evaluate(AXE) if each[1] in ("serious", "critical")] == [], path
            small.context.close()
    assert desk.seen == []
