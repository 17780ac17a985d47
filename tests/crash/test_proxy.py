"""The network that tests cut: bytes pass, are held back, or the connection is reset."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

from tests.crash.proxy import Proxy
from tests.patience import PATIENCE


@pytest.fixture
def echo() -> Iterator[int]:
    """Port of a server that sends back what it gets."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=_serve, args=(listening,), daemon=True).start()
        yield listening.getsockname()[1]
        listening.shutdown(socket.SHUT_RDWR)


def _serve(listening: socket.socket) -> None:
    while True:
        try:
            connection, _ = listening.accept()
        except OSError:
            return
        threading.Thread(target=_echo, args=(connection,), daemon=True).start()


def _echo(connection: socket.socket) -> None:
    with connection:
        try:
            while data := connection.recv(1000):
                connection.sendall(data)
        except OSError:
            return


def test_a_frozen_network_holds_bytes_back_until_it_is_healed(echo: int) -> None:
    with Proxy(echo) as proxy, socket.create_connection(("127.0.0.1", proxy.port), 5) as client:
        client.sendall(b"one")
        assert client.recv(10) == b"one"
        proxy.freeze()
        client.sendall(b"two")
        client.settimeout(0.2)
        with pytest.raises(TimeoutError):
            client.recv(10)
        client.settimeout(PATIENCE)
        proxy.heal()
        assert client.recv(10) == b"two"
        assert proxy.connections() == 1


def test_a_cut_network_resets_connections_old_and_new(echo: int) -> None:
    with Proxy(echo) as proxy:
        with socket.create_connection(("127.0.0.1", proxy.port), 5) as client:
            client.sendall(b"one")
            assert client.recv(10) == b"one"
            proxy.cut()
            with pytest.raises(ConnectionResetError):
                client.recv(10)
        assert _is_reset(proxy.port)
        proxy.heal()
        with socket.create_connection(("127.0.0.1", proxy.port), 5) as client:
            client.sendall(b"three")
            assert client.recv(10) == b"three"


def _is_reset(port: int) -> bool:
    """At the connection already, or at the first read."""
    try:
        with socket.create_connection(("127.0.0.1", port), 5) as client:
            return client.recv(10) == b""
    except ConnectionResetError:
        return True
