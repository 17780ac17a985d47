"""Every kind of answer a host can give ends its URL in the right state; redirects are new URLs under all rules."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from focuscrawl.commands.why import Command as Why
from focuscrawl.frontier.states import State
from tests.commands.call import call
from tests.crawl.run import ASTRONOMY, Run, crawl
from tests.crawl.site import Hit, Reply, Site, moved, page

HOSTS = {"main.test": "127.32.0.1", "new.test": "127.32.0.2", "odd.test": "127.32.0.3", "inner.test": "10.0.0.7"}
SERVED = {name: address for name, address in HOSTS.items() if address.startswith("127.")}
TEXT = (("Content-Type", "text/html"),)
STATUSES = {404: "GONE", 410: "GONE", 403: "FAILED", 401: "FAILED", 451: "FAILED", 204: "FAILED", 501: "FAILED"}


def failing_first(times: int) -> Iterator[Reply]:
    """Server errors before the page."""
    for number in count():
        yield Reply(500, "oops") if number < times else page("after errors")


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site(SERVED) as running:
        running.stub.addresses = HOSTS
        links = ["/chain/1", "/loop/1", "/self", "/away", "/nowhere", "/flaky", "/down", "/inner", "/picture"]
        links += ["/script", "/short", running.url("odd.test/")]
        links += [f"/status/{status}" for status in STATUSES] + [f"http://inner.test:{running.port}/", "http://gone.test/"]
        answers = running.answers
        answers["main.test/start"] = moved("/home", 302)
        answers["main.test/home"] = page("home", links)
        answers["main.test/chain/1"] = moved("/chain/2", 302)
        answers["main.test/chain/2"] = moved("/chain/3", 307)
        answers["main.test/chain/3"] = page("end of the chain")
        answers["main.test/loop/1"] = moved("/loop/2")
        answers["main.test/loop/2"] = moved("/loop/1")
        answers["main.test/self"] = moved("/self")
        answers["main.test/away"] = moved(running.url("new.test/private/x"), 308)
        answers["main.test/nowhere"] = moved("mailto:someone@a.test")
        answers["main.test/inner"] = moved(running.url("inner.test/secret"))
        answers["main.test/down"] = Reply(500, "oops")
        answers["main.test/picture"] = Reply(200, "GIF89a\0\0", (("Content-Type", "image/gif"),))
        answers["main.test/script"] = Reply(200, "alert(1)", (("Content-Type", "application/javascript"),))
        answers["main.test/short"] = Reply(200, "", TEXT)
        for status in STATUSES:
            answers[f"main.test/status/{status}"] = Reply(status, "", TEXT)
        answers["odd.test/"] = Reply(99999, "", TEXT)
        flaky = failing_first(2)

        def next_flaky(hit: Hit) -> Reply:
            return next(flaky)

        answers["main.test/flaky"] = next_flaky
        answers["new.test/robots.txt"] = Reply(body="User-agent: *\nDisallow: /private/\n")
        yield running


@pytest.fixture(scope="module")
def run(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """No topic is given: the seed's page defines it, though the seed itself only redirects."""
    folder = tmp_path_factory.mktemp("answers")
    seeds = folder / "main.txt"
    seeds.write_text(f"{site.url('main.test/start')}\n")
    run = crawl(folder, seeds, site.dns, arguments={"strategy": "breadth-first"})
    assert run.code == 0, run.err
    return run


def test_a_seed_that_redirects_defines_the_topic(run: Run) -> None:
    assert run.state("main", "/start") == (State.REDIR, "")
    assert run.rows("main", "select depth, relevant from page where url like '%/home'") == [(0, 1)]


def test_redirects(run: Run, site: Site) -> None:
    assert run.state("main", "/chain/1") == run.state("main", "/chain/2") == (State.REDIR, "")
    assert "main.test/chain/3" in run.stored("main")
    assert run.state("main", "/loop/1") == (State.REDIR, "")
    assert site.paths("main.test").count("/loop/1") == 1
    assert run.state("main", "/self") == (State.FAILED, "redirect-loop")
    assert run.state("main", "/nowhere") == (State.FAILED, "redirect-broken")


def test_a_redirect_to_another_host_obeys_its_robots_txt(run: Run, site: Site) -> None:
    assert site.paths("new.test") == ["/robots.txt"]
    assert run.state("main", "/private/x") == (State.DENIED, "robots")


def test_a_redirect_inwards_is_refused_by_the_guard(run: Run) -> None:
    assert run.state("main", "/secret") == (State.FILTERED, "address")


@pytest.mark.parametrize("status", STATUSES)
def test_statuses(run: Run, status: int) -> None:
    assert run.state("main", f"/status/{status}") == (State[STATUSES[status]], f"http-{status}")


def test_a_status_of_five_digits_is_no_answer(run: Run) -> None:
    assert run.rows("main", "select distinct error from fetches f join host h on h.hid=f.hid where h.name='odd.test'") == [
        ("protocol",)
    ]


def test_server_errors_are_tried_again_and_then_given_up(run: Run, site: Site) -> None:
    assert "main.test/flaky" in run.stored("main")
    assert site.paths("main.test").count("/flaky") == 3
    assert run.state("main", "/down") == (State.FAILED, "http-500")
    assert site.paths("main.test").count("/down") == 3


def test_what_is_no_page(run: Run) -> None:
    assert run.state("main", "/picture") == run.state("main", "/script") == (State.FILTERED, "type")
    assert run.state("main", "/short")[0] == State.DONE


def test_why_tells_each_cause(run: Run, site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    def why(tail: str) -> str:
        assert call(Why(), run.folder, site.url(tail)) == 0
        return capsys.readouterr().out

    assert "circle" in why("main.test/self")
    assert "server error 500" in why("main.test/down")
    assert "Fetched at" in why("main.test/home")
    assert "Never seen" in why("main.test/unknown")
    assert "`Disallow: /private/`" in why("new.test/private/x")
    assert "GUARD_ALLOW_NETWORKS" in why("inner.test/")


def test_why_tells_the_link_behind_redirects(run: Run, site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(Why(), run.folder, site.url("main.test/chain/3")) == 0
    end = capsys.readouterr().out
    assert f"Found on {site.url('main.test/home')} (relevant, " in end
    assert f", anchor “/chain/1”. That link leads to {site.url('main.test/chain/1')}, which redirected here." in end
    assert "First score" in end


def test_loopback_is_refused_unless_it_is_allowed(site: Site, tmp_path: Path) -> None:
    seeds = tmp_path / "local.txt"
    seeds.write_text(f"http://127.32.0.1:{site.port}/\nhttp://[::ffff:127.32.0.1]:{site.port}/\n{site.url('main.test/')}\n")
    before = len(site.hits)
    run = crawl(tmp_path, seeds, site.dns, {"GUARD_ALLOW_NETWORKS": ""}, {"keywords": ASTRONOMY})
    assert run.code == 1, run.err
    assert len(site.hits) == before
    states = dict(run.rows("local", "select h.name, u.error from url u join host h using(hid) where u.state=?", State.FILTERED))
    # Where no network is allowed, a port is refused before the name is looked up.
    assert states == {"127.32.0.1": "address", "::ffff:7f20:1": "address", "main.test": "port"}


def test_seeds_that_all_fail_and_no_topic(site: Site, tmp_path: Path) -> None:
    seeds = tmp_path / "lost.txt"
    seeds.write_text(f"{site.url('main.test/status/404')}\nhttp://gone.test/\n")
    run = crawl(tmp_path, seeds, site.dns)
    assert (run.code, run.reason("lost")) == (1, "no_topic")
    assert "Traceback" not in run.err
    assert "no topic could be made" in run.err
