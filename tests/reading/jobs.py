"""What the worker process is asked to do in the tests."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

from focuscrawl.reading import serving
from tests.patience import PATIENCE

given_back = 0
"""How often freed memory was given back."""


def _count() -> bool:
    global given_back
    given_back += 1
    return True


vars(serving)["give_back"] = _count


def run(body: bytes, task: str = "", text: str = "") -> dict[str, Any]:
    match task:
        case "echo":
            return {"text": text}
        case "spin":
            while True:
                pass
        case "swallow":
            return {"length": len(bytes(1 << 30))}
        case "die":
            os._exit(3)
        case "raise":
            raise ValueError(task)
        case "count":
            return {"given_back": given_back}
        case "leave":
            if pid := os.fork():
                Path(text).write_text(str(pid))
                os._exit(3)
            time.sleep(2 * PATIENCE)
        case "print":
            sys.stdout.write("noise")
            sys.stdout.flush()
    return {"length": len(body), "pid": os.getpid(), "text": "主题\ud800"[:2]}


def other(body: bytes) -> dict[str, Any]:
    return {"length": len(body)}
