"""A crawl of several topics: the verdict of each topic on each stored page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import orjson

from focuscrawl.errors import BadInput
from focuscrawl.items import Verdict
from focuscrawl.store.engines.database import THERE, Database
from focuscrawl.store.engines.meta import change_meta, read_meta, set_meta
from focuscrawl.store.engines.records import term_pairs
from focuscrawl.store.workers.runs import conditions_of, harvest_rate, newest_run

TOPICS = "topics"
"""Key in `meta`: names of the topics as a JSON list. Missing in a crawl of one topic."""

JUDGE = "judge"
"""Key in `meta`: the page model of the last run. Missing in crawls of before."""
JUDGED = "topic_judged/"
"""Key in `meta` before a topic's name (empty: the only one): digest of the definition that its stored verdicts follow."""
CALLED = f"select count(*), sum(relevance) from page where relevant=1 and relevance>=threshold and {THERE}"
CALLED_FOR = f"""select count(*), sum(v.relevance) from verdict v join page p on p.page_id=v.page_id
    where v.topic=? and v.relevant=1 and v.relevance>=v.threshold and p.{THERE}"""

UPSERT = """insert into verdict(page_id, topic, relevance, relevant, threshold, terms, similarity) values(?, ?, ?, ?, ?, ?, ?)
    on conflict(page_id, topic) do update set relevance=excluded.relevance, relevant=excluded.relevant,
    threshold=excluded.threshold, terms=excluded.terms, similarity=excluded.similarity"""
TOTALS = f"""select count(*), coalesce(sum(v.relevant), 0), coalesce(sum(case when p.original is null then v.relevant end), 0)
    from verdict v join page p on p.page_id=v.page_id where v.topic=? and p.{THERE}"""
SHARED = f"""select count(*) from (select v.page_id from verdict v join page p on p.page_id=v.page_id where v.relevant=1
    and p.{THERE} group by v.page_id having count(*)>1) as found"""


@dataclass(slots=True, frozen=True)
class TopicRow:
    """One topic's share in a crawl."""

    name: str
    pages: int
    """Judged for it."""
    relevant: int
    distinct: int
    """Relevant pages that repeat no other."""

    @property
    def harvest_rate(self) -> float:
        return harvest_rate(self.relevant, self.pages)


def topics_of(db: Database) -> tuple[str, ...]:
    """Names of the topics of a crawl of several; empty in a crawl of one."""
    return tuple(map(str, orjson.loads(read_meta(db, TOPICS) or "[]")))


def languages_asked(db: Database) -> dict[str, tuple[str, ...]]:
    """The languages that the topics of the run that started last ask for, by topic ("" where there is but one); without the
    topics that take any."""
    kept, names = (conditions_of(db, newest_run(db)) or {}).get("job"), topics_of(db)
    topics = [topic for topic in kept if isinstance(topic, dict)] if isinstance(kept, list) else []
    return {str(topic["topic"]) if names else "": tuple(topic["languages"]) for topic in topics if topic.get("languages")}


def set_topics(db: Database, names: Sequence[str]) -> None:
    """Make this a crawl of these topics; those that it had before stay readable behind them."""
    known = dict.fromkeys((*names, *topics_of(db)))
    set_meta(db, TOPICS, orjson.dumps(list(known)).decode())


def check_topic(db: Database, name: str) -> None:
    """Raises BadInput unless the crawl has several topics and this is one of them."""
    known = topics_of(db)
    if name not in known:
        raise BadInput(
            f"there is no topic {name!r}; the crawl has " + (", ".join(known) if known else "one topic only, leave --topic out")
        )


def chosen_topic(names: Sequence[str], wanted: str) -> str:
    """The topic `wanted`, if it is one of the crawl's; empty in a crawl of one. Raises BadInput if it is missing or unknown."""
    if wanted in names or (not names and not wanted):
        return wanted
    raise BadInput(f"the crawl has several topics; give --topic NAME with one of {', '.join(names)}")


def store_verdicts(db: Database, page_id: int, verdicts: Mapping[str, Verdict]) -> None:
    """Store the page's verdicts by topic, in place of those that it had."""
    rows = [
        (
            page_id,
            topic,
            verdict.relevance,
            int(verdict.relevant),
            verdict.threshold,
            orjson.dumps(verdict.terms).decode(),
            verdict.similarity,
        )
        for topic, verdict in verdicts.items()
    ]
    db.executemany(UPSERT, rows)


def verdicts_of(db: Database, page_id: int) -> dict[str, Verdict]:
    """The verdicts on a page by topic, in the order of the crawl's topics; empty in a crawl of one."""
    names = topics_of(db)
    if not names:
        return {}
    rows = db.execute(
        "select topic, relevance, relevant, threshold, terms, similarity from verdict where page_id=?", (page_id,)
    )
    found = {
        topic: Verdict(relevance, bool(relevant), threshold, term_pairs(terms), similarity)
        for topic, relevance, relevant, threshold, terms, similarity in rows
    }
    return {name: found[name] for name in names if name in found}


def relevant_topics(db: Database, page_ids: Sequence[int]) -> dict[int, tuple[tuple[str, float], ...]]:
    """For these pages: the topics that each is relevant to, with its scores, best first."""
    marks = ",".join("?" * len(page_ids))
    statement = f"""select page_id, topic, relevance from verdict where page_id in ({marks}) and relevant=1
        order by relevance desc, topic"""
    found: dict[int, tuple[tuple[str, float], ...]] = {}
    for page_id, topic, relevance in db.execute(statement, page_ids):
        found[page_id] = (*found.get(page_id, ()), (topic, relevance))
    return found


def totals_by_topic(db: Database) -> list[TopicRow]:
    """In the order of the crawl's topics; empty in a crawl of one."""
    return [TopicRow(name, *db.execute(TOTALS, (name,)).fetchone()) for name in topics_of(db)]


def set_judge(db: Database, model: str) -> str:
    """Note which page model judges the pages from now on; returns the former one if it was another, else an empty text."""
    return change_meta(db, JUDGE, model)


def judge_name(db: Database) -> str:
    """The page model of the last run; empty where that is not known."""
    return read_meta(db, JUDGE) or ""


def called_relevant(db: Database, topic: str = "") -> tuple[int, float]:
    """How many pages the page model has called relevant, and the sum of their relevance. Examples that only their label makes
    relevant do not count. `topic`: one of a crawl of several."""
    pages, total = db.execute(CALLED_FOR, (topic,)).fetchone() if topic else db.execute(CALLED).fetchone()
    return int(pages), float(total or 0.0)


def shared_pages(db: Database) -> int:
    """Pages that are relevant to more than one topic."""
    return int(db.execute(SHARED).fetchone()[0])


def best_of(verdicts: Mapping[str, Verdict]) -> Verdict:
    """The verdict that counts for the page: a relevant one before others, then the one with the largest score.

    `verdicts` must not be empty."""
    return max(verdicts.values(), key=lambda verdict: (verdict.relevant, verdict.relevance))
