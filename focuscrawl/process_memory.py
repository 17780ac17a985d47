"""Keeps a process small: memory that Python has freed goes back to the system, where the C library is glibc.

glibc keeps what is freed for the next request: up to some megabytes at the top of its heap, and without limit below whatever
is still in use there; and it gives each thread a heap of its own. After jieba's dictionary was forgotten 43 MB stayed with a
crawl, and over 600 pages the heaps of four threads grew by 20 MB. Elsewhere nothing is done here.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

ARENA_MAX, MMAP_THRESHOLD = -8, -3
"""`M_ARENA_MAX` and `M_MMAP_THRESHOLD` of malloc.h: how many heaps there may be, and from which size on a block is outside of
them."""
LARGE = 128 << 10
"""Bytes of a large block: the threshold that glibc begins with."""


@cache
def _libc() -> Any:
    """The C library that the interpreter runs on, if it has what is needed."""
    try:
        library = ctypes.CDLL(None)
    except (OSError, TypeError):
        return None
    return library if hasattr(library, "malloc_trim") and hasattr(library, "mallopt") else None


def one_heap() -> bool:
    """Let all threads that begin from now on allocate from one heap; whether that can be done.

    Threads of Python run one at a time, so that they hardly wait for it."""
    library = _libc()
    return bool(library and library.mallopt(ARENA_MAX, 1))


def large_blocks_apart() -> bool:
    """Keep large blocks outside of the heaps, so that each goes back to the system when it is freed; whether that can be done.

    glibc does so by itself, but only until one is freed: from then on blocks of its size are on the heap."""
    library = _libc()
    return bool(library and library.mallopt(MMAP_THRESHOLD, LARGE))


def give_back() -> bool:
    """Give freed memory back to the system; whether there was any. Less than 1 ms in a small process, some in a crawl's."""
    library = _libc()
    return bool(library and library.malloc_trim(0))
