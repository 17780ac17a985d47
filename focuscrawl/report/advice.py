"""Advises whether a crawl is worth continuing: what the next hundred pages should bring, how much is left, and what would help.
The advice comes as sentences, as a line for the live table, and as plain values.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Literal

from focuscrawl.config.arguments import list_of
from focuscrawl.config.job import entries_of, topic_files
from focuscrawl.errors import in_shell
from focuscrawl.frontier.forecast import HUNDRED, LEAST, MOST_WAITING, Estimate, Forecast, forecast
from focuscrawl.report.plain import count, one_line, plural
from focuscrawl.store.engines.database import Database
from focuscrawl.store.outlook import Missed, behind_irrelevant, harvest_so_far, main_language, missed
from focuscrawl.store.workers.runs import job_keywords, job_name, last_crawl_arguments, last_reason
from focuscrawl.text.language_labels import named
from focuscrawl.text.segment import has_han
from focuscrawl.url.readable import readable_host

Word = Literal["early", "nothing", "exhausted", "stop", "thin", "drifted", "go on"]
STOP_BELOW = 2.0
"""If fewer relevant pages than this are expected of the next hundred, the advice is to stop: on recorded webs none came then in
nine of ten cases."""
THIN_BELOW = 12.0
"""If fewer are expected, the topic is running out."""
ENOUGH = 50
"""After this many pages without a relevant one, their language is compared with that of the keywords …"""
NEARLY_ALL = 0.8
"""… if at least this share of them is in one."""
WITH_HAN = ("zh", "ja")
"""Languages written with Chinese letters."""
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa]")
"""Matches the other letters of Japanese, in which many of its words are written alone."""
LONG = 100
"""After this many pages without a find, the advice mentions it."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What the advice on a crawl is based on."""

    pages: int
    relevant: int
    since: int
    """Number of pages stored since the last relevant one that is not a duplicate."""
    waits: bool
    """Whether anything is left to fetch."""
    more: bool
    """Whether more URLs wait than `forecast.left` covers."""
    forecast: Forecast | None = None
    """None before LEAST pages."""
    behind: int = 0
    """Number of relevant pages that were found by links of irrelevant ones."""
    missed: tuple[Missed, ...] = ()
    language: str = ""
    """The language of the pages if nothing was found and the keywords are in another; else empty."""
    terms: tuple[str, ...] = ()
    """Words of the best pages that the topic does not have."""
    add: str = ""
    """The command, or the argument of the crawl, that adds these words."""
    drifted: bool = False
    """Whether the last run ended because the crawl drifted away, so that what is expected may not be of the topic."""

    @property
    def word(self) -> Word:
        """The advice."""
        if not self.waits and self.pages:
            return "exhausted"
        if self.forecast is None:
            return "early"
        if not self.relevant:
            return "nothing"
        expected = self.forecast.next_hundred.middle
        if self.drifted and expected >= STOP_BELOW:
            return "drifted"
        return "stop" if expected < STOP_BELOW else "thin" if expected < THIN_BELOW else "go on"

    @property
    def nothing_from(self) -> int:
        """Number of the page since which nothing was found; 0 if that is not long ago."""
        return self.pages - self.since + 1 if self.relevant and self.since >= LONG else 0


def advise(db: Database) -> Advice:
    """The advice by the last fetches and the best waiting URLs, cheap enough for the live table."""
    so_far = harvest_so_far(db)
    return Advice(
        so_far.pages,
        so_far.relevant,
        so_far.since,
        bool(so_far.best) or so_far.later,
        len(so_far.best) >= MOST_WAITING,
        forecast(so_far.last, so_far.best),
    )


def advise_at_length(db: Database, most_per_host: int | None = None, terms: Sequence[str] = ()) -> Advice:
    """The advice with what would help.

    Args:
        db: the crawl's store.
        most_per_host: the crawl's `max_pages_per_host`.
        terms: words of the best pages that the topic does not have, see `focuscrawl.inspect.missing_terms`.
    """
    add = adding(last_crawl_arguments(db), job_name(db), [one_line(term, 24) for term in terms]) if terms else ""
    advice = advise(db)
    return replace(
        advice,
        language=_other_language(db, advice),
        drifted=last_reason(db) == "drift",
        behind=behind_irrelevant(db),
        missed=tuple(missed(db, most_per_host)),
        terms=tuple(terms),
        add=add,
    )


def _other_language(db: Database, advice: Advice) -> str:
    """`Advice.language`. Told by Chinese and Japanese letters, which keywords and pages both have, or neither."""
    if advice.relevant or advice.pages < ENOUGH:
        return ""
    language, share = main_language(db)
    have_letters = {has_han(word) or bool(_KANA.search(word)) for word in job_keywords(db)}
    return language if share >= NEARLY_ALL and have_letters == {language not in WITH_HAN} else ""


def adding(arguments: Mapping[str, object], name: str, terms: Sequence[str]) -> str:
    """How to add these words to the topic of a crawl with these arguments: by a command that changes its topic file, or by an
    argument in place of the crawl's own. If the crawl has seeds alone: by a command that makes a topic `name` of
    both."""
    seeds, given = str(arguments.get("seeds", "")), arguments.get("keywords")
    keywords = [str(word) for word in given] if isinstance(given, list) else []
    if keywords or arguments.get("examples"):
        return f"-a keywords={in_shell(list_of([*keywords, *terms]))}"
    words = in_shell(list_of(terms))
    if files := topic_files(seeds):
        return f"scrapy topic terms {in_shell(str(files[0]))} --keyword {words}"
    return f"scrapy topic new {in_shell(name)} --keywords {words} --pages {in_shell(list_of(entries_of(seeds)))}"


# In words -------------------------------------------------------------------------------------------------------------------


def line(advice: Advice) -> str:
    """The advice as one short line for the live table; empty while it is too early to tell."""
    if advice.word in ("early", "exhausted") or advice.forecast is None:
        return ""
    if advice.word == "nothing":
        return f"nothing relevant in {plural(advice.pages, 'page')}: other seeds or words may help"
    barren = f"nothing new from page {count(advice.nothing_from)} on" if advice.nothing_from else ""
    if advice.word == "stop":
        return f"{barren + ', ' if barren else ''}hardly anything expected: time to stop"
    if advice.word == "drifted":
        return "drifted away from its topic: look at the pages stored last"
    soon = f"next {HUNDRED} pages: {span(advice.forecast.next_hundred)} relevant"
    return f"{barren}; {soon}" if barren else f"{soon}; {left(advice)} left"


def sentences(advice: Advice) -> list[str]:
    """The advice as sentences, the most important first."""
    return [*whether(advice), *helps(advice)]


def whether(advice: Advice) -> list[str]:
    """Sentences on whether to go on or stop, and what this estimate leaves out."""
    return [text for text in (_whether(advice), _tunnels(advice)) if text]


def _whether(advice: Advice) -> str:
    ahead = advice.forecast
    if advice.word == "exhausted":
        return "Nothing is left to fetch: to find more of the topic, add seeds, words or examples."
    if ahead is None:
        return f"Too early to tell what is left: that takes {LEAST} pages which links have led to."
    if advice.word == "nothing":
        return (
            f"None of {plural(advice.pages, 'page')} is relevant: seeds nearer to the topic, more words or examples would help"
            " (`scrapy topic show --crawl NAME` shows the topic's words)."
        )
    barren = f"nothing new was found from page {count(advice.nothing_from)} on" if advice.nothing_from else ""
    if advice.word == "stop":
        return f"Stop: {barren + ', and ' if barren else ''}hardly any of the next {HUNDRED} pages is expected to be relevant."
    if advice.word == "drifted":
        return (
            "Before it goes on, look at the pages stored last: they are not like the first ones, so that what the crawl takes"
            " for relevant may be something else; more keywords or labels (`scrapy topic label`) set it right."
        )
    soon = ahead.next_hundred
    barren = f"{barren}; " if barren else ""
    if advice.word == "thin":
        return (
            f"The topic is running out: {barren}of the next {HUNDRED} pages {span(soon)} should be relevant, seldom more;"
            f" {left(advice)} relevant pages are left."
        )
    cost = price(soon)
    about = f", about one in {cost}" if cost != "1" else ""
    return (
        f"Go on: {barren}of the next {HUNDRED} pages {span(soon)} should be relevant{about};"
        f" {left(advice)} relevant pages are left."
    )


def _tunnels(advice: Advice) -> str:
    """A sentence on relevant pages behind irrelevant ones, which no estimate sees; empty if there is nothing to say."""
    cut = any(missed.rule == "tunnel" for missed in advice.missed)
    if not advice.behind or not (advice.word in ("stop", "thin") or (advice.word == "exhausted" and cut)):
        return ""
    lay = "lay" if advice.behind > 1 else "was"
    behind = f"{plural(advice.behind, 'relevant page')} {lay} behind irrelevant ones"
    return f"{behind}; there may be more of them, which no estimate counts."


def helps(advice: Advice) -> list[str]:
    """Sentences on what a person can change: rules, seeds, words."""
    lines = [_of(missed) for missed in advice.missed]
    if advice.language:
        language = f"The pages are in {named(advice.language)}, but the keywords are not"
        lines.insert(0, f"{language}: add keywords in the language of the pages, or seeds in that of the keywords.")
    if advice.terms:
        words = ", ".join(one_line(term, 24) for term in advice.terms)
        lines.append(f"Words of the best pages that the topic does not have: {words}.")
    if advice.add:
        lines.append(f"Add those that fit: `{advice.add}`.")
    return lines


MISSED_BY = {
    "robots": "robots.txt forbids {urls} that relevant pages link to; its owner may allow them",
    "max_pages_per_host": "{urls} left behind by max_pages_per_host",
    "tunnel": "{urls} not followed, behind irrelevant pages; LINKSCORE_TUNNEL_DEPTH or seeds there reach them",
    "depth": "{urls} that relevant pages link to lie deeper than max_depth",
    "empty": "its pages say hardly anything and link nowhere; if scripts make them, that takes a crawler with a browser",
}
"""By rule, what it keeps a crawl from; any other rule is one of the scope."""


def _of(missed: Missed) -> str:
    host, urls = readable_host(one_line(missed.host, 60)) or "a host", plural(missed.urls, "URL")
    share = f"{count(missed.relevant)} of its {plural(missed.pages, 'page')} {'is' if missed.relevant == 1 else 'are'} relevant"
    known = f" ({share})" if missed.pages else ""
    sentence = MISSED_BY.get(missed.rule, "relevant pages link to {urls} there that the scope keeps out")
    return f"{host}{known}: {sentence.format(urls=urls)}."


def span(estimate: Estimate) -> str:
    """The range of an estimate, rounded by how roughly it is known: `20 to 60`, `up to 20`."""
    low, high = rough(estimate.low), rough(estimate.high)
    if low == high:
        return count(high)
    return f"{count(low)} to {count(high)}" if low else f"up to {count(high)}"


def left(advice: Advice) -> str:
    """How many relevant pages are left: the range of the estimate, with `or more` if it does not cover all that waits."""
    assert advice.forecast is not None
    return f"{span(advice.forecast.left)}{' or more' if advice.more else ''}"


def price(estimate: Estimate) -> str:
    """How many pages one relevant page will cost."""
    return count(max(1, round(HUNDRED / max(estimate.middle, 1))))


def rough(number: float) -> int:
    """An estimate rounded: exact below twenty, then in steps of five, of ten and of a hundred."""
    step = 1 if number < 20 else 5 if number < 100 else 10 if number < 500 else 100
    return step * round(number / step)


def plain(advice: Advice) -> dict[str, object]:
    """The advice as plain values, for programs."""
    return {**asdict(advice), "advice": advice.word, "in_words": sentences(advice)}
