"""Writes rows into one file, into several of a given size, or into a data set: a folder with Parquet files in `data/` and a
card, as the Hugging Face hub and `datasets` load it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from types import TracebackType
from typing import BinaryIO

from focuscrawl.export.card import Tally
from focuscrawl.export.formats import OpenWriter, RowWriter, TableOptions
from focuscrawl.export.parquet import Parquet
from focuscrawl.export.rows import stored_row
from focuscrawl.export.selection import GONE, Selected
from focuscrawl.export.targets import Target, compressed

NUMBER = "-{:05}"
_ENDINGS = re.compile(r"(?:\.(?:jsonl|ndjson|json|csv|parquet))?(?:\.gz|\.zst)?\Z", re.IGNORECASE)
SHARD_BYTES = 500_000_000
"""The hub's viewer asks for files of about this size (huggingface.co/docs/hub/datasets-adding)."""
CARD = "README.md"
OURS = re.compile(r"README\.md|data/train-\d{5}\.parquet")
"""Names of the files of a data set."""


def write_table(
    selected: Iterable[Selected], target: Target, name: str, writer: OpenWriter, options: TableOptions, shard_bytes: int = 0
) -> int:
    """Write the rows of pages.

    Args:
        selected: The pages.
        target: The place of the files.
        name: Name of the file; `.gz` and `.zst` compress it.
        writer: Opens a writer of the format.
        options: The columns and how they are written.
        shard_bytes: If above 0, files `NAME-00000.ENDING`, `NAME-00001.ENDING` … are written, a new one after this many bytes.
            Files of a former export with larger numbers are removed.

    Returns:
        The number of rows.
    """
    count, shards = 0, _Shards(target, name, writer, options, shard_bytes)
    with shards:
        for page, change in selected:
            shards.writer().write(stored_row(page, options.columns, change))
            count += 1
        shards.writer()  # an empty export is a file, too
    return count


def shard_name(name: str, number: int) -> str:
    """`pages.jsonl.gz` -> `pages-00003.jsonl.gz`."""
    return stem(name) + NUMBER.format(number) + name[len(stem(name)) :]


def stem(name: str) -> str:
    """`pages.jsonl.gz` -> `pages`."""
    return _ENDINGS.sub("", name)


class _Shards:
    """The files of a table, one open at a time; a context manager that ends the last one."""

    def __init__(self, target: Target, name: str, writer: OpenWriter, options: TableOptions, shard_bytes: int) -> None:
        self._target, self._name, self._open, self._options = target, name, writer, options
        self._shard_bytes = shard_bytes
        self._number = 0
        self._files = ExitStack()
        self._out: BinaryIO | None = None
        self._writer: RowWriter | None = None

    def writer(self) -> RowWriter:
        """The writer of the file for the next row."""
        if self._writer and self._out and self._shard_bytes and self._out.tell() >= self._shard_bytes:
            self._end()
            self._number += 1
        if self._writer is None:
            name = shard_name(self._name, self._number) if self._shard_bytes else self._name
            self._out = self._files.enter_context(self._target.create(name))
            self._writer = self._open(self._files.enter_context(compressed(self._out, name)), self._options)
        return self._writer

    def __enter__(self) -> None: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        if kind is None:
            self._end()
            self._remove_later()
        else:
            with suppress(Exception):  # what pyarrow has not closed now it would close at some later time
                self._writer.close() if self._writer else None
            self._files.__exit__(kind, error, traceback)

    def _end(self) -> None:
        if self._writer:
            self._writer.close()
        self._writer = None
        self._files.close()

    def _remove_later(self) -> None:
        """Remove the files of a former export that had more of them."""
        if not self._shard_bytes:
            return
        numbered = re.escape(shard_name(self._name, 0)).replace("00000", r"(\d{5})")
        for name in self._target.names():
            found = re.fullmatch(numbered, name)
            if found and int(found[1]) > self._number:
                self._target.remove(name)


def write_dataset(
    selected: Iterable[Selected], target: Target, columns: Sequence[str], shard_bytes: int, card: Callable[[Tally], str]
) -> int:
    """Write data and card. `card`: makes the text of the card, after the pages were written. Returns the number of pages."""
    tally = Tally()
    count = write_table(
        _tallied(selected, tally), target, "data/train.parquet", Parquet, TableOptions(columns), shard_bytes or SHARD_BYTES
    )
    with target.create(CARD) as out:
        out.write(card(tally).encode("utf-8", "replace"))
    return count


def _tallied(selected: Iterable[Selected], tally: Tally) -> Iterator[Selected]:
    for each in selected:
        if each.change != GONE:
            tally.add(each.page)
        yield each
