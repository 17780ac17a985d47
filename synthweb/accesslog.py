"""The access log: what was asked of which host, when, and how many requests were in flight there."""

from __future__ import annotations

import json
from collections import Counter, deque
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TextIO

KEPT = 200_000


@dataclass(frozen=True, slots=True)
class Access:
    """One request, as it arrived."""

    t: float
    """Seconds on the monotonic clock."""
    host: str
    path: str
    status: int
    """Status of the answer; 0 for none (reset, silence)."""
    ua: str
    address: str
    """Loopback address on which the host was asked."""
    in_flight: int
    """Unanswered requests of this host, this one included."""
    method: str = "GET"
    fault: str = ""


class AccessLog:
    """Keeps the last requests in memory and writes all of them to a file, if one is given, as JSON lines."""

    def __init__(self, path: str = "") -> None:
        self.records: deque[Access] = deque(maxlen=KEPT)
        self.counts: Counter[str] = Counter()
        """Requests by host."""
        self.in_flight: Counter[str] = Counter()
        """Unanswered requests by host."""
        self.file: TextIO | None = None
        if path:
            # Open for the life of the log, which `close` ends; line by line, so that a reader sees whole records.
            self.file = Path(path).open("w", encoding="utf-8", buffering=1)  # noqa: SIM115

    def add(self, access: Access) -> None:
        """Record a request."""
        self.records.append(access)
        self.counts[access.host] += 1
        if self.file:
            self.file.write(json.dumps(asdict(access), ensure_ascii=False) + "\n")

    def close(self) -> None:
        """Close the file."""
        if self.file:
            self.file.close()


def read_log(path: str) -> list[Access]:
    """The records of a log file; a line that is still being written is left out."""
    text = Path(path).read_text(encoding="utf-8")
    return [Access(**json.loads(line)) for line in text.split("\n")[:-1]]
