"""Measure headline figures and write them into the docs: `make figures`, or `make figures PARTS=demo,harvest`.

Each part says what it measures (`--list`). What the other parts measured before stays in the record, with its own commit and
date. See record.py for how documents quote a figure.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace

from tools.figures.crawls import Skipped
from tools.figures.parts import PARTS
from tools.figures.record import commit, fill, load, machine, measured, save, today


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.figures", description=__doc__)
    parser.add_argument("parts", nargs="?", default="", metavar="PART,PART", help=f"of {', '.join(PARTS)} (default: all)")
    parser.add_argument("--list", action="store_true", help="say what each part measures, and measure nothing")
    parser.add_argument("--fill", action="store_true", help="write the record into the docs, and measure nothing")
    options = parser.parse_args(arguments)
    if options.list:
        for name, part in PARTS.items():
            print(f"{name:<12}{(part.__doc__ or '').splitlines()[0]}")
        return 0
    names = [] if options.fill else [name for name in options.parts.split(",") if name] or list(PARTS)
    if unknown := [name for name in names if name not in PARTS]:
        print(f"there is no part {unknown[0]!r}; there are {', '.join(PARTS)}", file=sys.stderr)
        return 2
    record, at, where, code = load(), commit(), machine(), 0
    for name in names:
        began = time.monotonic()
        print(f"{name}: measuring …", file=sys.stderr, flush=True)
        try:
            found = [replace(figure, commit=at, date=today(), machine=where) for figure in PARTS[name]()]
        except Skipped as why:
            print(f"{name}: skipped: {why}", file=sys.stderr, flush=True)
            continue
        except subprocess.CalledProcessError as error:
            print(f"{name}: failed: {error}\n{str(error.stderr)[-2000:]}", file=sys.stderr, flush=True)
            code = 1
            continue
        record = measured(record, name, found, PARTS)
        save(record)
        for figure in found:
            print(f"{figure.what or figure.key}: {figure.value}", flush=True)
        print(f"{name}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    for path in fill(record):
        print(f"written: {path}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
