"""What a format is to the rest: something that takes rows one after the other and writes them as a stream."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, BinaryIO, NamedTuple, Protocol

from focuscrawl.export.rows import Row


class RowWriter(Protocol):
    """Writes one file. Whoever made it opens and closes the file itself."""

    def write(self, row: Row) -> None: ...

    def close(self) -> None:
        """Write what the file ends with."""


class TableOptions(NamedTuple):
    """How rows become a file."""

    columns: Sequence[str]
    bom: bool = False
    """Begin with a byte order mark, for Excel."""


OpenWriter = Callable[[BinaryIO, TableOptions], RowWriter]

BOM = b"\xef\xbb\xbf"


def pyarrow() -> tuple[Any, Any]:
    """pyarrow and its Parquet part. Raises BadInput when they are not installed."""
    from focuscrawl.errors import BadInput

    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise BadInput("Parquet needs pyarrow, which is not installed: make setup EXTRAS=parquet") from None
    return pyarrow, pyarrow.parquet
