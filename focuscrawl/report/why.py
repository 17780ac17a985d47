"""Explains why a URL was fetched or not: the facts of `store.explain` in a sentence, then the score as a waterfall."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict

from focuscrawl.frontier.lanes import is_behind, is_lifted
from focuscrawl.frontier.outcome import HOP_FACTOR
from focuscrawl.frontier.states import REMOVED, State
from focuscrawl.items import EXAMPLE, FEED, SEED, SITEMAP, SOFT404_PROBE, Verdict, counted, left_out, only_in_title
from focuscrawl.politeness.robots import RobotsFile
from focuscrawl.politeness.robots_state import RobotsState
from focuscrawl.reading.documents.formats import PACKED
from focuscrawl.recrawl.gone import Gone, state_of
from focuscrawl.report import score_parts
from focuscrawl.report.frontier import score_words
from focuscrawl.report.page_content import content_table
from focuscrawl.report.page_weights import standing_words
from focuscrawl.report.plain import count, duration, moment, one_line, percent, plural
from focuscrawl.report.reasons import cause, other_language_words, rule_words
from focuscrawl.report.revisits.page_freshness import (
    WOKEN,
    freshness_json,
    freshness_parts,
    gone_words,
    kept_words,
)
from focuscrawl.report.score import bar_of, scores_of, waterfall
from focuscrawl.report.table import Column, Table
from focuscrawl.report.translation import ENGLISH, Language
from focuscrawl.store.explain import Explanation, HostFacts, PageFacts, ParentFacts, UrlFacts
from focuscrawl.store.frontier.leasing import ON_HOLD
from focuscrawl.store.frontier.searches import FoundBySearch
from focuscrawl.store.revisits.labels import PersonsLabel
from focuscrawl.text.language_labels import named
from focuscrawl.url.filters import refusing_rule
from focuscrawl.url.groups import domain_of
from focuscrawl.url.readable import readable
from focuscrawl.url.traps import trap_rule

RUN_AGAIN = "run again"
"""Beginning of advice that is left out for pages with a revisit schedule, because they are tried again anyway."""
ANSWERS: dict[State, str] = {
    State.QUEUED: "waiting",
    State.WAIT: "waiting",
    State.LEASED: "waiting",
    State.DONE: "fetched",
    State.NOTMOD: "fetched",
    State.REDIR: "fetched",
    State.DUP: "fetched",
    State.FILTERED: "refused",
    State.DENIED: "refused",
    State.FAILED: "failed",
    State.GONE: "failed",
}


def answer(facts: Explanation) -> str:
    """`fetched`, `waiting`, `refused`, `failed` or `never seen`."""
    if facts.entry:
        return "waiting" if _is_unasked(facts.entry, facts) else ANSWERS[facts.entry.state]
    return "refused" if facts.refusal else "never seen"


NAMED: dict[int, str] = {SEED: "it is a seed", EXAMPLE: "it is an example page of the topic"}
"""Reasons for URLs that a user named."""
FEW = 3
"""A host with fewer pages counts as new, as in `models.order.exploration`."""
NEW_PLACES = ("a new host", "a list, or a part of its host, of which little was known")
KINDS: dict[int, str] = {
    SITEMAP: "It is a sitemap.",
    FEED: "It is a feed.",
    SOFT404_PROBE: "It is a probe: a URL that cannot exist, requested to learn how the host answers for missing pages.",
}


def reason(facts: Explanation) -> str:
    """Why the URL is fetched, and why early, in a sentence; empty if it is not fetched, or if no reason was kept."""
    entry = facts.entry
    if entry is None or ANSWERS[entry.state] == "refused":
        return ""
    fetched = {"fetched": "Fetched", "waiting": "To be fetched", "failed": "Requested"}[ANSWERS[entry.state]]
    if entry.kind in NAMED:
        return f"{fetched} first because {NAMED[entry.kind]}."
    last = dict(entry.priority_parts)
    if any(name.rpartition("/")[2] == score_parts.EXPLORATION for name in last):
        return f"{fetched} early on purpose, to get to know {_new_place(facts)}."
    link = facts.parent.link if facts.parent else None
    causes = score_parts.because({**(link.parts if link else {}), **last})
    return f"{fetched} mainly because {causes}." if causes else ""


def _new_place(facts: Explanation) -> str:
    known = facts.host_before if facts.page else facts.host.pages if facts.host else 0
    return NEW_PLACES[known >= FEW]


def sentence(facts: Explanation, now: float, agent: str = "*") -> str:
    """What became of the URL, and why. `agent`: our product token in robots.txt."""
    return f"{_answer(facts, now, agent)} {gone_words(facts.freshness, facts.page)}".rstrip()


def _answer(facts: Explanation, now: float, agent: str) -> str:
    if facts.entry is None:
        return _refused(facts) if facts.refusal else _never(facts, now)
    entry = facts.entry
    if entry.state in (State.DONE, State.DUP, State.NOTMOD):
        return _fetched(facts)
    if entry.state is State.REDIR:
        target = one_line(readable(facts.redirects_to)) or "another URL"
        answered = f"the server answered {entry.status} and sent the crawl to {target}"
        return f"Fetched, and redirected: {answered}{_stays(facts, now)}."
    if entry.state is State.QUEUED:
        return _queued(facts, now)
    if entry.state is State.LEASED:
        since = f" since {moment(facts.leased_at)}" if facts.leased_at else ""
        return f"Waiting for its answer: a worker has held it{since}."
    if entry.state is State.WAIT:
        when = f"at {moment(entry.due_at)} (in {duration(entry.due_at - now)})" if entry.due_at > now else "now"
        tries = f"{plural(entry.tries, 'try', 'tries')} failed"
        return f"Waiting for another try, due {when}: {cause(entry.error).words}; {tries}."
    if entry.state is State.DENIED:
        return "Refused: robots.txt of its host forbids it" + _robots_line(facts, agent) + _stays(facts, now) + "."
    if entry.state is State.FILTERED:
        asked = " after it was requested" if entry.status else ""
        return f"Refused{asked}: {_cause(entry.error, facts)}{_part(facts)}{_stays(facts, now)}."
    return _failed(entry, facts, now)


def _failed(entry: UrlFacts, facts: Explanation, now: float) -> str:
    visit = facts.freshness.revisit if facts.freshness else None
    if visit and entry.state is State.GONE and state_of(visit) is not Gone.LIVE:
        return f"Nothing was found there at {moment(visit.checked_at)}: {_cause(entry.error, facts)}."
    tries = f" after {plural(entry.tries + 1, 'try', 'tries')}" if entry.tries else ""
    counts = entry.state is not State.GONE or visit is None or facts.page is None
    outage = "" if counts else "; this does not count, because most requests to its host failed at that time"
    return f"Failed{tries}: {_cause(entry.error, facts)}{outage}{_stays(facts, now)}."


def _cause(name: str, facts: Explanation) -> str:
    """A cause in words, with what can be done about it. A page with a revisit schedule gets no advice to run again."""
    found = cause(name)
    advice = [each for each in found.advice.split("; ") if each and not (facts.freshness and each.startswith(RUN_AGAIN))]
    return "; ".join([f"{found.words} (`{name}`)", *advice])


def _stays(facts: Explanation, now: float) -> str:
    """What becomes of a stored page, or a sitemap, whose last visit failed."""
    visit = facts.freshness.revisit if facts.freshness else None
    removed = facts.entry and facts.entry.state is State.FILTERED and facts.entry.error == REMOVED
    if visit is None or state_of(visit) >= Gone.GONE:
        return ""
    if removed or not visit.due_at:
        again = ""
    elif visit.due_at <= now or visit.asked_for:
        again = "; the next `scrapy recrawl` revisits it"
    else:
        again = f"; the first `scrapy recrawl` after {moment(visit.due_at)} revisits it"
    return kept_words(facts.freshness, facts.page) + again


def _fetched(facts: Explanation) -> str:
    page = facts.page
    if page is None:
        return _fetched_no_page(facts)
    return "; ".join([f"Fetched at {moment(page.fetched_at)}", _judged(facts, page), *_notes(facts, page)]) + "."


def _fetched_no_page(facts: Explanation) -> str:
    if facts.entry is None or not _is_source(facts.entry):
        return "Fetched, but its page is no longer in the store."
    at = _looked_at(facts)
    return f"Fetched at {moment(at)}; it is not a page." if at else "Not fetched yet: `scrapy recrawl` will fetch it."


def _judged(facts: Explanation, page: PageFacts) -> str:
    """What made the page relevant or not."""
    if label := _deciding(facts, page):
        return _labelled(label)
    if page.example:
        return "an example page of the topic, so it is relevant by definition"
    if other := _other_language(facts, page):
        return f"{other}: not relevant"
    side = "reaches the threshold" if page.relevance >= page.threshold else "is below the threshold"
    verdict = "relevant" if page.relevant else "not relevant"
    return f"its relevance {page.relevance:.3f} {side} {page.threshold:.3f}: {verdict}"


def _notes(facts: Explanation, page: PageFacts) -> Iterator[str]:
    """What else is to be known of the page, and counts for what follows from it."""
    if words := left_out(page.terms):
        yield f"of {one_line(', '.join(words))}, in the name of its site, only what the page says beyond that counts"
    if page.relevant and only_in_title(page.terms):
        yield "it names the topic in its title alone, so it counts less in the order `learned`"
    if page.duplicate_of:
        yield f"its text repeats {one_line(page.duplicate_of)} ({percent(page.similarity)} alike)"
    if page.certificate and page.certificate != "valid":
        yield f"the certificate of its host is not good ({page.certificate.replace(',', ', ')})"
    if page.noindex:
        yield "it asks not to be indexed, so it is not exported"
    if facts.entry and facts.entry.state is State.NOTMOD:
        yield "when it was revisited, it had not changed"


def _other_language(facts: Explanation, page: PageFacts) -> str:
    """That no topic asks for the language of an irrelevant page; else empty."""
    others = facts.other_languages
    if page.relevant or not others or not others.keys() >= facts.verdicts.keys():
        return ""
    return other_language_words(page.language, others.values())


def _deciding(facts: Explanation, page: PageFacts) -> PersonsLabel | None:
    """The label that made the page relevant or not: that of the crawl's only topic, or of several topics one that turned the
    verdict of its topic, where the page is what its relevance alone would not make it."""
    if "" in facts.labels or page.relevant == (page.relevance >= page.threshold):
        return facts.labels.get("")
    for topic, label in facts.labels.items():
        verdict = facts.verdicts.get(topic)
        turned = verdict is not None and label.relevant != (verdict.relevance >= verdict.threshold)
        if turned and label.relevant == page.relevant:
            return label
    return None


def _labelled(label: PersonsLabel) -> str:
    what = f"a page that says the same, {one_line(label.of)}," if label.of else "it"
    return f"a person labelled {what} {'yes, so it is relevant' if label.relevant else 'no, so it is not relevant'}"


def _is_source(entry: UrlFacts) -> bool:
    """Whether it is a source (sitemap, feed) or a probe, not a page."""
    return entry.kind in (SITEMAP, FEED, SOFT404_PROBE)


def _is_unasked(entry: UrlFacts, facts: Explanation) -> bool:
    """Whether it is a sitemap, feed or probe that was not requested yet."""
    return entry.state is State.DONE and _is_source(entry) and not _looked_at(facts)


def _looked_at(facts: Explanation) -> float:
    return facts.freshness.revisit.checked_at if facts.freshness else 0.0


def _queued(facts: Explanation, now: float) -> str:
    place, host = facts.place, facts.host
    assert place is not None
    again = " for a revisit" if facts.page else ""
    text = (
        f"Waiting{again}: rank {count(place.rank)} of {count(place.of)} in the frontier,"
        f" {count(place.host_rank)} of {count(place.host_of)} on its host"
    )
    text += f"; {_next_time(host, now)}" if host else ""
    if facts.entry and is_behind(facts.entry.priority):
        text += f". Everything else comes first: {rule_words('yield')}{_part(facts)}"
    robots = facts.robots
    if robots and robots.state == "wait":
        got = f"its server answered {robots.status}" if robots.status else cause(robots.error or "unreachable").words
        text += f". Nothing of the host may be fetched until its robots.txt can be read ({got})"
    return text + "."


def _next_time(host: HostFacts, now: float) -> str:
    if host.held:
        return "an operator holds its host (`scrapy frontier release` ends that)"
    if host.ready_at > now + ON_HOLD:
        return "its host is busy with another request"
    if host.ready_at > now:
        return f"its host may be asked again at {moment(host.ready_at)} (in {duration(host.ready_at - now)})"
    return "its host may be asked now"


def _refused(facts: Explanation) -> str:
    refusal = facts.refusal
    assert refusal is not None
    where = f"; {one_line(readable(refusal.parent.url))} links there" if refusal.parent else ""
    return f"Refused by the rule `{refusal.rule}`: {rule_words(refusal.rule)}{_part(facts)}{where}."


def _part(facts: Explanation) -> str:
    """The part of the web because of which it was refused or waits behind everything else, if it is still known."""
    return f" ({one_line(facts.part)})" if facts.part else ""


def _never(facts: Explanation, now: float) -> str:
    host = facts.host
    if host:
        known = f"Its host is known ({plural(host.pages, 'page')} stored, {count(host.relevant)} relevant)"
    else:
        known = "Its host is not known either"
    text = f"Never seen: no page that this crawl has read links to it. {known}."
    if facts.near:
        text += f" Known, however: {', '.join(map(one_line, facts.near))}."
    if rule := refusing_rule(facts.url, PACKED) or trap_rule(facts.url, now):
        text += f" A link to it would be refused by the rule `{rule}`: {rule_words(rule)}."
    return text


def _robots_line(facts: Explanation, agent: str) -> str:
    robots = facts.robots
    if robots is None or robots.state == "allow":
        return ""
    if robots.state != "rules":
        return f" (its robots.txt answered with status {robots.status})"
    line = RobotsFile.parse(robots.body).rule(facts.url, agent)
    if not line:
        return " (its present rules would allow it)"
    number = _number_of(line, robots)
    return f", by {f'line {number}, ' if number else ''}`{one_line(line)}`"


def _number_of(rule: str, robots: RobotsState) -> int:
    """Number of the line that says `rule`; 0 if several lines do, or none literally."""
    wanted = "".join(rule.split()).lower()
    lines = robots.body.decode("utf-8", "replace").lstrip("\ufeff").splitlines()
    found = [n for n, line in enumerate(lines, 1) if "".join(line.partition("#")[0].split()).lower() == wanted]
    return found[0] if len(found) == 1 else 0


def details(facts: Explanation, now: float, policy: str = "optimal", _: Language = ENGLISH) -> list[str | Table]:
    """Where the URL came from, its score as a waterfall, and what the store has about it. `policy`: the setting
    RECRAWL_POLICY; `_`: the language of what has text of pages in it; `report.table.said` says the rest in it."""
    parts: list[str | Table] = []
    parent = facts.found_on
    if facts.entry and facts.entry.kind in KINDS:
        parts.append(KINDS[facts.entry.kind])
    if parent:
        parts.append(_found_on(parent, facts, _))
    if facts.announced_by:
        sources = _(" or ").join(map(one_line, facts.announced_by))
        parts.append(_("Announced by a sitemap or feed of its host: {sources}.", sources=sources))
    if facts.search:
        parts.append(_found_by(facts.search, _))
    parts += [waterfall(score.parts, score.score, score.title, score.total, _) for score in scores_of(facts)]
    if facts.verdicts:
        spoken = facts.page.language if facts.page else ""
        parts.append(verdicts_table(facts.verdicts, facts.labels, dict.fromkeys(facts.other_languages, spoken)))
    if facts.page and (terms := counted(facts.page.terms)):
        rows = [(term, f"{share:.3f}", bar_of(share, terms[0][1])) for term, share in terms[:10]]
        columns = [Column("term", width=30), Column("share", True), Column("", bar=True)]
        parts.append(Table(columns, rows, "Terms that counted"))
    if facts.page and facts.content:
        parts.append(content_table(facts.content, facts.page.url, _))
    parts += freshness_parts(facts.freshness, facts.entry, now, policy)
    if table := _facts_table(facts, now, _):
        parts.append(table)
    return parts


def _found_on(parent: ParentFacts, facts: Explanation, _: Language) -> str:
    mark, link = _("relevant" if parent.relevant else "not relevant"), parent.link
    page = one_line(readable(parent.url))
    text = _("Found on {page} ({mark}, {relevance})", page=page, mark=mark, relevance=f"{parent.relevance:.3f}")
    if link is None:
        return text + (_(", by a redirect") if facts.entry and facts.entry.hops else "") + _(".")
    anchor, context = one_line(link.anchor, 80), one_line(link.context, 160)
    text += _(", anchor “{anchor}”", anchor=anchor) if anchor else _(", without anchor text")
    text += _(", in “{context}”", context=context) if context and context != one_line(link.anchor, 160) else ""
    if link.url == facts.url:
        return text + _(".")
    text += _(". That link leads to {url}, which redirected here", url=one_line(readable(link.url)))
    if domain_of(link.url) == domain_of(facts.url):
        return text + _(".")
    return text + _(", to another site: of the first score {share} count", share=percent(HOP_FACTOR)) + _(".")


def _found_by(search: FoundBySearch, _: Language) -> str:
    text = _("Found by a search of the web for “{words}”", words=one_line(search.query, 80))
    return text + (_(", as “{title}”", title=one_line(search.title, 80)) if search.title.strip() else "") + _(".")


def verdicts_table(
    verdicts: Mapping[str, Verdict], labels: Mapping[str, PersonsLabel], other_languages: Mapping[str, str] = {}
) -> Table:
    """A table of the verdicts on a page by the topics of the crawl. `labels`: what a person says of it; `other_languages`: its
    language, by those of the topics that do not ask for it."""
    rows = [
        (
            name, f"{found.relevance:.3f}", f"{found.threshold:.3f}",
            _word(found, name in labels, other_languages.get(name, "")),
            ", ".join(term for term, _ in counted(found.terms)[:5]),
        )
        for name, found in verdicts.items()
    ]  # fmt: skip
    columns = [
        Column("topic", width=30, names=True),
        Column("score", True),
        Column("threshold", True),
        Column("verdict", ours=True),
    ]
    return Table([*columns, Column("terms that counted", width=60)], rows, "For each topic")


def _word(verdict: Verdict, labelled: bool, other_language: str) -> str:
    if labelled:
        return "relevant: labelled" if verdict.relevant else "not relevant: labelled"
    if verdict.relevant:
        return "relevant" if verdict.relevance >= verdict.threshold else "relevant: an example"
    if other_language:
        return f"not relevant: in {named(other_language)}"
    return "outside its scope" if verdict.relevance >= verdict.threshold else "not relevant"


def _facts_table(facts: Explanation, now: float, _: Language) -> Table | None:
    entry, host = facts.entry, facts.host
    rows: list[tuple[str, str]] = []
    if entry:
        rows += [
            ("state", entry.state.name),
            ("priority", score_words(entry.priority, 4) + _(_lane_words(entry))),
            ("clicks from a seed", str(entry.depth)),
            ("irrelevant pages in a row before it", str(entry.distance)),
            ("failed tries", str(entry.tries)),
        ]
        rows += [("last HTTP status", str(entry.status))] if entry.status else []
        rows += [("redirects that led to it", str(entry.hops))] if entry.hops else []
        rows += [("it redirects to", one_line(readable(facts.redirects_to)))] if facts.redirects_to else []
        rows += [("crashes while it was parsed", str(entry.crashes))] if entry.crashes else []
        rows += [("error", entry.error)] if entry.error else []
    if facts.inlinks:
        rows.append(("pages that link to it", f"{count(facts.inlinks)}: {', '.join(map(readable, facts.linked_from))}"))
    if facts.standing:
        rows.append(("page weight", _(standing_words(facts.standing))))
    if facts.entry and facts.refusal:
        rule, parent = facts.refusal.rule, facts.refusal.parent
        where = _("{rule} on {page}", rule=rule, page=readable(parent.url)) if parent else rule
        rows.append(("a link to it was refused", where))
    if facts.page and facts.page.warc:
        place = _("{file} at {offset}", file=facts.page.warc, offset=facts.page.warc_offset)
        rows.append(("archived in", place))
    if host:
        pages = _("{pages}, {n} relevant", pages=_(plural(host.pages, "page")), n=count(host.relevant))
        rows.append(("host", f"{host.origin}: {pages}{_('; ')}{_(_next_time(host, now))}"))
    return Table([Column("", ours=True), Column("", width=120)], rows, "In the store") if rows else None


def _lane_words(entry: UrlFacts) -> str:
    if is_behind(entry.priority):
        return ", behind everything else" if entry.state in WOKEN else ""
    if not is_lifted(entry.priority):
        return ""
    return ", ahead of everything that is not a revisit" if entry.state in WOKEN else ", at its last revisit"


def as_json(facts: Explanation, now: float, crawl: str, agent: str = "*") -> dict[str, object]:
    """The explanation as plain values, for programs: `answer`, `reason`, `sentence` and every fact."""
    values = asdict(facts)
    if facts.entry:
        values["entry"]["state"] = facts.entry.state.name
    if facts.content:
        for name in ("page_id", "text", "outline"):
            del values["content"][name]
    if facts.robots:
        values["robots"]["body"] = facts.robots.body.decode("utf-8", "replace")
    if facts.freshness:
        values["freshness"] = freshness_json(facts.freshness, facts.entry)
    return {"crawl": crawl, "answer": answer(facts), "reason": reason(facts), "sentence": sentence(facts, now, agent), **values}
