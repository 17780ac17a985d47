"""Writing topic files: new ones, and changes to a user's own that leave his comments and order alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.items import Array, Table
from tomlkit.toml_document import TOMLDocument

from focuscrawl.errors import BadInput
from focuscrawl.inputfile import read_text
from focuscrawl.params import shown
from focuscrawl.topicfile import parse_topic
from focuscrawl.topics.place import replace_text

Values = Mapping[str, Sequence[Any] | Mapping[str, float]]
"""New values of keys of the table [topic]; an empty one takes the key away."""


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
    """Put this text in the file's place if it is a topic that can be read. Raises BadInput, and then nothing is changed."""

    parse_topic(path, text)
    replace_text(path, text)


def change(path: Path, values: Values, seeds: Sequence[str] | None = None) -> None:
    """Set keys of [topic], and the seeds if they are given. Raises BadInput, and then nothing is changed."""

    def edit(document: TOMLDocument) -> None:
        _put(_table(document, "topic"), values)
        if seeds is not None:
            _table(document, "seeds")["urls"] = _array(seeds)

    _change(path, edit)


def _change(path: Path, edit: Callable[[TOMLDocument], None]) -> None:
    text = read_text(path, "The topic file").replace("\r\n", "\n")
    try:
        document = tomlkit.parse(text)
        edit(document)
    except (tomlkit.exceptions.TOMLKitError, TypeError) as error:
        raise BadInput(f"The topic file {shown(str(path))} is broken TOML: {error}.") from None
    write_topic(path, tomlkit.dumps(document))


def _table(document: TOMLDocument, name: str) -> Table:
    table = document.setdefault(name, tomlkit.table())
    if not isinstance(table, Table):
        raise TypeError(f"{name} is no table")
    return table


def _put(table: Table, values: Values) -> None:
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
    """One line for short lists, one entry a line for long ones."""
    array = tomlkit.array()
    for value in values:
        array.append(list(value) if isinstance(value, tuple) else value)
    array.multiline(len(array) > 1 and len(array.as_string()) > 100)
    return array
