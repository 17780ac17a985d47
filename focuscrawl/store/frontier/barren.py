"""Sets back URLs that wait in parts of the web that proved barren (`focuscrawl.frontier.yields`).

Most of them wait behind everything else from then on, until a link from elsewhere or an operator lifts them. URLs on a mirror,
or in a part whose pages mostly repeat what was seen before, are put aside, like those that an operator removes, because their
text is stored already. They are queued again when their part turns out to bring something new (`let_back`), when a run judges
no parts (`store.frontier.refused_before`), or by `scrapy frontier add`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from focuscrawl.frontier.lanes import LANE, behind, may_go
from focuscrawl.frontier.states import ASIDE, MIRROR, REPEATS, Event, State, advance
from focuscrawl.items import LINK
from focuscrawl.store.engines.database import WAITING_STATES, Database
from focuscrawl.store.frontier.discover import DiscoveredUrl
from focuscrawl.store.frontier.host_rows import HostChanges
from focuscrawl.store.frontier.some_urls import SomeUrls
from focuscrawl.url.key import BEFORE_ALL, UrlId
from focuscrawl.url.normalize import join

Rule = Callable[[str, str], str]
"""Of (a URL, the URL of the page that links to it, empty if none does), the name of the rule that sets the URL back: `mirror`
or `repeats` put it aside, the others let it wait behind everything else (`focuscrawl.frontier.lanes.BEHIND`). Empty: it may be
fetched."""
MOST = 20_000
"""Most waiting URLs of a host that are judged in one operation, the best ones first; 10 µs each. The others are judged when
they are leased."""
MOST_ASIDE, MOST_HOSTS = 20_000, 1_000
"""Most URLs that were put aside, and most hosts of a site, that are judged in one operation."""

Twin = Callable[[str, str], str]
"""Of (a URL on a mirror, the URL of the page that links to it), the same path on the original; empty if that is not
to be fetched."""

WAITING = f"""select u.uid, u.path, u.priority, p.url, u.depth, u.distance, u.parent
    from url u left join page p on p.page_id=u.parent
    where u.hid=? and u.state in {WAITING_STATES} and u.kind={LINK}
    and (u.priority<{LANE} or not exists (select 1 from revisit v where v.hid=u.hid and v.uid=u.uid and v.read_at>0))
    order by u.priority desc limit ?"""
"""In the upper lane only what a recrawl has found: pages that are revisited are not refused."""
BEST = f"""select u.path, p.url, u.kind, u.priority,
    u.priority>={LANE} and exists (select 1 from revisit v where v.hid=u.hid and v.uid=u.uid and v.read_at>0)
    from url u left join page p on p.page_id=u.parent
    where u.hid=? and u.state={State.QUEUED:d} order by u.priority desc limit 1"""
SET_BEHIND = f"update url set priority=? where hid=? and uid=? and state in {WAITING_STATES}"
PUT_ASIDE = f"""update url set state={advance(State.QUEUED, Event.REMOVED):d}, error=?, due_at=0
    where hid=? and uid=? and state in {WAITING_STATES}"""
IS_ASIDE = f"url.state={State.FILTERED:d} and url.error in ('{MIRROR}', '{REPEATS}')"
HOSTS = "select hid, origin from host where site=? and hid>=? order by hid limit ?"
OF_HOST = f"""select url.uid, url.path, url.priority, p.url from url left join page p on p.page_id=url.parent
    where url.hid=? and url.uid>? and {IS_ASIDE} order by url.uid limit ?"""
TAKE_BACK = f"update url set state={advance(State.FILTERED, Event.DUE):d}, error='' where hid=? and uid=? and {IS_ASIDE}"


class LetBack(NamedTuple):
    """What `let_back` did with some of the URLs of a site that were put aside."""

    back: int
    """How many wait again."""
    after: UrlId | None
    """Those up to this one were judged; None: all were."""


@dataclass(slots=True)
class SetBack:
    """How many URLs were set back."""

    behind: int = 0
    """URLs that now wait behind everything else, or farther behind than before."""
    aside: int = 0
    """URLs that were put aside."""
    twins: list[DiscoveredUrl] = field(default_factory=list)
    """For URLs that were put aside because they lie on a mirror: the same paths on its original."""


def set_back(db: Database, hid: int, rule: Rule, now: float, twin: Twin = lambda url, parent: "") -> SetBack:
    """Set back the URLs that wait on this origin and that the rule refuses."""
    done, origin = SetBack(), _origin(db, hid)
    rows = db.execute(WAITING, (hid, MOST)).fetchall() if origin else []
    for uid, path, priority, parent, depth, distance, page_id in sorted(rows):
        url = join(origin, path)
        refused = rule(url, parent or "")
        if refused in ASIDE:
            put_aside = db.execute(PUT_ASIDE, (refused, hid, uid)).rowcount
            done.aside += put_aside
            if put_aside and refused == MIRROR and (same := twin(url, parent or "")):
                done.twins.append(DiscoveredUrl(same, priority, depth, distance, parent=page_id))
        elif refused and (further := behind(priority, refused)) < priority:
            done.behind += db.execute(SET_BEHIND, (further, hid, uid)).rowcount
    if done.behind or done.aside:
        hosts = HostChanges()
        hosts.look_again([hid])
        hosts.write(db, now)
    return done


def let_back(db: Database, site: str, rule: Rule, now: float, after: UrlId = BEFORE_ALL) -> LetBack:
    """Queue URLs again that were put aside as those of a mirror, or because of what their part of the web repeats, on the hosts
    of this site, where the rule does so no more. Some in each call: those after `after`."""
    changes, back = HostChanges(), 0
    hosts = db.execute(HOSTS, (site, after[0], MOST_HOSTS)).fetchall()
    some = SomeUrls(db, OF_HOST, hosts, after, MOST_HOSTS, MOST_ASIDE)
    for hid, origin, rows in some:
        for uid, path, priority, parent in rows:
            refused = rule(join(origin, path), parent or "")
            if refused not in ASIDE and db.execute(TAKE_BACK, (hid, uid)).rowcount:
                back += 1
                if refused:
                    db.execute(SET_BEHIND, (behind(priority, refused), hid, uid))
                changes.look_again([hid])
    changes.write(db, now)
    return LetBack(back, some.after)


def is_wanted(db: Database, hid: int, rule: Rule) -> bool:
    """Whether the best URL that waits on this origin may be fetched: the user gave it, it is revisited, no rule refuses it, or
    it comes up although it waits behind everything else. True if nothing waits there."""
    row = db.execute(BEST, (hid,)).fetchone()
    if row is None:
        return True
    path, parent, kind, priority, is_revisit = row
    if kind != LINK or is_revisit:
        return True
    refused = rule(join(_origin(db, hid), path), parent or "")
    return may_go(priority, refused)


def _origin(db: Database, hid: int) -> str:
    row = db.execute("select origin from host where hid=?", (hid,)).fetchone()
    return str(row[0]) if row else ""
