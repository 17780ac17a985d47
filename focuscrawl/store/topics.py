"""A crawl of several topics: what each stored page is to each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import orjson

from focuscrawl.errors import BadInput
from focuscrawl.items import Verdict
from focuscrawl.store.database import Database
from focuscrawl.store.meta import set_meta
from focuscrawl.store.overview import term_pairs

TOPICS = "topics"
"""Key in `meta`: names of the topics as a JSON list. Missing in a crawl of one topic."""

UPSERT = """insert into verdict(pid, topic, score, relevant, threshold, terms, cosine) values(?, ?, ?, ?, ?, ?, ?)
    on conflict(pid, topic) do update set score=excluded.score, relevant=excluded.relevant,
    threshold=excluded.threshold, terms=excluded.terms, cosine=excluded.cosine"""
TOTALS = """select count(*), coalesce(sum(v.relevant), 0), coalesce(sum(case when p.original is null then v.relevant end), 0)
    from verdict v join page p on p.pid=v.pid where v.topic=? and p.gone<2"""
SHARED = """select count(*) from (select v.pid from verdict v join page p on p.pid=v.pid where v.relevant=1 and p.gone<2
    group by v.pid having count(*)>1) as found"""


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
        return self.relevant / self.pages if self.pages else 0.0


def topics_of(db: Database) -> tuple[str, ...]:
    """Names of the topics of a crawl of several; empty in a crawl of one."""
    row = db.execute("select v from meta where k=?", (TOPICS,)).fetchone()
    return tuple(map(str, orjson.loads(row[0]))) if row else ()


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


def store_verdicts(db: Database, pid: int, verdicts: Mapping[str, Verdict]) -> None:
    """The page's verdicts by topic, in place of those that it had."""
    rows = [
        (
            pid,
            topic,
            found.score,
            int(found.relevant),
            found.threshold,
            orjson.dumps(found.terms).decode(),
            found.similarity,
        )
        for topic, found in verdicts.items()
    ]
    db.executemany(UPSERT, rows)


def verdicts_of(db: Database, pid: int) -> dict[str, Verdict]:
    """By topic, in the order of the crawl's topics; empty in a crawl of one."""
    names = topics_of(db)
    if not names:
        return {}
    rows = db.execute("select topic, score, relevant, threshold, terms, cosine from verdict where pid=?", (pid,))
    found = {
        topic: Verdict(score, bool(relevant), threshold, term_pairs(terms), cosine)
        for topic, score, relevant, threshold, terms, cosine in rows
    }
    return {name: found[name] for name in names if name in found}


def relevant_topics(db: Database, first: int, last: int) -> dict[int, tuple[tuple[str, float], ...]]:
    """For pages `first` to `last` (pid): the topics that each is relevant to, with its scores, best first."""
    statement = "select pid, topic, score from verdict where pid between ? and ? and relevant=1 order by score desc, topic"
    found: dict[int, tuple[tuple[str, float], ...]] = {}
    for pid, topic, score in db.execute(statement, (first, last)):
        found[pid] = (*found.get(pid, ()), (topic, score))
    return found


def totals_by_topic(db: Database) -> list[TopicRow]:
    """In the order of the crawl's topics; empty in a crawl of one."""
    return [TopicRow(name, *db.execute(TOTALS, (name,)).fetchone()) for name in topics_of(db)]


def shared_pages(db: Database) -> int:
    """Pages that are relevant to more than one topic."""
    return int(db.execute(SHARED).fetchone()[0])
