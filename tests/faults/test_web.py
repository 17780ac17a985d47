"""One crawl of a web in which nearly every host has a fault of its own: each costs its own page at most, and has a name.

The numbers are those of `tests/faults/plan.py`.
"""

from __future__ import annotations

import socket
import zlib
from collections.abc import Iterator

import pytest

from focuscrawl.frontier.states import State
from tests.crash.invariants import check
from tests.crash.manners import CONTROL
from tests.crawl.run import Run
from tests.faults.hosts import DEAD, DEAD_SIX, DEAD_TOO, FOREIGN, HOLE, HOPS, INNER, RETRIED, SECRET, STATUSES, end_of, web
from tests.faults.net import Net

pytestmark = [pytest.mark.system, pytest.mark.slow]
TRIES = 3
"""By the settings of the crawl: two delays before further tries."""
STATE = "select u.state, u.error from url u join host h using(hid) where h.origin=? and u.path=?"
TEXT = "select b.text from page p join body b using(page_id) where p.url=?"


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Net]:
    hosts = web(tmp_path_factory.mktemp("keys"))
    with (
        socket.create_server(("127.0.0.1", 0), backlog=0) as hole,
        Net(hosts, failing=("servfail.test",), silent=("mute.test",)) as running,
    ):
        filling = [fill(hole) for _ in range(3)]
        nobody = ("127.0.0.1", 1)
        running.targets |= {HOLE: hole.getsockname(), DEAD: nobody, DEAD_TOO: nobody, DEAD_SIX: ("::1", 1)}
        running.names.changing["rebind.test"] = [(running.address("rebind.test"),), ("127.0.0.1",)]
        yield running
        for each in filling:
            each.close()


def fill(server: socket.socket) -> socket.socket:
    """Take a place of those that wait to be accepted: when there is none left, the kernel answers nobody."""
    client = socket.socket()
    client.setblocking(False)
    client.connect_ex(server.getsockname())
    return client


@pytest.fixture(scope="module")
def run(net: Net, tmp_path_factory: pytest.TempPathFactory) -> Run:
    settings = {"DOWNLOAD_TIMEOUT": "2", "DNS_QUERY_TIMEOUT": "0.3"}
    run = net.crawl(tmp_path_factory.mktemp("web"), ["http://home.test/"], settings)
    assert run.code == 0, run.err
    return run


def state(run: Run, url: str) -> tuple[State, str]:
    scheme, _, rest = url.partition("://")
    host, _, path = rest.partition("/")
    ((number, error),) = run.rows("faults", STATE, f"{scheme}://{host}", f"/{path}")
    return State(number), error


def text_of(run: Run, name: str) -> str:
    ((packed,),) = run.rows("faults", TEXT, f"http://{name}.test/")
    return zlib.decompress(packed).decode()


def assert_stored_whole(run: Run, net: Net, *names: str) -> None:
    """Fetched once, stored with its last words, not marked as cut."""
    for name in names:
        assert state(run, f"http://{name}.test/") == (State.DONE, ""), name
        assert end_of(name) in text_of(run, name), name
        assert run.rows("faults", "select truncated from page where url=?", f"http://{name}.test/") == [("",)], name
        assert net.paths(f"{name}.test").count("/") == 1, name


def assert_failed(run: Run, net: Net, error: str, *names: str, tries: int = TRIES) -> None:
    for name in names:
        assert state(run, f"http://{name}.test/") == (State.FAILED, error), name
        assert net.paths(f"{name}.test").count("/") == tries, name


def assert_waits(run: Run, net: Net, errors: str, *origins: str) -> None:
    """Nothing but robots.txt was asked for, and the URL waits. `errors`: one of these, between bars."""
    for origin in origins:
        host = origin.partition("://")[2]
        ((waits, error),) = run.rows("faults", "select state, error from robots where origin=?", origin)
        assert (waits, error in errors.split("|")) == ("wait", True), (origin, error)
        assert state(run, f"{origin}/")[0] in (State.QUEUED, State.WAIT), origin
        assert net.paths(host) == [], origin


def test_every_invariant_holds(run: Run, net: Net) -> None:
    asked = [f"{'https' if hit.secure else 'http'}://{hit.host}{hit.path}" for hit in net.hits if hit.path != "/robots.txt"]
    found = check(run.folder / "faults", asked, ended=False)
    assert found.problems == []
    # Of the archive nothing can be said: answers that were tried again stand in it, too.
    twice = run.rows("faults", "select url from page group by url having count(*)>1")
    assert twice == []
    assert not [line for line in run.err.splitlines() if CONTROL.search(line)]


def test_f22_name_servers_that_fail_or_are_silent_cost_their_own_hosts_only(run: Run, net: Net) -> None:
    assert_waits(run, net, "dns-failed", "http://servfail.test", "http://mute.test")
    assert_waits(run, net, "dns", "http://nowhere.test")
    assert run.rows("faults", "select count(*) from page where url like 'http://home.test/%'") == [(2,)]


def test_f26_of_twenty_addresses_the_first_two_are_dead(run: Run, net: Net) -> None:
    assert_stored_whole(run, net, "many")
    assert {DEAD, DEAD_TOO} < net.connected_to(run.folder)


def test_f27_hosts_of_either_family(run: Run, net: Net) -> None:
    assert_stored_whole(run, net, "six", "dual")
    assert "2a02:fa17::6" in net.connected_to(run.folder)


def test_f29_a_name_that_moves_inwards_after_its_check(run: Run, net: Net) -> None:
    assert net.paths("rebind.test") == ["/", "/again"]
    assert all(hit.address == net.address("rebind.test") for hit in net.hits if hit.host == "rebind.test")


def test_f30_no_way_leads_inwards(run: Run, net: Net) -> None:
    """As link, redirect, robots redirect, meta refresh and base: in whatever spelling, no socket is opened."""
    inner = run.rows("faults", "select origin || path, state, error from url join host using(hid) where error='address'")
    assert len(inner) >= len(INNER) - 3, "some are the same address"
    assert {State(row[1]) for row in inner} == {State.FILTERED}
    for url in ("http://127.0.0.1/", "http://127.0.0.1/r", "http://127.0.0.1/secret", "http://127.0.0.1/x"):
        assert state(run, url) == (State.FILTERED, "address"), url
    assert_waits(run, net, "address", "http://robots-inwards.test")
    outside = ("93.184.", "2a02:fa17:")
    assert [address for address in net.connected_to(run.folder) if not address.startswith(outside)] == []


def test_f31_of_mixed_answers_the_public_address_serves(run: Run, net: Net) -> None:
    assert_stored_whole(run, net, "mixed")


def test_f32_connections_that_are_refused_or_reset(run: Run, net: Net) -> None:
    assert_waits(run, net, "connect", "http://refused.test")
    assert_waits(run, net, "connect|reset", "https://handshake.test")  # as the reset comes before or in the handshake
    assert_failed(run, net, "reset", "reset")
    assert net.paths("reset-body.test") == ["/", "/"]
    assert run.rows("faults", "select truncated from page where url='http://reset-body.test/'") == [("disconnect",)]
    assert end_of("reset-body") in text_of(run, "reset-body")


def test_f33_answers_that_never_come(run: Run, net: Net) -> None:
    assert_failed(run, net, "timeout", "silent", "head-drip", "body-drip")


def test_f34_a_black_hole(run: Run, net: Net) -> None:
    assert_waits(run, net, "timeout", "http://hole.test")
    assert HOLE in net.connected_to(run.folder)


def test_f37_a_kept_connection_that_ends_as_we_send_is_no_failure(run: Run, net: Net) -> None:
    """The second request on it finds it dead; the same request goes out on a new one, and nobody counts it."""
    first, second = [hit.number for hit in net.hits if hit.host == "stale.test" and hit.path == "/"]
    assert (first, second) == (2, 1)
    assert state(run, "http://stale.test/") == (State.DONE, "")
    ended = "select f.error from fetches f join host h on h.hid=f.hid where h.name='stale.test'"
    assert {error for (error,) in run.rows("faults", ended)} == {""}


def test_f38_a_second_answer_that_nobody_asked_for_is_no_answer(run: Run, net: Net) -> None:
    for path in ("", "second", "third"):
        assert state(run, f"http://early.test/{path}") == (State.DONE, ""), path
    stored = run.rows("faults", "select b.text from page p join body b using(page_id) where p.url like 'http://early.test/%'")
    assert not [text for (text,) in stored if FOREIGN in zlib.decompress(text).decode()]


def test_f39_old_servers(run: Run, net: Net) -> None:
    assert_stored_whole(run, net, "old", "no-reason", "bare")


def test_f40_the_other_protocol_on_a_port(run: Run, net: Net) -> None:
    assert_waits(run, net, "http-0.9", "http://tls-80.test")
    assert_waits(run, net, "timeout", "https://plain-443.test")


@pytest.mark.parametrize("status", RETRIED)
def test_f42_server_errors_are_tried_again_and_given_up(run: Run, net: Net, status: str) -> None:
    assert_failed(run, net, f"http-{status[:3]}", f"status-{status[:3]}")


def test_f46_redirects_in_circles_and_without_end(run: Run, net: Net) -> None:
    assert net.paths("counter.test") == ["/", *(f"/{n}" for n in range(1, 11))]
    assert state(run, "http://counter.test/10") == (State.FAILED, "redirect-loop")
    assert sorted(net.paths("loop.test")) == ["/", "/0", "/1", "/2", "/3", "/4"]
    assert state(run, "http://loop.test/4") == (State.REDIR, "")


def test_f47_redirects_to_where_no_page_is(run: Run, net: Net) -> None:
    assert sorted(net.paths("hops.test")) == sorted(["/", "/caf%C3%A9", *(f"/{name}" for name in HOPS)])
    for name in ("file", "data", "script", "missing", "broken"):
        assert state(run, f"http://hops.test/{name}") == (State.FAILED, "redirect-broken"), name
    assert state(run, "http://hops.test/choices") == (State.FAILED, "http-300")
    assert state(run, "http://hops.test/self") == (State.FAILED, "redirect-loop")
    assert state(run, "http://hops.test:22/") == (State.FILTERED, "port")
    assert state(run, "http://hops.test/caf%C3%A9") == (State.DONE, "")


def test_f48_a_site_that_moves_to_https_is_stored_once(run: Run, net: Net) -> None:
    urls = run.rows("faults", "select url from page where url like '%secure.test%' order by url")
    assert urls == [("https://secure.test/",), ("https://secure.test/deep",)]
    assert {state(run, url)[0] for url in ("http://secure.test/", "http://secure.test/deep")} == {State.REDIR}


@pytest.mark.parametrize("status", STATUSES)
def test_f50_statuses_that_are_no_page(run: Run, net: Net, status: str) -> None:
    number = status.partition(" ")[0]
    if number in ("000", "99", "abc"):
        assert_failed(run, net, "protocol", f"status-{number}")
    else:
        assert_failed(run, net, f"http-{number}", f"status-{number}", tries=1)


def test_f49_f50_what_is_not_asked_for_is_no_answer(run: Run, net: Net) -> None:
    assert_failed(run, net, "http-304", "unasked-304", tries=1)
    assert_stored_whole(run, net, "hints")


def test_f52_lengths_that_lie(run: Run, net: Net) -> None:
    assert_failed(run, net, "protocol", "negative", "two-lengths")
    assert_stored_whole(run, net, "both-lengths")
    assert run.rows("faults", "select length from page where url='http://short-length.test/'") == [(700,)]


def test_f53_chunks_that_break_off(run: Run, net: Net) -> None:
    names = ("bad-chunk", "no-last-chunk", "long-extension", "trailers")
    for name in names:
        assert net.paths(f"{name}.test") == ["/", "/"], name
        assert run.rows("faults", "select truncated from page where url=?", f"http://{name}.test/") == [("disconnect",)], name
    assert all(end_of(name) in text_of(run, name) for name in names if name != "long-extension")


def test_f55_codings(run: Run, net: Net) -> None:
    assert_stored_whole(run, net, "raw-deflate", "behind-gzip", "unknown-coding")


def test_f57_headers_without_end(run: Run, net: Net) -> None:
    assert_failed(run, net, "headers", "header-flood", "long-header", tries=1)
    assert_stored_whole(run, net, "odd-headers")


def test_f58_cookies_go_nowhere(run: Run, net: Net) -> None:
    assert net.paths("cookies.test") == ["/", "/next"]
    assert net.paths("other-cookies.test") == ["/"]
    assert not [hit for hit in net.hits if "cookie" in hit.headers]
    assert SECRET not in run.err


def test_f59_f91_types_that_lie(run: Run, net: Net) -> None:
    for name in ("video", "zip", "json"):
        assert state(run, f"http://{name}.test/") == (State.FILTERED, "type"), name
    assert_failed(run, net, "document", "pdf", tries=1)  # read by its first bytes, and broken


def test_f60_a_file_name_names_no_file(run: Run, net: Net) -> None:
    assert state(run, "http://attached.test/") == (State.DONE, "")
    assert not list(run.folder.rglob("*passwd*"))


def test_f70_the_strictest_of_header_and_tags_counts(run: Run, net: Net) -> None:
    assert sorted(net.paths("tags.test")) == ["/", "/from-noindex", "/noindex", "/none"]
    hidden = run.rows("faults", "select url from page where noindex order by url")
    assert hidden == [("http://tags.test/noindex",), ("http://tags.test/none",)]


def test_f79_nothing_is_logged_out_bought_or_sent(run: Run, net: Net) -> None:
    assert net.paths("verbs.test") == ["/"]
    assert {hit.method for hit in net.hits} == {"GET"}


def test_f81_noise_in_a_page(run: Run, net: Net) -> None:
    assert_stored_whole(run, net, "noise")
    text = text_of(run, "noise")
    assert not [character for character in text if character < " " and character != "\n"]


def test_f84_next_to_nothing(run: Run, net: Net) -> None:
    for name in ("empty", "one-byte", "frames", "script", "noscript"):
        assert state(run, f"http://{name}.test/") == (State.DONE, ""), name
        assert run.rows("faults", "select relevant from page where url=?", f"http://{name}.test/") == [(0,)], name
    assert (net.paths("frames.test"), net.paths("noscript.test")) == (["/", "/inside"], ["/", "/plain"])


def test_f85_titles(run: Run, net: Net) -> None:
    ((title,),) = run.rows("faults", "select title from page where url='http://title.test/'")
    assert "\n" not in title
    assert "\x1b" not in title
    assert "\u202e" not in title
    ((length,),) = run.rows("faults", "select length(title) from page where url='http://long-title.test/'")
    assert 0 < length < 1000
    assert "<script>alert" not in (run.folder / "faults" / "report.html").read_text(encoding="utf-8")


def test_f92_a_canonical_link_hides_nobodys_page(run: Run, net: Net) -> None:
    assert state(run, "http://thief.test/") == state(run, "http://home.test/mine") == (State.DONE, "")
