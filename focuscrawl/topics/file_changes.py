"""Writes topic files: new ones, and changes to a user's own, which keep their comments and order.

`edited` turns what a user wants of the topic's words into new values of the keys of [topic]; `change` puts them into the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.items import Array, Table
from tomlkit.toml_document import TOMLDocument

from focuscrawl.config.arguments import has_control
from focuscrawl.config.input_file import read_text
from focuscrawl.config.topic_file import TopicDefinition, parse_topic
from focuscrawl.errors import BadInput, quoted
from focuscrawl.text.chinese import simplified
from focuscrawl.text.segment import Segmenter
from focuscrawl.topics.paths import replace_text

Values = Mapping[str, Sequence[Any] | Mapping[str, float]]
"""New values of keys of the table [topic]. An empty value removes the key."""
LONGEST_WORD = 100
"""Most characters of a word or phrase."""


@dataclass(frozen=True, slots=True)
class TermEdits:
    """Changes of a topic's words. If a word is in several fields, the last one, in the order of the fields, holds."""

    remove: Sequence[str] = ()
    """Words to remove from every list; they get weight 0 if the topic's texts would bring them back."""
    keywords: Sequence[str] = ()
    negative: Sequence[str] = ()
    weights: Mapping[str, float] = field(default_factory=dict)
    synonyms: Sequence[tuple[str, ...]] = ()
    """Groups to add. A group that shares a word with a group of the topic joins it."""

    def __bool__(self) -> bool:
        return bool(self.remove or self.keywords or self.negative or self.weights or self.synonyms)


def edited(topic: TopicDefinition, edits: TermEdits) -> Values:
    """New values of the keys of [topic] that change. Raises BadInput for words without a term."""
    _check(edits)
    keywords, negative, weights = list(topic.keywords), list(topic.negative_terms), dict(topic.weights)
    groups = [tuple(word for word in group if not _in(word, edits.remove)) for group in topic.synonyms]
    for word in edits.remove:
        _take(word, keywords, negative, weights)
        weights[word] = 0.0
    for word in edits.keywords:
        _take(word, negative)
        _take(word, weights)
        if not _in(word, keywords):
            keywords.append(word)
    for word in edits.negative:
        _take(word, keywords)
        _take(word, weights)
        if not _in(word, negative):
            negative.append(word)
    for word, weight in edits.weights.items():
        _take(word, weights)
        weights[word] = weight
    groups = _joined([group for group in groups if len(group) > 1], edits.synonyms)
    return {"keywords": keywords, "synonyms": groups, "negative_terms": negative, "weights": weights}


def _check(edits: TermEdits) -> None:
    """Raise BadInput if something in the edits is not a word, a weight or a group."""
    words = list(chain(edits.remove, edits.keywords, edits.negative, edits.weights, *edits.synonyms))
    segmenter = Segmenter(words)
    for word in words:
        if has_control(word) or len(word) > LONGEST_WORD or not segmenter.terms(word):
            raise BadInput(f"{quoted(word)} is not a word; give a word or a short phrase, such as web crawler or 网络爬虫.")
    for word, weight in edits.weights.items():
        if not -1 <= weight <= 1:
            raise BadInput(f"The weight {weight:g} of {quoted(word)} is not between -1 and 1.")
    for group in edits.synonyms:
        if len({_plain(word) for word in group}) < 2:
            raise BadInput(f"{quoted('='.join(group))} names only one word; give word=other, such as 区块链=blockchain.")


def _plain(word: str) -> str:
    """The spelling by which words are compared."""
    return simplified(word.strip().lower())


def _in(word: str, words: Iterable[str]) -> bool:
    return _plain(word) in map(_plain, words)


def _take(word: str, *holders: list[str] | dict[str, float]) -> None:
    """Remove a word, in any spelling that `_plain` makes the same, from these."""
    for holder in holders:
        for other in [other for other in holder if _plain(other) == _plain(word)]:
            if isinstance(holder, dict):
                del holder[other]
            else:
                holder.remove(other)


def _joined(groups: list[tuple[str, ...]], new: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """The groups with new ones, each of which joins the first group that shares a word with it."""
    for group in new:
        found = next((n for n, known in enumerate(groups) if any(_in(word, known) for word in group)), None)
        if found is None:
            groups.append(tuple(dict.fromkeys(group)))
        else:
            groups[found] += tuple(word for word in group if not _in(word, groups[found]))
    return groups


def new_text(name: str, title: str = "", *, seeds: Sequence[str] = (), values: Values = {}) -> str:  # noqa: B006  (only read)
    """The text of a new topic file."""
    document = tomlkit.document()
    document.add(tomlkit.comment("What each key means: seeds/README.md"))
    topic = tomlkit.table()
    topic["name"] = name
    if title:
        topic["title"] = title
    document["topic"] = topic
    _put(topic, values)
    table = tomlkit.table()
    table["urls"] = _array(seeds)
    document["seeds"] = table
    return tomlkit.dumps(document)


def write_topic(path: Path, text: str) -> None:
    """Replace the file by this text if that is a readable topic. If not, raises BadInput and changes nothing."""
    parse_topic(path, text)
    replace_text(path, text)


def change(path: Path, values: Values, seeds: Sequence[str] | None = None) -> None:
    """Set keys of [topic], and the seeds if they are given. If that fails, raises BadInput and changes nothing."""
    text = read_text(path, "The topic file").replace("\r\n", "\n")
    try:
        document = tomlkit.parse(text)
        _put(_table(document, "topic"), values)
        if seeds is not None:
            _table(document, "seeds")["urls"] = _array(seeds)
    except (tomlkit.exceptions.TOMLKitError, TypeError) as error:
        raise BadInput(f"The topic file {quoted(str(path))} is broken TOML: {error}.") from None
    write_topic(path, tomlkit.dumps(document))


def _table(document: TOMLDocument, name: str) -> Table:
    table = document.setdefault(name, tomlkit.table())
    if not isinstance(table, Table):
        raise TypeError(f"{name} is not a table")
    return table


def _put(table: Table, values: Values) -> None:
    """Set keys of a table; an empty value removes its key."""
    for key, value in values.items():
        if not value:
            table.pop(key, None)
        elif isinstance(value, Mapping):
            inner = tomlkit.table()
            for word, number in value.items():
                inner[word] = number
            inner.add(tomlkit.nl())
            table[key] = inner
        else:
            table[key] = _array(value)


def _array(values: Iterable[Any]) -> Array:
    """A TOML array: in one line if it is short, with one entry per line if it is long."""
    array = tomlkit.array()
    for value in values:
        array.append(list(value) if isinstance(value, tuple) else value)
    array.multiline(len(array) > 1 and len(array.as_string()) > 100)
    return array
