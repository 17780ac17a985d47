"""The changes that users can make to a topic in the browser, each of which `scrapy topic` can also make."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count

from focuscrawl.config.arguments import check_name
from focuscrawl.config.seed_list import seeds_of_text
from focuscrawl.config.topic_file import TopicDefinition
from focuscrawl.crawl.rescoring import rescore_crawl
from focuscrawl.dashboard.state import Notice
from focuscrawl.dashboard.training import MOST_UNDONE, Answered, TopicSession, Training
from focuscrawl.errors import BadInput
from focuscrawl.store.pages.page_texts import PageText
from focuscrawl.topics.file_changes import TermEdits, Values, edited, new_text, write_topic
from focuscrawl.topics.page_sources import Sources, apply_answers
from focuscrawl.topics.paths import TopicPaths, replace_text
from focuscrawl.topics.rounds import Changes, compared
from focuscrawl.topics.suggesting import queries_of
from focuscrawl.topics.term_columns import clicked
from focuscrawl.topics.training import before_and_after, train
from focuscrawl.topics.workspace import Workspace
from models.page.assessment import Assessment

FOUND = 20
"""The number of results of a search."""
MOST_FETCHED = 30
"""The most pages that are fetched for one form; each of one host takes a second or two."""
BETWEEN = re.compile("[\n,，;；、]+")
"""Separators between the words of a list."""

MADE = "The topic is made."
MADE_WITHOUT = "The topic is made; {n} of its pages gave no text."
WEIGHED = {
    "up": "“{word}” counts more.", "down": "“{word}” counts less.", "out": "“{word}” is out of the topic.",
    "for": "“{word}” is a word of the topic.", "against": "“{word}” speaks against the topic.",
}  # fmt: skip
TAKEN_BACK, NOTHING_TO_TAKE_BACK = "It is taken back.", "There is nothing left to take back."
ADDED = "Words added: {n}."
BEGINS = "A crawl of it begins at {n} URLs."
SEARCHED, NOTHING_FOUND = "Found: {n} pages.", "No page was found; other words may find some."
PICKED, REJECTED = "The page is an example of the topic.", "The page does not belong to the topic."
LABELLED = {
    "yes": "Yes: kept. The topic had said {score}.", "no": "No: kept. The topic had said {score}.", "skip": "Skipped.",
}  # fmt: skip
TRAINED, UNTESTED = "The topic is trained on {n} labels.", "Trained; a test wants ten labels or more, of both kinds."
RESCORED = "Scored again: {moved} of {waiting} waiting URLs have moved."
CRAWL_CHOSEN = "The pages are those of {crawl} now."
SENTENCES = (
    MADE, MADE_WITHOUT, *WEIGHED.values(), TAKEN_BACK, NOTHING_TO_TAKE_BACK, ADDED, BEGINS, SEARCHED, NOTHING_FOUND, PICKED,
    REJECTED, *LABELLED.values(), TRAINED, UNTESTED, RESCORED, CRAWL_CHOSEN,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TopicDetails:
    """What the page shows about a change."""

    changes: Changes | None = None
    undo: Values | None = None
    """The words as they were before."""
    notes: tuple[str, ...] = ()
    before: Assessment | None = None
    after: Assessment | None = None


# A new topic ------------------------------------------------------------------------------------------------------------

NEW = ("name", "title", "words", "pages", "text", "seeds")


def make(training: Training, given: Mapping[str, str]) -> tuple[str, Notice]:
    """Make a topic from words, URLs of pages, or pasted text. Returns its name and the result. Raises BadInput."""
    name = check_name(given["name"], "The topic's name")
    paths = TopicPaths(training.topics_dir, name)
    if paths.toml.exists():
        raise BadInput(f"There is already a topic {name}; choose another name, or change that topic.")
    words, pages, text = words_of(given["words"]), _urls_in(given["pages"]), given["text"]
    if not (words or pages or text):
        raise BadInput("A topic needs words, pages or a text that say what it is about.")
    seeds = _urls_in(given["seeds"])
    pasted = [_keep_text(paths, text)] if text else []
    values = {**edited(TopicDefinition(), TermEdits(keywords=words)), "examples": [*pasted, *pages]}
    write_topic(paths.toml, new_text(name, given["title"], seeds=seeds, values=values))
    with training.session(name) as session:
        lost = _get_texts(training, session, pages)
        notice = Notice(MADE_WITHOUT, {"n": len(lost)}) if lost else Notice(MADE)
        return name, Notice(notice.text, notice.values, details=TopicDetails(notes=tuple(session.notes) if lost else ()))


def words_of(text: str) -> list[str]:
    """The words of a list with ASCII or Chinese separators, or one per line; without repeats."""
    return list(dict.fromkeys(word for part in BETWEEN.split(text) if (word := part.strip())))


def _urls_in(text: str) -> list[str]:
    """The canonical URLs of a list with one URL per line. Raises BadInput for the first invalid one."""
    found = seeds_of_text(text)
    if found.problems:
        raise BadInput(found.problems[0])
    return list(found.urls)


def _keep_text(paths: TopicPaths, text: str) -> str:
    """Save pasted text as an example file beside the topic. Returns the file's name."""
    for number in count(1):
        path = paths.folder / f"{paths.name}.pasted-{number}.html"
        if not path.exists():
            break
    lines = "".join(f"<p>{html.escape(line)}</p>\n" for line in text.splitlines() if line.strip())
    replace_text(path, f'<!doctype html><meta charset="utf-8"><article>\n{lines}</article>\n')
    return path.name


def _get_texts(training: Training, session: TopicSession, urls: list[str]) -> list[str]:
    """Read the texts of these URLs from the crawls, or fetch them. Returns the URLs that have given no text."""
    loader, workspace = training.loader(session), session.workspace
    missing = loader.at_hand(workspace, urls)
    if missing:
        try:
            workspace.keep(loader.fetched(missing[:MOST_FETCHED], "list"))
        except BadInput as error:
            session.notes.append(str(error))
    return [url for url in missing if url not in workspace.texts]


# Words ------------------------------------------------------------------------------------------------------------------


def weigh(training: Training, session: TopicSession, given: Mapping[str, str]) -> Notice:
    """Move a word by a click: it counts more or less, leaves the topic, or changes sides. Raises BadInput."""
    word, click = given["word"], given["click"]
    return _edit(training, session, clicked(session.workspace, word, click), Notice(WEIGHED[click], {"word": word}))


def add_words(training: Training, session: TopicSession, given: Mapping[str, str]) -> Notice:
    words = words_of(given["words"])
    if not words:
        raise BadInput("no word is given")
    edits = TermEdits(negative=words) if given["side"] == "against" else TermEdits(keywords=words)
    return _edit(training, session, edits, Notice(ADDED, {"n": len(words)}))


def _edit(training: Training, session: TopicSession, edits: TermEdits, notice: Notice) -> Notice:
    undo = session.workspace.words()
    with training.changing(session) as changes:
        session.workspace.edit(edits)
    return Notice(notice.text, notice.values, details=TopicDetails(changes[0], undo))


def undo_words(training: Training, session: TopicSession, undo: Values) -> Notice:
    """Undo a change of words. Raises BadInput."""
    with training.changing(session) as changes:
        session.workspace.set_words(undo)
    return Notice(TAKEN_BACK, details=TopicDetails(changes[0]))


def begin_at(training: Training, session: TopicSession, given: Mapping[str, str]) -> Notice:
    urls = _urls_in(given["seeds"])
    session.workspace.begin_at(urls)
    return Notice(BEGINS, {"n": len(urls)})


# Pages ------------------------------------------------------------------------------------------------------------------


def search(training: Training, session: TopicSession, given: Mapping[str, str]) -> Notice:
    """Search the pages of the crawl, SearXNG, or a pasted list of URLs. Raises BadInput."""
    kind, words = given["source"], words_of(given["queries"])
    queries, listed = words or queries_of(session.workspace), _urls_in(given["pages"]) if kind == "list" else []
    if kind == "list" and not 0 < len(listed) <= MOST_FETCHED:
        raise BadInput(f"give 1 to {MOST_FETCHED} URLs, one per line")
    if kind == "searx" and not training.searx:
        raise BadInput("no SearXNG instance is set: start the dashboard with -s SEARCH_SEARXNG_URL=http://…")
    if kind == "crawl" and not session.crawl:
        raise BadInput("there is no crawl yet to search in")
    crawl = training.stores.named(session.crawl) if kind == "crawl" else None
    searx = training.searx if kind == "searx" else ""
    with closing(Sources(training.loader(session), FOUND, crawl=crawl, searx=searx, listed=listed)) as sources:
        session.found = sources.find(session.workspace, queries)
    session.queries = "" if kind == "list" else ", ".join(queries)
    found = Notice(SEARCHED, {"n": len(session.found)}) if session.found else Notice(NOTHING_FOUND)
    return Notice(found.text, found.values, details=TopicDetails(notes=tuple(session.notes)))


def answer_found(training: Training, session: TopicSession, given: Mapping[str, str]) -> Notice:
    """Record whether a page that was found belongs to the topic. Raises BadInput if it is not among the results any more."""
    url, picked = given["pick"] or given["reject"], bool(given["pick"])
    page = next((page for page in session.found if page.url == url), None)
    if page is None and url not in session.workspace.texts:
        raise BadInput("that page is no longer among the results; search again")
    with training.changing(session) as changes:
        if page is not None:
            session.workspace.keep([page])
        apply_answers(session.workspace, [url] if picked else [], [] if picked else [url])
    return Notice(PICKED if picked else REJECTED, details=TopicDetails(changes[0]))


def choose_crawl(training: Training, session: TopicSession, given: Mapping[str, str]) -> Notice:
    """Choose the crawl whose pages are searched and labelled. Raises BadInput if there is no such crawl."""
    session.use(training.stores.named(given["crawl"]).name)
    session.chosen = True
    return Notice(CRAWL_CHOSEN, {"crawl": session.crawl})


def label(training: Training, session: TopicSession, given: Mapping[str, str]) -> Notice:
    """Answer yes, no or skip for the page that is shown, or undo the last answer. Raises BadInput."""
    answer, url = given["answer"], given["url"]
    if answer == "undo":
        return _unlabel(session)
    if answer not in LABELLED:
        raise BadInput("the answer must be yes, no, skip or undo")
    page = next((page for page in session.queue if page.url == url), None)
    if page is None:  # the form was sent twice, or the dashboard was started again
        raise BadInput("the question was about another page; here is the next one")
    relevant = {"yes": True, "no": False}.get(answer)
    values = {"score": _score(session.workspace, page)}
    if relevant is None:
        session.skipped.add(url)
    else:
        session.workspace.keep([page])
        session.workspace.label({url: relevant})
    session.queue.remove(page)
    session.answered = [*session.answered, Answered(page, relevant)][-MOST_UNDONE:]
    return Notice(LABELLED[answer], values if relevant is not None else {})


def _score(workspace: Workspace, page: PageText) -> str:
    model = workspace.model()
    return f"{workspace.judge(page, model).relevance:.2f}" if model else "–"


def _unlabel(session: TopicSession) -> Notice:
    if not session.answered:
        return Notice(NOTHING_TO_TAKE_BACK, failed=True)
    last = session.answered.pop()
    session.skipped.discard(last.page.url)
    if last.relevant is not None:
        session.workspace.label({last.page.url: None})
    session.queue.insert(0, last.page)
    return Notice(TAKEN_BACK)


# Training ---------------------------------------------------------------------------------------------------------------


def teach(training: Training, session: TopicSession, given: Mapping[str, str]) -> Notice:
    """Train the topic on its labels, and test it before and after on labels that are held out. Raises BadInput."""
    workspace = session.workspace
    _get_texts(training, session, workspace.without_text())
    training.refresh(session)
    before: Assessment | None = None
    after: Assessment | None = None
    notice = Notice(UNTESTED)
    try:
        before, after = before_and_after(workspace)
        notice = Notice(TRAINED, {"n": len(workspace.labels)})
    except BadInput:
        if workspace.model() is None:
            raise
    was = session.at_hand.before_training(workspace)
    train(workspace)
    changes = compared(was, session.at_hand.trained(workspace))
    return Notice(
        notice.text, notice.values, details=TopicDetails(changes, before=before, after=after, notes=tuple(session.notes))
    )


def rescore(training: Training, session: TopicSession, given: Mapping[str, str]) -> Notice:
    """Give a crawl the trained topic, and score its waiting URLs again. Raises BadInput."""
    if given["crawl"] not in training.crawls_of(session.workspace.paths):
        raise BadInput("that crawl was not started with this topic")
    done = session.rescoring = rescore_crawl(training.stores.named(given["crawl"]), training.options)
    return Notice(RESCORED, {"moved": f"{done.moved:,}", "waiting": f"{done.waiting:,}"})


@dataclass(frozen=True, slots=True)
class TopicChange:
    """A change that a form asks for: `run` gets the values of `fields`; then the browser is sent to the page `back`."""

    run: Callable[[Training, TopicSession, Mapping[str, str]], Notice]
    fields: tuple[str, ...] = field(default=())
    back: str = ""


CHANGES: dict[str, TopicChange] = {
    "weigh": TopicChange(weigh, ("word", "click")),
    "add-words": TopicChange(add_words, ("words", "side")),
    "begin-at": TopicChange(begin_at, ("seeds",)),
    "search": TopicChange(search, ("source", "queries", "pages"), "find"),
    "answer": TopicChange(answer_found, ("pick", "reject"), "find"),
    "choose": TopicChange(choose_crawl, ("crawl",), "find"),
    "label": TopicChange(label, ("answer", "url"), "label"),
    "teach": TopicChange(teach, (), "train"),
    "rescore": TopicChange(rescore, ("crawl",), "train"),
}
"""Changes by the last part of the URL's path."""
