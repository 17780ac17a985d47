"""Processor time and memory of processes, as Linux tells them."""

from __future__ import annotations

import os
from pathlib import Path


def cpu_of(pids: list[int]) -> float:
    """Seconds of processor that processes and their ended children have had."""
    ticks = 0
    for pid in pids:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
        except OSError:
            continue
        ticks += sum(int(field) for field in fields[11:15])
    return ticks / os.sysconf("SC_CLK_TCK")


def memory_of(pids: list[int]) -> float:
    """Megabytes of memory that processes take; what they share counts once."""
    kilobytes = 0
    for pid in pids:
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii", "replace").splitlines()
        except OSError:
            continue
        kilobytes += next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
    return kilobytes / 1024


def with_children(pid: int) -> list[int]:
    """A process, its children, and theirs."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [pid, *(each for child in children for each in with_children(int(child)))]
