"""The protocol of formats: a format takes rows one after the other and writes them as a stream."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, BinaryIO, NamedTuple, Protocol

from focuscrawl.export.rows import Row


class RowWriter(Protocol):
    """Writes one file, which its caller opens and closes."""

    def write(self, row: Row) -> None: ...

    def close(self) -> None:
        """Write the end of the file."""


class TableOptions(NamedTuple):
    """How rows become a file."""

    columns: Sequence[str]
    bom: bool = False
    """Whether the file begins with a byte order mark, for Excel."""


OpenWriter = Callable[[BinaryIO, TableOptions], RowWriter]

BOM = b"\xef\xbb\xbf"


def pyarrow() -> tuple[Any, Any]:
    """The modules pyarrow and pyarrow.parquet. Raises BadInput if they are not installed."""
    from focuscrawl.errors import BadInput

    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise BadInput("Parquet needs pyarrow, which is not installed: make setup EXTRAS=parquet") from None
    return pyarrow, pyarrow.parquet
