"""The form that starts a crawl, and crawls that are started, paused, resumed and stopped from the browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from focuscrawl.config.arguments import CrawlArguments, parse_arguments
from focuscrawl.config.job import job_of
from focuscrawl.dashboard.jobs import Jobs
from focuscrawl.dashboard.starting import LEFT_OUT, arguments_of, fields, offered_seeds, seeds_as_fields
from focuscrawl.errors import BadInput
from focuscrawl.store.crawls import open_store
from tests.crawl.run import QUICK
from tests.crawl.site import Reply, Site, page
from tests.dashboard.desk import Desk, desk_of
from tests.dashboard.running import until
from tests.patience import PATIENCE


def test_every_argument_is_a_field_with_its_choices() -> None:
    found = {field.name: field for field in fields({})}
    assert set(found) == set(CrawlArguments.model_fields) - LEFT_OUT
    assert found["strategy"].choices[0] == found["strategy"].value == "learned"
    assert (found["max_pages"].number, found["minutes"].number, found["keywords"].number) == ("whole", "any", "")


def test_a_filled_form_is_the_arguments(tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_text("keywords = ['a']", encoding="utf-8")
    offered = offered_seeds(tmp_path, "")
    given = {
        "urls": "a.test/x,y\nhttps://中文.test/",
        "name": "n",
        "max_pages": "5",
        "strategy": "best-first",
        "keywords": "",
    }
    assert arguments_of(given, offered) == {
        "seeds": r"http://a.test/x\,y,https://xn--fiq228c.test/", "name": "n", "max_pages": "5", "strategy": "best-first",
    }  # fmt: skip
    chosen = {"file": str(tmp_path / "t.toml"), "name": "n"}
    assert arguments_of(chosen, offered)["seeds"] == str((tmp_path / "t.toml").resolve())


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"name": "n"}, "no seeds are given"),
        ({"urls": "a.test"}, "give the crawl a name"),
        ({"urls": "a.test", "name": "../x"}, "holds a slash"),
        ({"urls": "mailto:x@y.test", "name": "n"}, "mailto"),
        ({"urls": "a.test", "name": "n", "max_pages": "many"}, "max_pages: 'many' is not a whole number"),
        ({"urls": "a.test", "name": "n", "strategy": "lerned"}, "did you mean learned"),
        ({"file": "/etc/passwd", "name": "n"}, "there is no topic file"),
        ({"file": "/etc/passwd", "urls": "a.test", "name": "n"}, "not both"),
        ({"urls": "a.test", "name": "n", "examples": "/etc/passwd"}, "is a file of this machine"),
        ({"urls": "a.test", "name": "n", "important": "/etc/passwd"}, "is a file of this machine"),
        ({"urls": "\n".join(f"a{n}.test" for n in range(600)), "name": "n"}, "these are 600 URLs"),
    ],
)
def test_what_cannot_be_started_is_said(given: dict[str, str], said: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput) as refused:
        arguments_of(given, offered_seeds(tmp_path, ""))
    assert said in str(refused.value)


def test_a_form_that_is_refused_comes_back_as_it_was_filled(tmp_path: Path) -> None:
    status, shown = desk_of(tmp_path).send("/start", urls="a.test", name="<b>", max_pages="many")
    assert status == 400
    assert "is not a whole number" in shown
    assert 'value="&lt;b&gt;"' in shown
    assert 'value="many"' in shown


def test_another_run_begins_with_the_arguments_of_the_last(tmp_path: Path) -> None:
    shown = desk_of(tmp_path, "first").page("/start?like=first")
    assert 'value="first"' in shown
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("http://a.test/\n", encoding="utf-8")
    with closing(open_store(tmp_path / "first")) as db:
        last = {"seeds": str(seeds), "max_pages": 7, "keywords": ["tea", "饮食，男女"]}
        for run, arguments in enumerate((last, {"mode": "recrawl"}), 7):
            db.execute("insert into run(id, started_at, arguments) values(?, ?, ?)", (run, run, json.dumps(arguments)))
    shown = desk_of(tmp_path).page("/start?like=first")
    assert f'<option value="{seeds}" selected>{seeds}</option>' in shown
    assert 'name="max_pages" value="7"' in shown
    assert r'name="keywords" value="tea,饮食\，男女"' in shown, "one keyword became two"
    assert desk_of(tmp_path).client.get("/start?like=nothing").status_code == 404


def test_another_run_begins_with_all_files_of_the_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[dict[str, str]] = []
    monkeypatch.setattr(Jobs, "crawl", lambda jobs, arguments: begun.append(arguments) or True)  # type: ignore[func-returns-value]
    monkeypatch.chdir(tmp_path)
    for name in ("a.txt", "b.toml", "secret.txt"):
        (tmp_path / name).write_text("http://a.test/\n", encoding="utf-8")
    crawls = tmp_path / "crawls"
    desk, last = desk_of(crawls, "first"), "a.txt,  b.toml，http://c.test/x%2Cy"
    with closing(open_store(crawls / "first")) as db:
        arguments = json.dumps({"seeds": last, "name": "first"})
        db.execute("insert into run(id, started_at, arguments) values(7, 7, ?)", (arguments,))
    shown = desk.page("/start?like=first")
    assert f'<option value="{last}" selected>' in shown
    assert '<textarea name="urls" rows="3"></textarea>' in shown
    assert desk.send("/start", file=last, name="first")[0] == 303
    assert begun[0]["seeds"] == f"{tmp_path / 'a.txt'},{tmp_path / 'b.toml'},http://c.test/x%2Cy"
    for other in ("secret.txt", f"{last},secret.txt", "a.txt", str(tmp_path / "secret.txt")):
        assert "there is no topic file" in desk.send("/start", file=other, name="first")[1]
    (tmp_path / "b.toml").unlink()
    assert "b.toml" not in desk.page("/start?like=first")
    assert "there is no topic file" in desk.send("/start", file=last, name="first")[1]
    assert len(begun) == 1


def test_addresses_of_the_last_run_stand_in_their_own_field() -> None:
    assert seeds_as_fields("http://a.test/，HTTPS://b.test/x%2Cy") == {"urls": "http://a.test/\nHTTPS://b.test/x%2Cy"}
    assert seeds_as_fields("a.txt,http://a.test/") == {"file": "a.txt,http://a.test/"}


def test_files_in_a_folder_with_a_comma_in_its_name_stay_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "资料，种子"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for name in ("a.txt", "b.txt", "c,d.txt"):
        (folder / name).write_text("http://a.test/\n", encoding="utf-8")
    for last, expected in (
        ("a.txt", str(folder / "a.txt")),
        (r"c\,d.txt", str(folder / "c,d.txt")),
        ("a.txt,b.txt", rf"{folder}/a.txt,{folder}/b.txt".replace("，", r"\，")),
    ):
        seeds = offered_seeds(tmp_path, last)[last]
        assert seeds == expected
        assert len(job_of(parse_arguments({"seeds": seeds, "name": "n"})).seeds) == 1


def test_read_only_starts_nothing(tmp_path: Path) -> None:
    assert Desk(tmp_path, read_only=True).client.get("/start").status_code == 403


@pytest.fixture
def site() -> Iterator[Site]:
    """Forty pages that take their time."""
    links = [f"/{number}" for number in range(40)]
    with Site({"127.0.0.1": "127.0.0.1"}) as running:
        running.answers["127.0.0.1/"] = page("Start", links)
        for link in links:
            made = page(f"Telescope {link}", links)
            running.answers[f"127.0.0.1{link}"] = Reply(made.status, made.body, made.headers, delay=0.2)
        yield running


@pytest.mark.system
def test_a_crawl_is_started_paused_resumed_stopped_and_recrawled(
    tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("focuscrawl.dashboard.jobs.PATIENCE", PATIENCE)  # a machine that has other work to do
    desk = Desk(tmp_path)
    desk.dashboard.jobs = Jobs(tmp_path, [f"{name}={value}" for name, value in QUICK.items()])

    def state() -> str:
        desk.dashboard.stores.cache.forget()
        return str(desk.data("/c/live/.json")["state"])

    given = {"urls": site.url("127.0.0.1/"), "name": "live", "keywords": "telescope,galaxy", "strategy": "breadth-first"}
    status, back = desk.send("/start", **given)
    assert (status, back.partition("?")[0]) == (303, "/c/live/"), back
    assert "It has begun." in desk.page(back)
    until(lambda: state() == "running")
    desk.send("/c/live/steer", wanted="pause")
    until(lambda: desk.data("/c/live/workers.json")["workers"][0]["state"] == "paused")  # type: ignore[index]
    desk.send("/c/live/steer", wanted="run")
    until(lambda: state() == "running" and desk.data("/c/live/.json")["totals"]["pages"] > 0)  # type: ignore[index]
    desk.send("/c/live/steer", wanted="stop")
    until(lambda: state() == "stopped")
    _, told = desk.send("/c/live/recrawl", revisit="all")
    assert "scrapy resume" in desk.page(told)
    desk.send("/c/live/steer", wanted="run")
    _, told = desk.send("/c/live/recrawl", revisit="all")
    assert "It has begun." in desk.page(told)
    until(lambda: state() == "idle")
    until(desk.dashboard.jobs.all_ended)
    runs = desk.data("/c/live/settings.json")["runs"]
    assert {run["mode"] for run in runs} == {"crawl", "recrawl"}  # type: ignore[attr-defined]
    [job] = desk.data("/c/live/settings.json?run=1")["conditions"]["job"]  # type: ignore[index]
    assert (job["seeds"], job["keywords"]) == ([given["urls"]], ["telescope", "galaxy"])
