"""The resolver against a scripted name server on loopback."""

from __future__ import annotations

import asyncio
import errno
import socket
import struct
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import cast

import dns.flags
import dns.message
import dns.rcode
import dns.rrset
import pytest

from focuscrawl.politeness.dns import HostAddresses, Lifetimes, Resolver
from tests.patience import PATIENCE

pytestmark = pytest.mark.system

SILENCE = 0.05
"""Seconds for an answer where none comes."""
_Script = dict[str, list[str]]
"""Name -> answer lines `NAME TTL IN TYPE DATA`; or NXDOMAIN, SERVFAIL, REFUSED, silent, cut, wrongid, garbage."""


def _sockets_of_one_port() -> tuple[socket.socket, socket.socket]:
    """A TCP and a UDP socket of one port on loopback. The port that the system gives for one of them is now and then
    taken for the other, by a test that runs at the same time."""
    while True:
        tcp, udp = socket.socket(), socket.socket(type=socket.SOCK_DGRAM)
        try:
            tcp.bind(("127.0.0.1", 0))
            udp.bind(tcp.getsockname())
        except OSError as error:
            tcp.close()
            udp.close()
            if error.errno != errno.EADDRINUSE:
                raise
        else:
            return tcp, udp


class StubDns(asyncio.DatagramProtocol):
    """Answers over UDP and TCP as scripted; `asked` holds (name, type, transport)."""

    def __init__(self, script: _Script, delay: float = 0.0):
        self.script = script
        self.delay = delay
        self.asked: list[tuple[str, str, str]] = []
        self.port = 0

    async def start(self, stack: AsyncExitStack) -> StubDns:
        tcp, udp = _sockets_of_one_port()
        self.port = tcp.getsockname()[1]
        server = await asyncio.start_server(self._tcp, sock=tcp)
        stack.push_async_callback(server.wait_closed)
        stack.callback(server.close)
        transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(lambda: self, sock=udp)
        stack.callback(transport.close)
        return self

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.DatagramTransport", transport)

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        reply = self._reply(dns.message.from_wire(data), "udp")
        asyncio.get_running_loop().call_later(self.delay, self._send, reply, addr)

    def _send(self, reply: list[bytes], addr: tuple[str, int]) -> None:
        for wire in reply:
            if not self.transport.is_closing():
                self.transport.sendto(wire, addr)

    async def _tcp(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        (length,) = struct.unpack("!H", await reader.readexactly(2))
        for wire in self._reply(dns.message.from_wire(await reader.readexactly(length)), "tcp"):
            writer.write(struct.pack("!H", len(wire)) + wire)
        await writer.drain()
        writer.close()

    def _reply(self, query: dns.message.Message, transport: str) -> list[bytes]:
        name = query.question[0].name.to_text(omit_final_dot=True)
        kind = dns.rdatatype.to_text(query.question[0].rdtype)
        self.asked.append((name, kind, transport))
        lines = self.script.get(f"{name}/{kind}", self.script.get(name, ["NXDOMAIN"]))
        reply = dns.message.make_response(query)
        special = lines[0] if lines else ""
        if special == "silent":
            return []
        if special in ("NXDOMAIN", "SERVFAIL", "REFUSED"):
            reply.set_rcode(dns.rcode.from_text(special))
            return [reply.to_wire()]
        if special == "cut" and transport == "udp":
            reply.flags |= dns.flags.TC
            return [reply.to_wire()]
        if special == "garbage":
            return [b"", b"\x00", b"garbage" * 9]
        for line in lines:
            if " IN " in line and (f" IN {kind} " in line or " IN CNAME " in line):
                reply.answer.append(dns.rrset.from_text(*line.split(" ", 4)))  # type: ignore[arg-type]
        wire = reply.to_wire()
        wrong = struct.pack("!H", query.id ^ 1) + wire[2:].replace(b"\x09\x09\x09\x09", b"\x06\x06\x06\x06")
        return [wrong, wire] if special == "wrongid" else [wire]


def _a(name: str, *addresses: str, ttl: int = 300) -> list[str]:
    return [f"{name}. {ttl} IN {'AAAA' if ':' in address else 'A'} {address}" for address in addresses]


def _run(test: Callable[[AsyncExitStack], Awaitable[None]]) -> None:
    async def main() -> None:
        async with AsyncExitStack() as stack:
            await test(stack)

    asyncio.run(main())


def _ask(
    script: _Script, *questions: tuple[str, float], timeout: float = PATIENCE
) -> tuple[list[HostAddresses], StubDns, Resolver]:
    """One stub, one resolver, questions one after the other."""
    answers: list[HostAddresses] = []
    stub = StubDns(script)
    resolvers: list[Resolver] = []

    async def test(stack: AsyncExitStack) -> None:
        await stub.start(stack)
        resolvers.append(Resolver([("127.0.0.1", stub.port)], timeout=timeout))
        for host, now in questions:
            answers.append(await resolvers[0].resolve(host, now))

    _run(test)
    return answers, stub, resolvers[0]


def test_both_families_ipv4_first() -> None:
    (answer,), stub, _ = _ask({"h.test": _a("h.test", "2606::1", "9.9.9.9", "9.9.9.8")}, ("H.test.", 0.0))
    assert answer.addresses == ("9.9.9.9", "9.9.9.8", "2606::1")
    assert sorted(kind for _, kind, _ in stub.asked) == ["A", "AAAA"]


@pytest.mark.parametrize(("ttl", "lives"), [(0, 60.0), (59, 60.0), (300, 300.0), (604_800, 86_400.0)])
def test_ttl_is_clamped(ttl: int, lives: float) -> None:
    (answer,), _, _ = _ask({"h.test": _a("h.test", "9.9.9.9", ttl=ttl)}, ("h.test", 1_000.0))
    assert answer.expires_at == 1_000.0 + lives


def test_without_ttl_an_hour() -> None:
    assert Lifetimes().of(None) == 3_600.0


def test_an_answer_serves_until_it_expires() -> None:
    script = {"h.test": _a("h.test", "9.9.9.9")}
    _, stub, resolver = _ask(script, ("h.test", 0.0), ("h.test", 299.0), ("h.test", 301.0))
    assert len(stub.asked) == 4
    assert (resolver.counts["hit"], resolver.counts["miss"]) == (1, 2)


def test_nxdomain_is_remembered_shorter() -> None:
    answers, stub, resolver = _ask({}, ("no.test", 0.0), ("no.test", 599.0), ("no.test", 601.0))
    assert [answer.problem for answer in answers] == ["nxdomain"] * 3
    assert len(stub.asked) == 4
    assert resolver.counts["failed/nxdomain"] == 2


@pytest.mark.parametrize(("word", "problem"), [("SERVFAIL", "servfail"), ("REFUSED", "servfail"), ("silent", "timeout")])
def test_failures_are_remembered_for_half_a_minute(word: str, problem: str) -> None:
    answers, stub, _ = _ask(
        {"h.test": [word]}, ("h.test", 0.0), ("h.test", 29.0), timeout=SILENCE if word == "silent" else PATIENCE
    )
    assert [(answer.problem, answer.expires_at) for answer in answers] == [(problem, 30.0)] * 2
    assert len(stub.asked) == 4  # two rounds for two types, then none


def test_no_data() -> None:
    (answer,), _, _ = _ask({"h.test": []}, ("h.test", 0.0))
    assert (answer.problem, answer.expires_at) == ("nodata", 600.0)


def test_one_family_is_enough() -> None:
    script = {"v6.test": _a("v6.test", "2606::1"), "x.test/A": _a("x.test", "9.9.9.9"), "x.test/AAAA": ["silent"]}
    answers, _, _ = _ask(script, ("v6.test", 0.0), ("x.test", 0.0))
    assert [answer.addresses for answer in answers] == [("2606::1",), ("9.9.9.9",)]


def test_truncated_answers_are_asked_again_over_tcp() -> None:
    many = ["cut", *_a("h.test", *(f"9.9.9.{i}" for i in range(1, 60)))]
    (answer,), stub, _ = _ask({"h.test": many}, ("h.test", 0.0))
    assert len(answer.addresses) == 59
    assert ("h.test", "A", "tcp") in stub.asked


def test_a_wrong_id_is_ignored() -> None:
    (answer,), _, _ = _ask({"h.test": ["wrongid", *_a("h.test", "9.9.9.9")]}, ("h.test", 0.0))
    assert answer.addresses == ("9.9.9.9",)


def test_garbage_is_silence() -> None:
    (answer,), _, _ = _ask({"h.test": ["garbage"]}, ("h.test", 0.0), timeout=SILENCE)
    assert answer.problem == "timeout"


def test_aliases_in_one_answer_with_the_least_ttl() -> None:
    script = {"h.test": ["h.test. 100 IN CNAME c.test.", *_a("c.test", "9.9.9.9", ttl=200)]}
    (answer,), _, _ = _ask(script, ("h.test", 0.0))
    assert (answer.addresses, answer.expires_at) == (("9.9.9.9",), 100.0)


def test_aliases_that_the_server_does_not_follow() -> None:
    script = {"h.test": ["h.test. 100 IN CNAME c.test."], "c.test": _a("c.test", "9.9.9.9")}
    (answer,), _, _ = _ask(script, ("h.test", 0.0))
    assert (answer.addresses, answer.expires_at) == (("9.9.9.9",), 100.0)


def test_alias_loops_and_endless_chains_end() -> None:
    script = {"a.test": ["a.test. 9 IN CNAME b.test."], "b.test": ["b.test. 9 IN CNAME a.test."]}
    script |= {f"c{i}.test": [f"c{i}.test. 9 IN CNAME c{i + 1}.test."] for i in range(40)}
    script["d.test"] = ["d.test. 9 IN CNAME d.test."]
    answers, stub, _ = _ask(script, ("a.test", 0.0), ("c0.test", 0.0), ("d.test", 0.0))
    assert all(answer.problem for answer in answers)
    assert len(stub.asked) < 30


def test_one_question_in_flight_per_host_and_one_who_gives_up() -> None:
    stub = StubDns({"h.test": _a("h.test", "9.9.9.9")}, delay=0.1)

    async def test(stack: AsyncExitStack) -> None:
        await stub.start(stack)
        resolver = Resolver([("127.0.0.1", stub.port)])
        impatient = asyncio.ensure_future(asyncio.wait_for(resolver.resolve("h.test", 0.0), 0.02))
        answers = await asyncio.gather(*(resolver.resolve("H.TEST", 0.0) for _ in range(20)))
        assert {answer.addresses for answer in answers} == {("9.9.9.9",)}
        with pytest.raises(TimeoutError):
            await impatient
        assert len(stub.asked) == 2

    _run(test)


def test_failover_and_rotation() -> None:
    good, other = (StubDns({f"{i}.test": _a(f"{i}.test", "9.9.9.9") for i in range(20)}) for _ in range(2))
    silent, failing = (
        StubDns({f"{i}.test": ["silent"] for i in range(20)}),
        StubDns({f"{i}.test": ["SERVFAIL"] for i in range(20)}),
    )

    async def test(stack: AsyncExitStack) -> None:
        stubs = [await stub.start(stack) for stub in (silent, failing, good, other)]
        resolver = Resolver([("127.0.0.1", 1), *(("127.0.0.1", stub.port) for stub in stubs)], timeout=0.5)
        for i in range(10):
            assert (await resolver.resolve(f"{i}.test", float(i))).addresses == ("9.9.9.9",)
        assert len(silent.asked) <= 2  # then asked last
        assert len(good.asked) > 3
        assert len(other.asked) > 3

    _run(test)


def test_old_addresses_serve_while_no_server_answers() -> None:
    script = {"h.test": _a("h.test", "9.9.9.9")}
    stub = StubDns(script)

    async def test(stack: AsyncExitStack) -> None:
        await stub.start(stack)
        resolver = Resolver([("127.0.0.1", stub.port)], timeout=PATIENCE)
        await resolver.resolve("h.test", 0.0)
        script["h.test"] = ["SERVFAIL"]
        stale = await resolver.resolve("h.test", 400.0)
        assert (stale.addresses, stale.good_until, stale.expires_at) == (("9.9.9.9",), 300.0, 430.0)
        assert (await resolver.resolve("h.test", 86_000.0)).addresses
        assert (await resolver.resolve("h.test", 87_000.0)).problem == "servfail"
        script["h.test"] = ["NXDOMAIN"]
        assert (await resolver.resolve("h.test", 87_100.0)).problem == "nxdomain"

    _run(test)


def test_an_address_that_changed_is_used_after_expiry() -> None:
    script = {"h.test": _a("h.test", "9.9.9.9")}
    stub = StubDns(script)

    async def test(stack: AsyncExitStack) -> None:
        await stub.start(stack)
        resolver = Resolver([("127.0.0.1", stub.port)])
        await resolver.resolve("h.test", 0.0)
        script["h.test"] = _a("h.test", "8.8.8.8", "8.8.4.4")
        assert (await resolver.resolve("h.test", 299.0)).addresses == ("9.9.9.9",)
        assert (await resolver.resolve("h.test", 301.0)).addresses == ("8.8.8.8", "8.8.4.4")
        resolver.prefer("h.test", "8.8.4.4")
        resolver.prefer("h.test", "7.7.7.7")
        assert (await resolver.resolve("h.test", 302.0)).addresses == ("8.8.4.4", "8.8.8.8")

    _run(test)


def test_literals_and_local_names_are_never_asked() -> None:
    questions = [(host, 0.0) for host in ("127.0.0.1", "0x7f.1", "[::1]", "::ffff:127.0.0.1", "localhost", "a.localhost.")]
    answers, stub, _ = _ask({}, *questions)
    assert [answer.addresses[0] for answer in answers] == ["127.0.0.1", "127.0.0.1", "::1", *["127.0.0.1"] * 3]
    assert stub.asked == []


def test_names_that_are_none_are_never_asked() -> None:
    hosts = ["a..b", "x" * 70, "1.2.3.4.5", "a b", "-", "é" * 100, "", "xn--" + "a" * 80]
    answers, stub, _ = _ask({}, *((host, 0.0) for host in hosts))
    assert {answer.problem for answer in answers} == {"badname"}
    assert stub.asked == []


async def test_fixed_hosts() -> None:
    answer = await Resolver([("127.0.0.1", 1)], hosts={"box": ("10.0.0.7",)}).resolve("BOX", 5.0)
    assert (answer.addresses, answer.expires_at) == (("10.0.0.7",), 3_605.0)


def test_a_prefetch_is_bounded_and_the_cache_too() -> None:
    stub = StubDns({f"h{i}.test": _a(f"h{i}.test", "9.9.9.9") for i in range(50)}, delay=0.01)

    async def test(stack: AsyncExitStack) -> None:
        await stub.start(stack)
        resolver = Resolver([("127.0.0.1", stub.port)], size=30)
        await resolver.prefetch([f"h{i % 50}.test" for i in range(100)], 0.0)
        assert resolver.counts["ahead"] == 50
        assert len(stub.asked) == 100
        assert sum(resolver.known(f"h{i}.test", 1.0) is not None for i in range(50)) in (29, 30)

    _run(test)


def test_close_ends_what_is_in_flight() -> None:
    stub = StubDns({"h.test": ["silent"]})

    async def test(stack: AsyncExitStack) -> None:
        await stub.start(stack)
        resolver = Resolver([("127.0.0.1", stub.port)], timeout=PATIENCE)
        waiting = asyncio.ensure_future(resolver.resolve("h.test", 0.0))
        await asyncio.sleep(0.01)
        await resolver.close()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    _run(test)
