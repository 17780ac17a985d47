from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from focuscrawl.dedup.methods import method
from focuscrawl.frontier.lanes import lifted
from focuscrawl.frontier.states import State
from focuscrawl.items import IN_TITLE, SITEMAP, Verdict
from focuscrawl.recrawl.state import RevisitRecord
from focuscrawl.report.plain import moment
from focuscrawl.report.score import waterfall
from focuscrawl.report.score_parts import PARTS
from focuscrawl.report.table import Table
from focuscrawl.report.translation import Language
from focuscrawl.report.why import answer, as_json, details, reason, sentence, verdicts_table
from focuscrawl.store.engines.sqlite import connect
from focuscrawl.store.explain import Explanation, explain
from focuscrawl.store.frontier.operator_changes import add, hold, remove_urls
from focuscrawl.store.revisits.labels import PersonsLabel
from focuscrawl.store.revisits.revisit_rows import write_revisits
from focuscrawl.store.revisits.taking_out import take_out_urls
from focuscrawl.url.hosts import uid_of
from models.link import link_score
from tests.report import sample

NOW = sample.NOW


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("crawl")
    sample.sample_crawl(directory)
    db = connect(directory / "store.sqlite")
    for number, state in enumerate(State):
        if state.name in ("LEASED", "REDIR", "FILTERED", "FAILED", "NOTMOD"):
            url = f"http://news.example.com/{state.name}"
            sample.add_url(db, url, state, error="http-500" if state.name == "FAILED" else "type", status=302, tries=number)
    db.close()
    return directory


def facts_of(store: Path, url: str) -> Explanation:
    with closing(connect(store / "store.sqlite", read_only=True)) as db:
        return explain(db, url)


@pytest.mark.parametrize(
    ("url", "word", "piece"),
    [
        (sample.SEED, "fetched", "relevance 0.120 reaches the threshold 0.100: relevant"),
        (sample.PAGES[2][0], "fetched", "its text repeats http://news.example.com/search/a.html (100 % alike)"),
        (sample.PAGES[3][0], "fetched", "below the threshold 0.100: not relevant"),
        (sample.WAITING, "waiting", "rank 1 of 2 in the frontier, 1 of 1 on its host; its host may be asked again at"),
        (sample.RETRIED, "waiting", "(in 1 h): the server did not answer in time; 2 tries failed"),
        (sample.DENIED, "refused", "by line 2, `Disallow: /private/`"),
        (sample.REFUSED, "refused", "rule `calendar`: a calendar page far from today; http://news.example.com/ links there"),
        (sample.FAILED, "failed", "the page does not exist (`http-404`)"),
        ("http://news.example.com/LEASED", "waiting", "a worker has held it"),
        ("http://news.example.com/REDIR", "fetched", "answered 302"),
        ("http://news.example.com/FILTERED", "refused", "the answer is not a text page"),
        ("http://news.example.com/FAILED", "failed", "after 10 tries: server error 500"),
        ("http://news.example.com/NOTMOD", "fetched", "no longer in the store"),
        ("http://news.example.com/new", "never seen", "Its host is known (3 pages stored, 3 relevant)"),
        ("http://new.example/", "never seen", "Its host is not known either"),
        ("http://new.example/a.zip", "never seen", "would be refused by the rule `file-type`"),
        (sample.WAITING + "/", "never seen", f"Known, however: {sample.WAITING}"),
    ],
)
def test_every_answer_is_a_sentence(store: Path, url: str, word: str, piece: str) -> None:
    facts = facts_of(store, url)
    assert answer(facts) == word
    assert piece in sentence(facts, NOW)
    told = json.loads(json.dumps(as_json(facts, NOW, "demo"), default=bytes.hex))
    assert (told["answer"], told["crawl"], told["url"]) == (word, "demo", url)


def test_details_name_parent_anchor_parts_and_terms(store: Path) -> None:
    parts = details(facts_of(store, sample.PAGES[1][0]), NOW)
    text = "\n".join(part.text() if isinstance(part, Table) else part for part in parts)
    for piece in ("Found on http://news.example.com/", "“搜索 引擎”", "its anchor", "+0.250", "0.550", "crawler", "a.warc.gz"):
        assert piece in text


def test_a_redirect_to_another_site_is_told_with_what_it_costs(store: Path) -> None:
    facts = facts_of(store, sample.PAGES[1][0])
    assert facts.parent
    assert facts.parent.link
    other = replace(facts.parent.link, url="http://moved.example/")
    (found,) = [
        part for part in details(replace(facts, parent=replace(facts.parent, link=other)), NOW) if "Found on" in str(part)
    ]
    assert str(found).endswith(
        "That link leads to http://moved.example/, which redirected here, to another site: of the first score 50 % count."
    )


def test_what_a_sitemap_announced(store: Path) -> None:
    facts = facts_of(store, sample.PAGES[1][0])
    assert facts.entry
    sitemaps = ("http://news.example.com/a.xml", "http://news.example.com/b.xml")
    entry = replace(facts.entry, priority_parts=(("announced", 0.3), ("url", 0.1)))
    announced = replace(facts, entry=entry, parent=None, announced_by=sitemaps)
    assert reason(announced) == "Fetched mainly because a sitemap or feed of its host announced it."
    told = "\n".join(part.text() if isinstance(part, Table) else part for part in details(announced, NOW))
    assert f"Announced by a sitemap or feed of its host: {sitemaps[0]} or {sitemaps[1]}." in told
    for piece in ("First score, when a sitemap or feed announced it", "that its host announced it", "+0.300", "0.400"):
        assert piece in told
    assert not [part for part in details(facts, NOW) if "Announced" in str(part)]


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        ('[["LinkScore",0.3],["exploration",0.7]]', "To be fetched early on purpose, to get to know a list, or a part of its"
         " host, of which little was known."),
        ('[["operator",1.0]]', "To be fetched mainly because an operator has asked for it."),
        ('[["topic/learned",0.9]]', "To be fetched mainly because links like it have brought relevant pages."),
        ('[["learned",-0.2]]', "To be fetched mainly because the words of its URL are about the topic; links like it have"
         " brought less than it promises."),
    ],
)  # fmt: skip
def test_the_first_sentence_is_the_reason(tmp_path: Path, parts: str, told: str) -> None:
    sample.sample_crawl(tmp_path)
    sample.change(tmp_path, "update url set priority_parts=? where path='/search/c.html'", parts)
    assert reason(facts_of(tmp_path, sample.WAITING)) == told


def test_the_reason_for_what_a_user_named_and_for_a_new_host(tmp_path: Path) -> None:
    sample.sample_crawl(tmp_path)
    assert reason(facts_of(tmp_path, sample.SEED)) == "Fetched first because it is a seed."
    assert reason(facts_of(tmp_path, sample.RETRIED)) == "To be fetched first because it is a seed."
    sample.change(tmp_path, """update url set priority_parts='[["exploration",1.0]]' where path='/search/a.html'""")
    assert reason(facts_of(tmp_path, sample.PAGES[1][0])) == "Fetched early on purpose, to get to know a new host."


def test_nothing_is_given_as_a_reason_for_what_is_not_fetched(store: Path) -> None:
    for url in (sample.DENIED, sample.REFUSED, "http://new.example/", sample.WAITING_LOW):
        assert reason(facts_of(store, url)) == ""


def test_why_names_the_language_that_no_topic_asks_for(store: Path) -> None:
    facts = facts_of(store, sample.PAGES[3][0])
    assert facts.page
    other = replace(facts, other_languages={"": ("zh", "ja")})
    assert "; it is in English, and the topic asks for Chinese or Japanese: not relevant." in sentence(other, sample.NOW)
    verdicts = {"sky": Verdict(0.0, False, 0.5), "sea": Verdict(0.0, False, 0.5)}
    both = replace(facts, verdicts=verdicts, other_languages={"sky": ("zh",), "sea": ("fr", "zh")})
    assert "; it is in English, and the topics ask for Chinese or French: not relevant." in sentence(both, sample.NOW)
    one = replace(both, other_languages={"sky": ("zh",)})
    assert "is below the threshold" in sentence(one, sample.NOW)
    words = [row[3] for row in verdicts_table(verdicts, {}, {"sky": "en"}).rows]
    assert words == ["not relevant: in English", "not relevant"]


@pytest.mark.parametrize(("scored", "labelled"), [(0.9, False), (0.1, True)])
def test_why_names_the_label_of_one_topic_of_several(store: Path, scored: float, labelled: bool) -> None:
    facts = facts_of(store, sample.PAGES[3][0])
    assert facts.page
    labels = {"sky": PersonsLabel(labelled, ""), "sea": PersonsLabel(not labelled, "")}
    verdicts = dict.fromkeys(labels, Verdict(scored, scored >= 0.3, 0.3))
    page = replace(facts.page, relevance=scored, threshold=0.3, relevant=labelled)
    judged = replace(facts, labels=labels, verdicts=verdicts, page=page)
    assert f"; a person labelled it {'yes' if labelled else 'no'}, so it is" in sentence(judged, NOW)
    otherwise = replace(judged, page=replace(facts.page, relevance=scored, threshold=0.3, relevant=not labelled))
    assert "labelled" not in sentence(otherwise, NOW), "the page is what its relevance makes it"
    agreed = replace(judged, verdicts=dict.fromkeys(labels, Verdict(1.0 - scored, scored < 0.3, 0.3)))
    assert "labelled" not in sentence(agreed, NOW), "the label of sky turned no verdict, but its scope or language did"


def test_why_names_the_keyword_that_is_in_the_name_of_the_site(store: Path) -> None:
    facts = facts_of(store, sample.PAGES[3][0])
    assert facts.page
    terms = (("comet", 1.0), ("site:sky", 0.0), ("site:star", 0.0))
    named = replace(facts, page=replace(facts.page, terms=terms))
    said = "not relevant; of sky, star, in the name of its site, only what the page says beyond that counts."
    assert said in sentence(named, sample.NOW)
    [table] = [part for part in details(named, sample.NOW) if isinstance(part, Table) and part.title == "Terms that counted"]
    assert [row[0] for row in table.rows] == ["comet"]
    alone = replace(facts, page=replace(facts.page, terms=(("site:sky", 0.0),)))
    assert said.replace(", star", "") in sentence(alone, sample.NOW)
    assert not [part for part in details(alone, sample.NOW) if isinstance(part, Table) and part.title == "Terms that counted"]
    [row] = verdicts_table({"sky": Verdict(0.1, False, 0.5, terms)}, {}).rows
    assert row[-1] == "comet"


def test_why_names_a_page_that_has_the_topic_in_its_title_alone(store: Path) -> None:
    facts = facts_of(store, sample.PAGES[0][0])
    assert facts.page
    page = replace(facts.page, terms=(("comet", 1.0), (IN_TITLE, 0.0)))
    named = replace(facts, page=page)
    said = sentence(named, sample.NOW)
    assert ": relevant; it names the topic in its title alone, so it counts less in the order `learned`." in said
    assert "：相关；只在标题中提到主题，因此在 `learned` 顺序中分量较小。" in Language("zh")(said)
    [table] = [part for part in details(named, sample.NOW) if isinstance(part, Table) and part.title == "Terms that counted"]
    assert [row[0] for row in table.rows] == ["comet"]
    assert "in its title alone" not in sentence(replace(named, page=replace(page, relevant=False)), sample.NOW)


def test_a_waterfall_begins_where_the_last_bar_ended() -> None:
    rows = waterfall({"page": 0.5, "anchor": 0.5}, 1.0).rows
    bars = [row[2] for row in rows]
    assert bars == ["█" * 12, " " * 12 + "█" * 12, "█" * 24]
    assert waterfall({}, 0.0).rows == [("first score", "0.000", "")]


def test_a_busy_host_has_no_time(store: Path) -> None:
    db = connect(store / "store.sqlite")
    db.execute("begin")
    db.execute("update host set ready_at=?", (NOW + 1e6,))
    facts = explain(db, sample.WAITING)
    db.execute("rollback")
    db.close()
    assert "its host is busy with another request" in sentence(facts, NOW)


def test_a_score_that_was_changed_since_is_shown_too(tmp_path: Path) -> None:
    sample.sample_crawl(tmp_path)
    sample.change(
        tmp_path, """update url set priority=0.7, priority_parts='[["host",0.6],["anchor",0.1]]' where path='/search/c.html'"""
    )
    facts = facts_of(tmp_path, sample.WAITING)
    titles = [part.title for part in details(facts, NOW) if isinstance(part, Table)]
    assert titles[:2] == ["First score, when the link was found", "Last score, after what was learned since"]
    table = next(part for part in details(facts, NOW) if isinstance(part, Table) and part.title == titles[1])
    assert [row[:2] for row in table.rows] == [
        ("host", "+0.600"),
        ("its anchor", "+0.100"),
        ("last score", "0.700"),
    ]
    assert json.loads(json.dumps(as_json(facts, NOW, "x")))["entry"]["priority_parts"] == [["host", 0.6], ["anchor", 0.1]]


def test_what_an_operator_did(tmp_path: Path) -> None:
    sample.sample_crawl(tmp_path)
    db = connect(tmp_path / "store.sqlite")
    hold(db, "news.example.com", True)
    remove_urls(db, [sample.WAITING_LOW], NOW)
    add(db, ["http://new.example/"], 0.9, NOW)
    db.close()
    assert "1 of 1 on its host; an operator holds its host" in sentence(facts_of(tmp_path, sample.WAITING), NOW)
    assert sentence(facts_of(tmp_path, sample.WAITING_LOW), NOW).startswith("Refused: an operator removed it (`removed`)")
    tables = [part for part in details(facts_of(tmp_path, "http://new.example/"), NOW) if isinstance(part, Table)]
    assert "given by an operator" in tables[0].text()


def test_a_page_that_an_operator_took_out(tmp_path: Path) -> None:
    sample.sample_crawl(tmp_path)
    db = connect(tmp_path / "store.sqlite")
    write_revisits(db, [RevisitRecord(sample.hid(sample.SEED), uid_of(sample.SEED), first_at=NOW, checked_at=NOW, read_at=NOW)])
    take_out_urls(db, [sample.SEED], lambda: NOW + 60, method("simhash").keys)
    db.close()
    facts = facts_of(tmp_path, sample.SEED)
    assert sentence(facts, NOW) == (
        "Refused after it was requested: an operator removed it (`removed`); `scrapy frontier add` puts it back."
        f" An operator took it out of the collection at {moment(NOW + 60)}: it is in no export any more."
    )
    table = next(part for part in details(facts, NOW) if isinstance(part, Table) and part.title == "Freshness")
    rows = {row[0]: row[1] for row in table.rows}
    assert rows["last visited"].endswith("its body was read")
    assert rows["taken out by an operator"] == moment(NOW + 60)
    assert rows["next visit"].startswith("never, for an operator removed it")


def test_pages_that_are_gone_and_what_is_no_page(tmp_path: Path) -> None:
    sample.sample_crawl(tmp_path)
    db = connect(tmp_path / "store.sqlite")
    page, sitemap = sample.PAGES[1][0], "http://news.example.com/sitemap.xml"
    gone = RevisitRecord(sample.hid(page), uid_of(page), first_at=NOW, checked_at=NOW, gone=1, gone_at=NOW, due_at=NOW + 86400)
    source = RevisitRecord(sample.hid(sitemap), uid_of(sitemap), SITEMAP, due_at=NOW)
    sample.add_url(db, sitemap, State.DONE, kind=SITEMAP)
    write_revisits(db, [gone, source])
    facts, unread = explain(db, page), explain(db, sitemap)
    write_revisits(db, [replace(source, checked_at=NOW, first_at=NOW)])
    db.execute("update url set state=0, priority=? where uid=?", (lifted(0.5), uid_of(page)))
    read, woken = explain(db, sitemap), explain(db, page)
    db.close()
    assert "relevant. It may be gone: a visit found nothing there" in sentence(facts, NOW)
    assert (answer(unread), sentence(unread, NOW)) == ("waiting", "Not fetched yet: `scrapy recrawl` will fetch it.")
    assert answer(read) == "fetched"
    assert sentence(read, NOW).endswith("; it is not a page.")
    assert "It is a sitemap." in details(read, NOW)
    assert sentence(woken, NOW).startswith("Waiting for a revisit: rank 1 of")
    text = "\n".join(part.text() if isinstance(part, Table) else part for part in details(woken, NOW))
    assert "0.5000, ahead of everything that is not a revisit" in text
    assert "in this run, to see whether it is gone" in text
    told = json.loads(json.dumps(as_json(facts, NOW, "x")))
    assert (told["freshness"]["state"], told["freshness"]["revisit"]["gone"]) == ("suspect", 1)


@pytest.mark.parametrize(
    ("state", "error", "words"),
    [
        (
            State.FAILED,
            "http-500",
            "after 4 tries: server error 500 (Internal Server Error) (`http-500`); the stored version",
        ),
        (State.FAILED, "timeout", "(`timeout`); DOWNLOAD_TIMEOUT sets the patience; the stored version"),
        (State.DENIED, "robots", "by line 2, `Disallow: /search/`; the stored version"),
        (State.FILTERED, "type", "Refused after it was requested: the answer is not a text page (`type`);"),
        (State.REDIR, "", "sent the crawl to another URL; the stored version"),
        (State.GONE, "http-404", "does not exist (`http-404`); this does not count, because most requests to its host"),
    ],
)
def test_a_stored_page_that_could_not_be_looked_at_again(tmp_path: Path, state: State, error: str, words: str) -> None:
    sample.sample_crawl(tmp_path)
    db = connect(tmp_path / "store.sqlite")
    page, due = sample.PAGES[1][0], NOW + 86400
    db.execute("update robots set body=?", (b"User-agent: *\nDisallow: /search/\n",))
    db.execute("update url set state=?, error=?, status=302, tries=3 where uid=?", (int(state), error, uid_of(page)))
    never = sentence(explain(db, page), NOW)
    visit = RevisitRecord(sample.hid(page), uid_of(page), first_at=NOW, checked_at=NOW, read_at=NOW, due_at=due)
    write_revisits(db, [visit])
    told = sentence(explain(db, page), NOW)
    later = sentence(explain(db, page), due + 1)
    db.execute("update page set relevant=0")
    irrelevant = sentence(explain(db, page), NOW)
    db.close()
    assert words in told
    assert f"; the stored version of {moment(NOW + 2)} is kept and exported; the first `scrapy recrawl` after" in told
    assert later.endswith("is kept and exported; the next `scrapy recrawl` revisits it.")
    assert "is kept; the" in irrelevant
    assert "run again" not in told
    assert ("run again" in never) == (error in ("http-500", "timeout"))


def test_where_a_url_redirected_at_last(tmp_path: Path) -> None:
    sample.sample_crawl(tmp_path)
    db = connect(tmp_path / "store.sqlite")
    moved, refused = "http://news.example.com/moved", "http://news.example.com/refused"
    sample.add_url(db, moved, State.REDIR, status=301)
    sample.add_url(db, refused, State.FILTERED, status=302, error="redirect-to-scope")
    targets = ((moved, "http://a.example/"), (moved, "http://a.example/%E6%98%9F"), (refused, "http://b.example/"))
    for at, (url, target) in enumerate(targets):
        sample.insert(
            db, "fetches", worker=1, hid=sample.hid(url), uid=uid_of(url), page_id=0, at=NOW + at, status=301, redirect=target,
            priority=0.0, depth=0, distance=0, tries=0, hops=0, kind=0, parent=0,
        )  # fmt: skip
    page = sample.PAGES[1][0]
    db.execute("update url set state=?, status=301 where uid=?", (int(State.REDIR), uid_of(page)))
    sample.insert(
        db, "change", at=NOW, run=1, kind="moved", hid=sample.hid(page), uid=uid_of(page), page_id=2, url=page,
        detail="http://c.example/",
    )  # fmt: skip
    followed, kept_out, stored = explain(db, moved), explain(db, refused), explain(db, page)
    db.close()
    assert "sent the crawl to http://c.example/" in sentence(stored, NOW)
    assert "redirected: the server answered 301 and sent the crawl to http://a.example/星." in sentence(followed, NOW)
    assert as_json(followed, NOW, "x")["redirects_to"] == "http://a.example/%E6%98%9F"
    (told,) = [part for part in details(kept_out, NOW) if isinstance(part, Table)]
    assert ("it redirects to", "http://b.example/") in told.rows


def test_when_nothing_was_found_and_when_a_missing_sitemap_is_asked_again(tmp_path: Path) -> None:
    sample.sample_crawl(tmp_path)
    db = connect(tmp_path / "store.sqlite")
    page, sitemap = sample.PAGES[1][0], "http://news.example.com/sitemap.xml"
    sample.add_url(db, sitemap, State.GONE, kind=SITEMAP, error="http-404", status=404)
    gone = RevisitRecord(
        sample.hid(page), uid_of(page), first_at=NOW - 9, checked_at=NOW, gone=1, gone_at=NOW, due_at=NOW + 86400
    )
    write_revisits(db, [gone, RevisitRecord(sample.hid(sitemap), uid_of(sitemap), SITEMAP, due_at=NOW + 86400, first_at=NOW)])
    db.execute("update url set state=?, error='http-410', status=410 where uid=?", (int(State.GONE), uid_of(page)))
    db.execute("update url set priority=? where uid=?", (lifted(1e-9), uid_of(page)))
    lost, missing = explain(db, page), explain(db, sitemap)
    db.close()
    head = f"Nothing was found there at {moment(NOW)}: the page is gone for good (`http-410`). It may be gone: a visit"
    assert sentence(lost, NOW).startswith(head)
    assert sentence(lost, NOW).endswith("; it is exported until that is confirmed.")
    assert answer(missing) == "failed"
    assert sentence(missing, NOW).endswith(f"; the first `scrapy recrawl` after {moment(NOW + 86400)} revisits it.")
    text = "\n".join(part.text() if isinstance(part, Table) else part for part in details(lost, NOW))
    assert "9.3e-10, at its last revisit" in text
    text = "\n".join(part.text() if isinstance(part, Table) else part for part in details(missing, NOW))
    assert "(in 1 d), a quarter of the time since it was last seen" in text


def test_every_part_of_a_link_score_has_words() -> None:
    assert set(link_score.PARTS) <= set(PARTS)
