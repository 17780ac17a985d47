"""Processes stay small. Looked at in others than this one, whose heap and modules are as other tests left them."""

import os
import platform
import subprocess
import sys
from pathlib import Path

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


LARGE_BLOCKS = """
import ctypes, sys
from pathlib import Path
from focuscrawl.process_memory import large_blocks_apart

def megabytes():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4 / 1024

libc = ctypes.CDLL(None)
libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
libc.free(libc.malloc(2 << 20))  # from here on glibc has blocks of this size on the heap
if sys.argv[1] == "apart":
    assert large_blocks_apart()
before = megabytes()
blocks = [libc.malloc(1 << 20) for _ in range(40)]
for block in blocks:
    ctypes.memset(ctypes.c_void_p(block), 1, 1 << 20)
above = libc.malloc(200_000 if sys.argv[1] == "heap" else 1_000)  # holds what lies below it
for block in blocks:
    libc.free(block)
print(megabytes() - before)
"""


@pytest.mark.system
@pytest.mark.skipif(not GLIBC, reason="only glibc can be asked to")
def test_large_blocks_go_back_when_they_are_freed() -> None:
    left = {}
    for how in ("apart", "heap"):
        done = subprocess.run([sys.executable, "-c", LARGE_BLOCKS, how], capture_output=True, text=True, check=True)
        left[how] = float(done.stdout)
    assert left["apart"] < 5
    assert left["heap"] > 30


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
        ("focuscrawl.crawl.beside.reading_apart", {"asyncio", "numpy", "tantivy", "tldextract", "requests", "trafilatura"}),
        ("focuscrawl.crawl.relevance.topic_apart", {"asyncio", "numpy", "pydantic", "scrapy", "tldextract", "requests"}),
        ("focuscrawl.reading.page", {"asyncio", "numpy", "tldextract", "requests"}),
    ],
)
def test_a_process_of_a_crawl_begins_without_what_only_others_need(module: str, others: set[str]) -> None:
    done = subprocess.run([sys.executable, "-c", NAMES, module], capture_output=True, text=True, check=True)
    assert not others.intersection(done.stdout.split())


FITTED = """
import sys
from pathlib import Path
from models.page.page_regression import PageRegression
from models.topic.evidence import Evidence

PageRegression({"sql": 1.0}, Evidence(), [{"sql": 1}, {"flower": 2}], [0.9, 0.1])
sys.exit("numpy.ma" in sys.modules)
"""


@pytest.mark.system
def test_what_a_crawl_teaches_the_page_model_needs_no_masked_arrays() -> None:
    assert subprocess.run([sys.executable, "-c", FITTED], check=False).returncode == 0


@pytest.mark.system
def test_jieba_is_imported_without_pkg_resources(tmp_path: Path) -> None:
    (tmp_path / "pkg_resources.py").write_text("raise RuntimeError('imported')", "utf-8")
    program = "from focuscrawl.text.chinese import jieba_module; print(jieba_module().lcut('望远镜'))"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode, done.stdout) == (0, "['望远镜']\n"), done.stderr
