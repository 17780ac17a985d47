"""The dashboard in a real browser: what scripts, styles, keys and small screens make of its pages."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Iterator

import pytest

from focuscrawl.dashboard.crawl_pages import CRAWL_PAGES
from focuscrawl.store.crawls import open_store
from tests.dashboard.browsing import AXE, VENDORED, Desk, browsing
from tests.dashboard.desk import working
from tests.report import sample

pytestmark = pytest.mark.system

PATHS = [
    "/",
    "/start",
    "/jobs",
    *(f"/c/first/{name}" for name in CRAWL_PAGES if name != "page"),
    f"/c/first/page?url={sample.PAGES[1][0]}",
    "/c/first/graph?site=example.com",
]
ASIDE = """[...document.querySelectorAll('.wide')].filter(each => each.scrollWidth > each.clientWidth + 1)
    .map(each => each.innerText)"""


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    folder = tmp_path_factory.mktemp("crawls")
    sample.sample_crawl(folder / "first")
    working(folder / "first", arguments='{"max_pages": 200}')
    db = open_store(folder / "first")
    db.execute("update worker set beat_at=4e9")
    db.execute(
        "insert into revisit(hid, uid, signature_digest, due_at, visits) select hid, uid, digest, ?, 1 from page",
        (time.time(),),
    )
    db.execute("update host set best_priority=(select max(priority) from url where url.hid=host.hid and url.state=0)")
    db.close()
    with browsing(folder, folder) as desk:
        yield desk


@pytest.mark.parametrize("path", PATHS)
def test_a_page_is_sound_on_a_small_screen_in_both_languages(desk: Desk, path: str) -> None:
    for options in ({"locale": "en-US", "color_scheme": "light"}, {"locale": "zh-CN", "color_scheme": "dark"}):
        page = desk.open(path, viewport={"width": 360, "height": 800}, bypass_csp=True, **options)
        assert page.locator("h1").count() == 1
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        page.evaluate((VENDORED / "axe.min.js").read_text(encoding="utf-8"))
        found = page.evaluate(AXE)
        assert [each for each in found if each[1] in ("serious", "critical")] == []
        page.context.close()
    assert desk.seen == []


@pytest.mark.parametrize(
    "path", ["/", "/c/first/?part=whole", "/c/first/hosts", "/c/first/frontier", "/c/first/pages", "/c/first/workers"]
)
def test_tables_are_stacked_on_a_phone(desk: Desk, path: str) -> None:
    """Nothing of them, and no button, lies aside."""
    page = desk.open(path, viewport={"width": 360, "height": 800})
    assert page.locator("table.stack").count() > 0
    assert page.evaluate(ASIDE) == []
    page.set_viewport_size({"width": 1280, "height": 800})
    assert page.locator("table.stack thead").first.is_visible()
    page.context.close()


def test_the_list_that_says_what_is_vendored() -> None:
    text = (VENDORED / "README.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| `([^`]+)` .* `([0-9a-f]{64})` \|$", text, re.MULTILINE))
    assert listed == {"axe.min.js": hashlib.sha256((VENDORED / "axe.min.js").read_bytes()).hexdigest()}


def test_what_a_running_crawl_changes_is_shown_without_loading_the_page_again(desk: Desk) -> None:
    page = desk.open("/c/first/")
    page.evaluate("window.stays = true")
    sample.change(
        desk.folder / "first",
        'update worker set stats=\'{"pages": 77, "relevant": 10, "duplicates": 0, "pages_per_minute": 123.0}\'',
    )
    page.get_by_text("123 pages a minute").wait_for()
    assert page.evaluate("window.stays") is True
    assert desk.seen == []


def test_what_takes_longer_comes_by_itself(desk: Desk) -> None:
    page = desk.open("/c/first/")
    page.get_by_text("a calendar page far from today").wait_for()
    page.locator("#advice").wait_for()  # the heading alone stands in its place before it comes, too
    assert page.get_by_text("Show it").count() == 0


def test_everything_is_there_without_scripts(desk: Desk) -> None:
    page = desk.open("/c/first/", java_script_enabled=False)
    page.get_by_text("Show it").last.click()  # it may return before the next page is there
    page.get_by_text("a calendar page far from today").wait_for()
    page.get_by_role("link", name="中文").click()
    page.locator("html[lang=zh-Hans]").wait_for()
    page.get_by_role("button", name="暂停").click()
    assert page.get_by_role("status").inner_text().startswith("1 个工作进程")
    page.get_by_role("button", name="继续").click()
    page.get_by_role("button", name="停止").wait_for()


def test_a_url_is_removed_and_taken_back_with_the_keyboard(desk: Desk) -> None:
    page = desk.open("/c/first/frontier")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    row = page.locator("tr", has_text="search/c.html")
    row.get_by_role("button", name="Remove").focus()
    page.keyboard.press("Enter")
    assert "Removed: 1 waiting" in page.get_by_role("status").inner_text()
    assert page.locator("tr", has_text="search/c.html").count() == 0
    page.get_by_label("State").select_option("removed")
    page.wait_for_url("**state=removed**")
    page.get_by_role("button", name="Take back").click()
    assert "Added: 1 queued again" in page.get_by_role("status").inner_text()
    assert desk.seen == []


def test_the_search_index_is_made_by_a_button(desk: Desk) -> None:
    page = desk.open("/c/first/pages")
    assert page.get_by_text("There is no search index yet").is_visible()
    page.get_by_role("button", name="Make the search index").click()
    page.get_by_role("status").wait_for()
    page.goto(f"{desk.address}/jobs")
    page.locator("tr", has_text="search index").get_by_text("ended").wait_for()
    page.goto(f"{desk.address}/c/first/pages?what=relevant")
    page.get_by_role("searchbox", name="What pages say").fill("中文标题")
    page.get_by_role("button", name="Search", exact=True).click()
    page.wait_for_url("**words=**")
    assert [row.inner_text() for row in page.locator("td.url").all() if "中文标题" not in row.inner_text()] == []
    assert page.locator("td.url").count() > 0
    assert page.get_by_role("button", name="Bring the search index up to date").is_visible()
    assert desk.seen == []


def test_hostile_titles_are_text(desk: Desk) -> None:
    page = desk.open("/c/first/pages")
    page.get_by_role("link", name="<script>alert(1)</script>").click()
    page.locator("h1", has_text="<script>alert(1)</script>").wait_for()
    assert desk.seen == []


def test_another_sites_page_changes_nothing(desk: Desk) -> None:
    """Its form is sent with the reader's browser, which has the cookie."""
    page = desk.open("/")
    form = f"<form method=post action='{desk.address}/c/first/steer'><button name=wanted value=stop>x</button></form>"
    page.goto(f"data:text/html,{form}")
    page.get_by_role("button").click()
    page.get_by_text("token is missing").wait_for()
    desk.seen.clear()


def test_a_page_that_nobody_looks_at_asks_for_nothing(desk: Desk) -> None:
    page = desk.open("/c/first/workers")
    page.evaluate("Object.defineProperty(document, 'hidden', {get: () => true, configurable: true})")
    page.wait_for_timeout(500)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(4_000)
    assert asked == []
    with page.expect_request("**"):
        page.evaluate("Object.defineProperty(document, 'hidden', {get: () => false, configurable: true})")
