"""Processes stay small. Looked at in others than this one, whose heap and modules are as other tests left them."""

import platform
import subprocess
import sys

import pytest

GLIBC = platform.libc_ver()[0] == "glibc"
PROGRAM = """
import ctypes
from pathlib import Path
from focuscrawl.process_memory import give_back, one_heap

def megabytes():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4 / 1024

libc = ctypes.CDLL(None)
libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
assert one_heap()
places = [libc.malloc(10_000) for _ in range(5_000)]
for place in places:
    ctypes.memset(ctypes.c_void_p(place), 1, 10_000)
for place in places[:-1]:
    libc.free(place)
before = megabytes()
assert give_back()
print(before - megabytes())
"""


@pytest.mark.system
@pytest.mark.skipif(not GLIBC, reason="only glibc can be asked to")
def test_freed_memory_below_what_is_in_use_goes_back() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert float(done.stdout) > 30


NAMES = """
import importlib, sys
importlib.import_module(sys.argv[1])
print(*sys.modules)
"""


@pytest.mark.system
@pytest.mark.parametrize(
    ("module", "others"),
    [
        ("focuscrawl.crawl.process", {"sqlalchemy", "tantivy", "tldextract", "requests", "trafilatura"}),
        ("focuscrawl.crawl.reading_apart", {"asyncio", "numpy", "tantivy", "tldextract", "requests", "trafilatura"}),
        ("focuscrawl.reading.page", {"asyncio", "numpy", "tldextract", "requests"}),
    ],
)
def test_a_process_of_a_crawl_begins_without_what_only_others_need(module: str, others: set[str]) -> None:
    done = subprocess.run([sys.executable, "-c", NAMES, module], capture_output=True, text=True, check=True)
    assert not others.intersection(done.stdout.split())
