"""Gives a stored page another verdict than the one that it was stored with: because a topic came later (`later_topics`), its
topic asks for other languages now (`followed_languages`), or a person says so (`labels`)."""

from __future__ import annotations

import orjson

from focuscrawl.items import Verdict
from focuscrawl.store.engines.database import THERE, Database
from focuscrawl.store.frontier.host_rows import HostChanges, HostCounts
from focuscrawl.store.revisits.change_log import JOINED, LEFT, ChangeKind, ObservedChange, log_change

PAGE = f"""select hid, uid, url, relevant, original is null and noindex=0 and status=200 and {THERE} from page
    where page_id=?"""
SET_BEST = "update page set relevance=?, relevant=?, threshold=?, terms=?, similarity=? where page_id=?"


def set_best(db: Database, page_id: int, best: Verdict, run: int, now: float, hosts: HostChanges) -> None:
    """Let this verdict count for the page, and log whether the page joins or leaves the collection by it."""
    hid, uid, url, relevant, collected = db.execute(PAGE, (page_id,)).fetchone()
    terms = orjson.dumps(best.terms).decode()
    db.execute(SET_BEST, (best.relevance, int(best.relevant), best.threshold, terms, best.similarity, page_id))
    if change := int(best.relevant) - relevant:
        hosts.count(hid, HostCounts(relevant=change))
        if collected:
            crossing = JOINED if best.relevant else LEFT
            log_change(db, now, run, (hid, uid, page_id, url), ObservedChange(ChangeKind.CHANGED, detail=crossing))
