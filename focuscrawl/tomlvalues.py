"""Checked access to one table of a TOML file: unknown keys and wrong types are refused in one sentence."""

from __future__ import annotations

from collections.abc import Iterable

from focuscrawl.errors import BadInput
from focuscrawl.params import has_control, nearest, shown

_NAMES = {str: "text", bool: "true or false", int: "a number", float: "a number", list: "a list", dict: "a table"}


class Table:
    """`[name]` of `file`; BadInput if it is no table or has keys that are not in `known`."""

    def __init__(self, file: str, name: str, data: object, known: Iterable[str]) -> None:
        self._where = f"{file}, [{name}]"
        known = tuple(known)
        if not isinstance(data, dict):
            raise BadInput(f"{file}: {name} is {_kind(data)}, but a table [{name}] is wanted.")
        for key in data:
            if key not in known:
                raise BadInput(f"{self._where}: there is no key {shown(key)}{nearest(key, known)}")
        self._data: dict[str, object] = data

    def text(self, key: str) -> str | None:
        """One text without surrounding space, None if the key is absent."""
        value = self._data.get(key)
        return None if value is None else self._clean(key, value, "")

    def words(self, key: str) -> tuple[str, ...]:
        """A list of texts, each once, without empty ones; empty if the key is absent."""
        value = self._data.get(key, [])
        if not isinstance(value, list):
            raise self._wrong(key, value, "a list of texts")
        found: dict[str, None] = {}
        for entry in value:
            found[self._clean(key, entry, "an entry ")] = None
        return tuple(text for text in found if text)

    def number(self, key: str) -> float | None:
        """A number, None if the key is absent."""
        value = self._data.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._wrong(key, value, "a number")
        return float(min(max(value, -1e300), 1e300))

    def groups(self, key: str) -> tuple[tuple[str, ...], ...]:
        """A list of lists of two or more texts each; empty if the key is absent."""
        value = self._data.get(key, [])
        if not isinstance(value, list):
            raise self._wrong(key, value, "a list of lists of texts")
        found = []
        for group in value:
            if not isinstance(group, list):
                raise self._wrong(key, group, 'a list of texts such as ["crawler", "spider"]', "an entry ")
            texts = dict.fromkeys(self._clean(key, entry, "an entry ") for entry in group)
            found.append(tuple(text for text in texts if text))
            if len(found[-1]) < 2:
                raise BadInput(f"{self._where} {key}: a group needs two words or more, {shown(', '.join(found[-1]))} is one.")
        return tuple(found)

    def numbers(self, key: str) -> dict[str, float]:
        """A table of numbers by text; empty if the key is absent."""
        value = self._data.get(key, {})
        if not isinstance(value, dict):
            raise self._wrong(key, value, "a table of numbers by word")
        inner = Table(self._where, key, value, value)
        return {self._clean(key, word, "a word "): inner.number(word) or 0.0 for word in value}

    def flag(self, key: str) -> bool:
        """True or false, false if the key is absent."""
        value = self._data.get(key, False)
        if not isinstance(value, bool):
            raise self._wrong(key, value, "true or false")
        return value

    def _clean(self, key: str, value: object, what: str) -> str:
        if not isinstance(value, str):
            raise self._wrong(key, value, "text in quotes", what)
        if has_control(value):
            raise BadInput(f"{self._where} {key}: {what}holds control characters: {shown(value)}.")
        return value.strip()

    def _wrong(self, key: str, value: object, wanted: str, what: str = "") -> BadInput:
        return BadInput(f"{self._where} {key}: {what}is {_kind(value)}, but {wanted} is wanted.")


def _kind(value: object) -> str:
    return _NAMES.get(type(value), "a date or time")
