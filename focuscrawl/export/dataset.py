"""Writes a data set: a folder with Parquet files in `data/` and a card, as the Hugging Face hub and `datasets` load it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from focuscrawl.export.card import Tally
from focuscrawl.export.formats import TableOptions
from focuscrawl.export.parquet import Parquet
from focuscrawl.export.selection import GONE, Selected
from focuscrawl.export.tables import write_table
from focuscrawl.export.targets import Target

SHARD_BYTES = 500_000_000
"""The hub's viewer asks for files of about this size (huggingface.co/docs/hub/datasets-adding)."""
CARD = "README.md"
OURS = re.compile(r"README\.md|data/train-\d{5}\.parquet")
"""Names of the files of a data set."""


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
