"""The clock of a living web: a file, so that another process can set it while the web is served."""

from __future__ import annotations

from pathlib import Path


class FileClock:
    """Epoch seconds as they stand in a file."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __call__(self) -> float:
        """The time. Raises OSError without the file and ValueError when it holds no number."""
        return float(Path(self.path).read_text(encoding="ascii"))

    def set(self, now: float) -> None:
        """Set it, for all requests from now on."""
        fresh = Path(f"{self.path}.new")
        fresh.write_text(repr(float(now)), encoding="ascii")
        fresh.replace(self.path)
