"""Topics that are made in the browser: every form, and what it leaves on disk."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from focuscrawl.config.topic_file import TopicDefinition, read_topic
from focuscrawl.crawl.relevance.stored_topic import load_topic
from focuscrawl.crawl.start.crawl_lock import CrawlLock
from focuscrawl.dashboard.topic_changes import words_of
from focuscrawl.store.crawls import crawl_named
from focuscrawl.topics.labels import read_labels
from focuscrawl.topics.page_sources import FetchResult
from tests.dashboard.desk import Desk
from tests.topics.crawled import HOST, URLS, sky_crawl

PAGE = "<html><title>Quasars</title><p>A quasar is far away and very bright, and its light is old. " * 9
HOSTILE = "<script>alert(1)</script>"


@dataclass(frozen=True)
class Fetched:
    """An answer of the web."""

    url: str
    status: int = 200
    body: bytes = PAGE.encode()
    final: str = "http://far.example/"
    content_type: str = "text/html"
    error: str = ""


def fetched(
    urls: Sequence[str], *, robots: bool = True, on_answer: Callable[[FetchResult], None] | None = None
) -> Sequence[FetchResult]:
    """Pages of far.example are there, those of other hosts are not; SearXNG finds one."""
    answers = []
    for url in urls:
        if "format=json" in url:
            found = json.dumps({"results": [{"url": "http://far.example/found", "title": "Found"}]})
            answers.append(Fetched(url, body=found.encode()))
        else:
            answers.append(Fetched(url) if "far.example" in url else Fetched(url, error="dns"))
        if on_answer:
            on_answer(answers[-1])
    return answers


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """With a crawl of ten pages, and no topic."""
    (tmp_path / "crawls").mkdir()
    sky_crawl(tmp_path / "crawls")
    return Desk(tmp_path / "crawls", fetch=fetched)


@pytest.fixture
def sky(desk: Desk) -> Desk:
    """With a topic of two words."""
    status, _ = desk.send("/topics", name="sky", words="telescope，望远镜", seeds=HOST)
    assert status == 303
    return desk


def topic(desk: Desk, name: str = "sky") -> TopicDefinition:
    return read_topic(desk.dashboard.training.topics_dir / f"{name}.toml").topic


def told(desk: Desk, path: str, **fields: str) -> str:
    """The page that a form leads back to."""
    status, back = desk.send(path, **fields)
    assert status == 303, back
    return desk.page(back)


def test_words_are_parted_by_commas_of_either_kind_and_by_lines() -> None:
    assert words_of("web crawler, 网络爬虫，搜索、 索引\n\nweb crawler") == ["web crawler", "网络爬虫", "搜索", "索引"]


def test_a_topic_of_words_pages_and_text(desk: Desk) -> None:
    shown = told(
        desk, "/topics", name="far", title="Far", words="quasar", pages=f"{URLS[0]}\nfar.example/a\nhttp://gone.example/",
        text=f"A pulsar turns quickly. {HOSTILE}\n" * 5,
    )  # fmt: skip
    assert "1 of its pages gave no text" in shown
    assert "http://gone.example/: dns" in shown
    found = topic(desk, "far")
    assert (found.title, found.keywords) == ("Far", ("quasar",))
    assert found.examples == (URLS[0], "http://far.example/a", "http://gone.example/")
    assert [path.name for path in found.example_files] == ["far.pasted-1.html"]
    view = desk.data("/t/far/.json")
    assert view["without_text"] == ["http://gone.example/"]
    words = {term["word"] for term in view["columns"]["speak_for"]}  # type: ignore[index]
    assert {"quasar", "pulsar", "telescope"} <= words
    assert HOSTILE not in desk.page("/t/far/")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"name": "x"}, "words, pages or a text"),
        ({"name": "../x", "words": "a"}, "holds a slash"),
        ({"name": "", "words": "a"}, "name"),
        ({"name": "sky", "words": "a"}, "choose another name"),
        ({"name": "x", "words": "!!"}, "is not a word"),
        ({"name": "x", "pages": "mailto:x@y.test"}, "mailto"),
        ({"name": "x", "words": "a", "seeds": "not a url"}, "not a url"),
    ],
)
def test_what_cannot_be_made_is_said_and_the_form_stays_filled(sky: Desk, given: dict[str, str], said: str) -> None:
    status, shown = sky.send("/topics", **given, title='">')
    assert status == 400
    assert said in shown
    assert 'value="&#34;&gt;"' in shown
    assert sky.data("/topics.json")["topics"] == ["sky"]


@pytest.mark.slow
def test_clicks_on_words_and_what_they_flip(sky: Desk) -> None:
    shown = told(sky, "/t/sky/weigh", word="telescope", click="out")
    assert dict(topic(sky).weights) == {"telescope": 0.0}
    assert "No longer relevant" in shown
    number = shown.split('name="notice" value="')[1].split('"')[0]
    shown = told(sky, "/t/sky/take-back", notice=number)
    assert topic(sky).weights == ()
    assert "Newly relevant" in shown
    told(sky, "/t/sky/search", source="crawl", queries="comet")
    told(sky, "/t/sky/answer", pick=URLS[4])
    told(sky, "/t/sky/weigh", word="orbit", click="against")
    assert topic(sky).negative_terms == ("orbit",)
    told(sky, "/t/sky/weigh", word="orbit", click="for")
    assert (topic(sky).negative_terms, topic(sky).keywords[-1]) == ((), "orbit")
    before = {term["word"]: term["weight"] for term in sky.data("/t/sky/.json")["columns"]["speak_for"]}  # type: ignore[index]
    told(sky, "/t/sky/weigh", word="comet", click="up")
    assert dict(topic(sky).weights)["comet"] == pytest.approx(1.5 * before["comet"], abs=1e-3)
    told(sky, "/t/sky/weigh", word="comet", click="down")
    assert dict(topic(sky).weights)["comet"] == pytest.approx(before["comet"], abs=1e-3)
    told(sky, "/t/sky/add-words", words="soup, 土豆", side="against")
    assert topic(sky).negative_terms == ("soup", "土豆")
    against = sky.data("/t/sky/.json")["columns"]["speak_against"]  # type: ignore[index]
    assert [term["word"] for term in against if term["weight"] < 0] == ["soup", "土豆"]


@pytest.mark.parametrize(
    ("path", "fields", "said"),
    [
        ("weigh", {"word": "telescope", "click": "explode"}, "cannot be done with a word"),
        ("weigh", {"word": "nowhere", "click": "up"}, "is not in the topic"),
        ("add-words", {"words": " , "}, "no word is given"),
        ("take-back", {"notice": "1"}, "can no longer be undone"),
        ("begin-at", {"seeds": "mailto:a@b.test"}, "mailto"),
        ("search", {"source": "list", "pages": ""}, "give 1 to 30 URLs"),
        ("search", {"source": "searx", "queries": "a"}, "no SearXNG instance is set"),
        ("answer", {"pick": "http://nowhere.test/"}, "no longer among the results"),
        ("choose", {"crawl": "webb"}, "did you mean"),
        ("label", {"answer": "maybe", "url": URLS[0]}, "yes, no, skip or undo"),
        ("label", {"answer": "yes", "url": "http://nowhere.test/"}, "here is the next"),
        ("label", {"answer": "undo"}, "nothing left to take back"),
        ("rescore", {"crawl": "web"}, "not started with this topic"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(sky: Desk, path: str, fields: dict[str, str], said: str) -> None:
    before = topic(sky)
    assert said in told(sky, f"/t/sky/{path}", **fields)
    assert topic(sky) == before
    assert read_labels(sky.dashboard.training.topics_dir / "sky.labels.tsv") == {}


@pytest.mark.slow
def test_pages_are_found_in_the_crawl_by_searxng_and_in_a_list(sky: Desk) -> None:
    told(sky, "/t/sky/search", source="crawl")
    assert {row["url"] for row in sky.data("/t/sky/find.json")["found"]} == set(URLS[:5])  # type: ignore[attr-defined]
    sky.dashboard.training.searx = "http://search.example/"
    told(sky, "/t/sky/search", source="searx", queries="quasar")
    assert [row["url"] for row in sky.data("/t/sky/find.json")["found"]] == ["http://far.example/found"]  # type: ignore[attr-defined]
    shown = told(sky, "/t/sky/search", source="list", pages="far.example/b\nhttp://gone.example/")
    assert "http://gone.example/: dns" in shown
    assert all("judged here by similarity" in page for page in (shown, sky.page("/t/sky/")))
    told(sky, "/t/sky/answer", pick="http://far.example/b")
    assert topic(sky).examples == ("http://far.example/b",)
    told(sky, "/t/sky/answer", reject="http://far.example/b")
    assert topic(sky).examples == ()
    assert sky.data("/t/sky/.json")["no"] == 1


def test_examples_of_one_site_are_warned_of(sky: Desk) -> None:
    told(sky, "/t/sky/search", source="list", pages="\n".join(URLS[:3]))
    told(sky, "/t/sky/answer", pick=URLS[0])
    assert sky.data("/t/sky/.json")["only_site"] == ""
    shown = told(sky, "/t/sky/answer", pick=URLS[1])
    assert "All examples are pages of example.com" in shown
    told(sky, "/t/sky/search", source="list", pages="http://far.example/")
    assert "All examples are pages" not in told(sky, "/t/sky/answer", pick="http://far.example/")


def asked(desk: Desk) -> str:
    """The address of the page that is to be labelled."""
    page = desk.data("/t/sky/label.json")["page"]
    return page["url"] if isinstance(page, dict) else ""


def test_pages_are_labelled_skipped_and_taken_back(sky: Desk) -> None:
    first = asked(sky)
    assert "The topic had said" in told(sky, "/t/sky/label", answer="yes", url=first)
    second = asked(sky)
    told(sky, "/t/sky/label", answer="skip", url=second)
    third = asked(sky)
    told(sky, "/t/sky/label", answer="no", url=third)
    file = sky.dashboard.training.topics_dir / "sky.labels.tsv"
    assert {url: label.relevant for url, label in read_labels(file).items()} == {first: True, third: False}
    for expected in (third, second, first):
        told(sky, "/t/sky/label", answer="undo", url=asked(sky))
        assert asked(sky) == expected
    assert read_labels(file) == {}


def test_labels_hold_for_the_pages_of_crawls_of_the_topic(sky: Desk) -> None:
    crawl = crawl_named(sky.dashboard.stores.crawls_dir, "web")
    with closing(crawl.open(write=True)) as db:
        toml = sky.dashboard.training.topics_dir / "sky.toml"
        db.execute("update run set arguments=?", (json.dumps({"seeds": str(toml)}),))

    def relevant(url: str) -> int:
        with closing(crawl.open()) as db:
            return int(db.execute("select relevant from page where url=?", (url,)).fetchone()[0])

    url = asked(sky)
    told(sky, "/t/sky/label", answer="no", url=url)
    assert relevant(url) == 0
    told(sky, "/t/sky/label", answer="undo", url=asked(sky))
    assert relevant(url) == 1


def test_the_score_is_not_shown_before_the_answer(sky: Desk) -> None:
    page = sky.data("/t/sky/label.json")["page"]
    assert isinstance(page, dict)
    assert set(page) == {"url", "title", "language", "pieces"}


def test_every_page_is_asked_once(sky: Desk) -> None:
    seen = []
    while url := asked(sky):
        seen.append(url)
        told(sky, "/t/sky/label", answer="yes" if "/sky/" in url else "no", url=url)
    assert sorted(seen) == sorted(set(URLS) - {URLS[9]})
    assert "no further page to label" in sky.page("/t/sky/label")


@pytest.mark.slow
def test_training_shows_before_and_after_on_labels_held_back(sky: Desk) -> None:
    while url := asked(sky):
        told(sky, "/t/sky/label", answer="yes" if "/sky/" in url else "no", url=url)
    shown = told(sky, "/t/sky/teach")
    assert "a test wants ten labels" in shown
    assert "from 0.000 to" not in shown
    told(sky, "/t/sky/search", source="list", pages="far.example/1\nfar.example/2\nfar.example/3")
    for number in (1, 2, 3):
        told(sky, "/t/sky/answer", reject=f"http://far.example/{number}")
    shown = told(sky, "/t/sky/teach")
    assert "labels that are held back" in shown
    table = shown.split('class="trained"')[1].split("</table>")[0]
    assert table.count("%") > 6
    assert "–</td>" not in table.split("accuracy")[1]
    (sky.dashboard.training.topics_dir / "sky.page_model.json").unlink()
    (sky.dashboard.training.topics_dir / "sky.json").unlink()
    table = told(sky, "/t/sky/teach").split('class="trained"')[1].split("</table>")[0]
    assert "–</td>" not in table.split("accuracy")[1]  # before the first training the words alone have judged
    assert sky.data("/t/sky/train.json")["trained"]
    assert (sky.dashboard.training.topics_dir / "sky.page_model.json").is_file()


@pytest.mark.slow
def test_what_waits_of_a_crawl_is_scored_again_in_place(sky: Desk) -> None:
    file = sky.dashboard.training.topics_dir / "sky.toml"
    with closing(crawl_named(sky.crawls_dir, "web").open(write=True)) as db:
        db.execute("update run set arguments=?", (json.dumps({"seeds": str(file), "name": "web"}),))
    sky.dashboard.stores.cache.forget()
    refused = told(sky, "/t/sky/rescore", crawl="web")
    assert "train it, then score the waiting URLs" in refused
    told(sky, "/t/sky/teach")
    assert "Scored again: 0 of" in told(sky, "/t/sky/rescore", crawl="web")
    with closing(crawl_named(sky.crawls_dir, "web").open()) as db:
        stored = load_topic(db, "")
    assert stored is not None
    assert "telescope" in str(stored.content["keywords"])


@pytest.mark.slow
def test_a_crawl_that_somebody_works_on_is_left_alone(sky: Desk) -> None:
    file = sky.dashboard.training.topics_dir / "sky.toml"
    with closing(crawl_named(sky.crawls_dir, "web").open(write=True)) as db:
        db.execute("update run set arguments=?", (json.dumps({"seeds": str(file), "name": "web"}),))
    sky.dashboard.stores.cache.forget()
    told(sky, "/t/sky/teach")
    lock = CrawlLock(sky.crawls_dir / "web")
    lock.take(False, 0.0)
    try:
        assert "is being crawled by another process" in told(sky, "/t/sky/rescore", crawl="web")
    finally:
        lock.release()
    with closing(crawl_named(sky.crawls_dir, "web").open()) as db:
        assert load_topic(db, "") is None


def test_files_changed_elsewhere_are_read_again(sky: Desk) -> None:
    sky.page("/t/sky/")
    file = sky.dashboard.training.topics_dir / "sky.toml"
    file.write_text(file.read_text("utf-8").replace("telescope", "observatory"), "utf-8")
    words = [term["word"] for term in sky.data("/t/sky/.json")["columns"]["speak_for"]]  # type: ignore[index]
    assert "observatory" in words
    assert "telescope" not in words


def test_the_form_that_starts_a_crawl_knows_the_topic(sky: Desk) -> None:
    shown = sky.page("/start?topic=sky")
    assert 'value="sky"' in shown
    assert f'<option value="{sky.dashboard.training.topics_dir / "sky.toml"}" selected>' in shown


def test_what_there_is_not(sky: Desk) -> None:
    for path in ("/t/skies/", "/t/sky/nothing", "/t/sky/nothing.json"):
        assert sky.client.get(path).status_code == 404
    assert sky.send("/t/skies/weigh", word="a", click="up")[0] == 404
    assert sky.send("/t/sky/explode")[0] == 404
    assert sky.client.get("/t/sky").headers["location"] == "/t/sky/"


def test_read_only_has_no_forms(sky: Desk) -> None:
    reader = Desk(sky.crawls_dir, read_only=True)
    for path in ("/topics", "/t/sky/", "/t/sky/find", "/t/sky/label", "/t/sky/train"):
        assert 'method="post"' not in reader.page(path)
    assert reader.send("/topics", name="x", words="a")[0] == 403
