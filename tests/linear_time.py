"""What a long or hostile text must not do: cost more than its size.

The sizes that tests give are such that linear work takes a second at most, and quadratic work half a minute or hours. The bound
lies between, and so far from both that a machine with much else to do does not reach it: there, the same work took almost three
times as much of the processor.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import thread_time

MOST_SECONDS = 10.0
"""Of the processor, by this thread."""


@contextmanager
def linear() -> Iterator[None]:
    start = thread_time()
    yield
    assert thread_time() - start < MOST_SECONDS
