"""The network between one crawl process and the database: a TCP proxy on loopback that can be cut, frozen and healed."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
import threading
from collections.abc import Callable
from types import TracebackType

from tests.patience import PATIENCE

RESET = struct.pack("ii", 1, 0)
"""SO_LINGER: closing sends a reset."""
CHUNK = 1 << 16


class Proxy:
    """Context manager: `port` leads to `target` on 127.0.0.1, through a thread of its own."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.port = 0
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="proxy", daemon=True)

    def __enter__(self) -> Proxy:
        self._thread.start()
        assert self._ready.wait(PATIENCE)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join(PATIENCE)
        self._loop.close()

    def cut(self) -> None:
        """All connections are reset, and new ones are reset at once."""
        self._do(self._cut)

    def freeze(self) -> None:
        """No byte passes any more; connections stay, and new ones are accepted."""
        self._do(self._flowing.clear)

    def heal(self) -> None:
        """What was held back passes."""
        self._do(self._heal)

    def connections(self) -> int:
        return len(self._writers) // 2

    def _do(self, change: Callable[[], None]) -> None:
        done = threading.Event()
        self._loop.call_soon_threadsafe(change)
        self._loop.call_soon_threadsafe(done.set)
        assert done.wait(PATIENCE)

    def _cut(self) -> None:
        self._whole = False
        for writer in list(self._writers):
            _reset(writer)

    def _heal(self) -> None:
        self._whole = True
        self._flowing.set()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())

    async def _serve(self) -> None:
        self._end, self._flowing, self._whole = asyncio.Event(), asyncio.Event(), True
        self._flowing.set()
        self._writers: set[asyncio.StreamWriter] = set()
        server = await asyncio.start_server(self._talk, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._end.wait()
        server.close()
        for writer in list(self._writers):
            _reset(writer)
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self._whole:
            _reset(writer)
            return
        self._writers.add(writer)
        try:
            await self._flowing.wait()
            there, back = await asyncio.open_connection("127.0.0.1", self.target)
        except (OSError, asyncio.CancelledError):
            self._writers.discard(writer)
            _reset(writer)
            return
        self._writers.add(back)
        try:
            await asyncio.gather(self._pump(reader, back), self._pump(there, writer))
        except asyncio.CancelledError:
            pass
        finally:
            self._writers -= {writer, back}
            _reset(writer)
            _reset(back)

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(CHUNK):
                await self._flowing.wait()
                sink.write(data)
                await sink.drain()
            await self._flowing.wait()
        with contextlib.suppress(OSError, RuntimeError):
            sink.close()


def _reset(writer: asyncio.StreamWriter) -> None:
    if not writer.is_closing():
        connection = writer.get_extra_info("socket")
        with contextlib.suppress(OSError):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        writer.transport.abort()
