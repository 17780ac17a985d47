"""Numbered pages as documents: label, links and text recipe together."""

from __future__ import annotations

from random import Random

from synthweb.document import Document, Label
from synthweb.facts import Facts
from synthweb.faults import fault_of
from synthweb.hosts import LIST_STEP, Host
from synthweb.labels import ADS
from synthweb.linking import Linker
from synthweb.nasty import article_extras, decorate, home_extras, through_redirects
from synthweb.words import vocabulary

ADVERTISED = 0.4


def label_of(facts: Facts, host: Host, number: int) -> Label:
    """The truth about a numbered page."""
    path = facts.path(host, number)
    kind = facts.kind(host, number)
    section = host.position_of(number)[0] if number > len(host.sections) else None
    if section is None and number:
        section = host.sections[number - 1]
    copied = facts.original(host, number) if kind == "article" else None
    original, how = (facts.url(copied[0][0], facts.path(*copied[0])), copied[1]) if copied else ("", "")
    if host.twin != host.index and not copied:
        original, how = facts.url(facts.layout.hosts[host.twin], path), "mirror"
    tag, _ = facts.robots_tag(host, number)
    return Label(
        url=facts.url(host, path),
        kind=kind,
        topic=facts.topic(host, number),
        language=host.role.language,
        charset=host.role.charset,
        duplicate_of=original,
        duplicate=how,
        noindex=tag in ("noindex", "none"),
        nofollow=tag in ("nofollow", "none"),
        allowed=facts.allowed(host, path),
        fault=fault_of(facts.seed, host, path).kind,
        tunnel=section.tunnel if section else 0,
    )


def document_of(facts: Facts, linker: Linker, host: Host, number: int) -> Document:
    """A numbered page."""
    if facts.kind(host, number) == "article":
        return article(facts, linker, host, number)
    return index_page(facts, linker, host, number)


def article(facts: Facts, linker: Linker, host: Host, number: int) -> Document:
    """A content page: text, links in it, neighbors, sidebar."""
    rng = Random(facts.key(host, number, 21))
    section, position = host.position_of(number)
    label = label_of(facts, host, number)
    tag, in_header = facts.robots_tag(host, number)
    list_page = host.number_at(section.index, position - position % LIST_STEP)
    trail = (linker.own(host, 0), linker.own(host, 1 + section.index), linker.own(host, list_page))
    related = through_redirects(host, linker.related(host, number, rng), range(1, host.size), rng)
    language = host.role.language
    date = facts.date(host, number)
    return Document(
        label=label,
        title=facts.title(host.index, number),
        site=facts.site(host),
        date=date,
        recipe=facts.recipe(host, number),
        keywords=vocabulary(label.topic, language).keywords[:4],
        nav=decorate(host, linker.navigation(host, section), rng),
        trail=decorate(host, trail, rng),
        inline=decorate(host, linker.inline(host, label.topic, rng), rng),
        related=decorate(host, related, rng),
        sidebar=decorate(host, (*linker.friends((host, section), label.topic, rng), *article_extras(host, rng)), rng),
        footer=linker.footer(host, number),
        robots="" if in_header else tag,
        robots_header=tag if in_header else "",
        ad=ADS[language][facts.key(host, number, 22) % 3] if shows_ad(facts, host, number, label) else "",
        theme=facts.layout.hosts[host.twin].index % 3,
    )


def shows_ad(facts: Facts, host: Host, number: int, label: Label) -> bool:
    """Copies always carry an advertisement, so that they differ from their originals; a mirror does what its original does."""
    return label.duplicate in ("near", "exact") or facts.share(host, number, 23) < ADVERTISED


def index_page(facts: Facts, linker: Linker, host: Host, number: int) -> Document:
    """Home, section or list page."""
    rng = Random(facts.key(host, number, 21))
    label = label_of(facts, host, number)
    section = None
    if number == 0:
        entries = linker.home_entries(host)
    elif number <= len(host.sections):
        section = host.sections[number - 1]
        entries = linker.section_entries(host, section)
    else:
        section, position = host.position_of(number)
        entries = linker.list_entries(host, section, position)
    return Document(
        label=label,
        title=facts.title(host.index, number),
        site=facts.site(host),
        date=facts.date(host, number),
        recipe=facts.recipe(host, number) if number <= len(host.sections) else None,
        keywords=vocabulary(label.topic, host.role.language).keywords[:3],
        nav=decorate(host, linker.navigation(host, section), rng),
        entries=decorate(host, entries, rng),
        sidebar=() if number else tuple(home_extras(host, rng)),
        footer=linker.footer(host, number),
        theme=facts.layout.hosts[host.twin].index % 3,
    )
