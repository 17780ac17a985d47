"""The pages of a crawl, read one by one as they are fetched.

Ordinary pages are read at once. Heavy ones and documents that are not HTML are read by a worker process with limits of CPU time
and memory, so that nothing stalls the event loop. This is a module of its own so that the worker process need not import
asyncio.
"""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager, nullcontext
from time import perf_counter

from focuscrawl.reading.documents.document import BROKEN
from focuscrawl.reading.documents.formats import format_of
from focuscrawl.reading.page import Reading, Stopwatch, decoded_and_weighed, from_plain, read_as_document, read_html
from focuscrawl.reading.worker import USUAL, Job, Limits, WorkerProcess
from focuscrawl.text import language
from focuscrawl.url.hosts import host_name

SMALL_TEXT = 10_000
"""Plain texts up to this many bytes are read at once. That takes 60 ms if every paragraph is one letter."""
Turn = AbstractAsyncContextManager[None]


class PageReader:
    """Reads pages one by one; only heavy ones and documents need the worker process."""

    def __init__(self, worker: WorkerProcess, limits: Limits = USUAL) -> None:
        self._worker = worker
        self._limits = limits
        self._habits = language.Habits()

    async def read(
        self,
        body: bytes,
        content_type: str,
        url: str,
        *,
        apart: bool = False,
        turn: Turn | None = None,
    ) -> Reading:
        """Read the page at the normal URL `url`. Never raises for its contents: see `Reading.error`.

        `apart`: use the worker process even if the page is not heavy. `turn`: entered while the worker process is used."""
        host = host_name(url)
        reading = await self._read(body, content_type, url, self._habits.of(host), apart, turn or nullcontext())
        self._habits.note(host, language.Guess(reading.language, reading.prose))
        return reading

    async def _read(self, body: bytes, content_type: str, url: str, habit: str, apart: bool, turn: Turn) -> Reading:
        watch = Stopwatch()
        arguments = {"content_type": content_type, "url": url, "habit": habit}
        job = Job("focuscrawl.reading.page:read_heavy", body, arguments, self._limits)
        form = format_of(body, content_type, url)
        if form and (form != "text" or len(body) > SMALL_TEXT):
            return await self._read_apart(job, watch, Reading(document=form, error=BROKEN), turn)
        decoded, heavy = decoded_and_weighed(body, content_type, watch)
        if heavy or apart:
            return await self._read_apart(job, watch, Reading(charset=decoded.charset, heavy=True, error="parse"), turn)
        return read_as_document(body, form, content_type, url, watch, habit) if form else read_html(decoded, url, watch, habit)

    async def _read_apart(self, job: Job, watch: Stopwatch, failed: Reading, turn: Turn) -> Reading:
        """Read in the worker process; returns `failed` if that process dies or gives up."""
        start = perf_counter()
        async with turn:
            answer = await self._worker.read(job)
        watch.timings["worker"] = 1000 * (perf_counter() - start)
        reading = failed if answer.error else from_plain(answer.result)
        reading.timings = {**reading.timings, **watch.timings}
        return reading
