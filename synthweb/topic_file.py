"""Seeds and TOML topic files for the topics of a synthetic web."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from synthweb.hosts import LIST_STEP
from synthweb.layout import Place
from synthweb.script import to_traditional
from synthweb.web import SyntheticWeb
from synthweb.words import LANGUAGES, vocabulary


def seeds_of(web: SyntheticWeb, topic: str) -> tuple[str, ...]:
    """The first portal's home page and a section page on the topic in each language; else two home pages."""
    hubs = [host for host in web.hosts if host.role.portal][:1]
    urls = [web.facts.url(host, "/") for host in hubs]
    for place in first_places(web, topic):
        urls.append(web.facts.url(place[0], web.facts.path(place[0], 1 + place[1].index)))
    return tuple(urls or (web.facts.url(host, "/") for host in web.hosts[:2]))


def first_places(web: SyntheticWeb, topic: str) -> list[Place]:
    """The first healthy section on the topic in each language."""
    healthy = [[place for place in web.layout.places_of(topic, language) if not place[0].role.faults] for language in LANGUAGES]
    return [places[0] for places in healthy if places]


def examples_of(web: SyntheticWeb, topic: str, count: int) -> tuple[str, ...]:
    """Addresses of articles on the topic, alternating between the languages."""
    found: list[list[str]] = []
    for host, section in first_places(web, topic):
        numbers = (host.number_at(section.index, at) for at in range(host.section_size(section.index)) if at % LIST_STEP)
        labels = (web.label(web.facts.url(host, web.facts.path(host, number))) for number in numbers)
        good = (label.url for label in labels if label.topic == topic and label.allowed and not label.noindex)
        found.append([url for url, _ in zip(good, range(count), strict=False)])
    turns = [url for row in zip(*found, strict=False) for url in row]
    return tuple(turns[:count])


def keywords_of(topic: str) -> tuple[str, ...]:
    """Keywords in English, Chinese and, where they differ, traditional Chinese."""
    words = [word for language in LANGUAGES for word in vocabulary(topic, language).keywords]
    return tuple(dict.fromkeys([*words, *map(to_traditional, vocabulary(topic, "zh").keywords)]))


def topic_file(web: SyntheticWeb, topic: str, examples: int = 0, more_seeds: Sequence[str] = ()) -> str:
    """TOML text: keywords in both languages, seeds (the web's own and more), and `examples` addresses of example pages."""
    lines = [
        "[topic]",
        f"name = {quoted(topic)}",
        f"title = {quoted(' '.join(vocabulary(topic, language).title for language in LANGUAGES))}",
        f"keywords = {array(keywords_of(topic))}",
        'languages = ["zh", "en"]',
    ]
    if examples:
        lines.append(f"examples = {array(examples_of(web, topic, examples))}")
    return "\n".join([*lines, "", "[seeds]", f"urls = {array([*seeds_of(web, topic), *more_seeds])}", ""])


def quoted(text: str) -> str:
    """A TOML basic string."""
    return json.dumps(text, ensure_ascii=False)


def array(texts: Iterable[str]) -> str:
    """A TOML array of strings."""
    return "[" + ", ".join(map(quoted, texts)) + "]"
