"""`scrapy graph` on a stored crawl."""

from __future__ import annotations

import json
from pathlib import Path

import networkx as nx
import pytest

from focuscrawl.commands.graph import Command
from focuscrawl.store.engines.sqlite import connect
from focuscrawl.url.hosts import uid_of
from tests.commands.call import call, refused
from tests.report import sample


@pytest.fixture
def crawls(tmp_path: Path) -> Path:
    sample.sample_crawl(tmp_path / "c")
    sample.empty_crawl(tmp_path / "empty").close()
    return tmp_path


def test_the_shape_in_figures(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(Command(), crawls, "c") == 0
    shown = capsys.readouterr().out
    assert "4 of 2 hosts, 2 sites" in shown
    assert "no page links to another" in shown
    assert "disconnected" in shown
    assert call(Command(), crawls, "c", "--json") == 0
    values = json.loads(capsys.readouterr().out)
    assert (values["crawl"], values["pages"], values["outside"], values["parts"]["core"]) == ("c", 4, 1, 1)


def test_a_crawl_without_pages(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(Command(), crawls, "empty") == 0
    assert "no page yet" in capsys.readouterr().out
    assert call(Command(), crawls, "empty", "--json") == 0
    assert json.loads(capsys.readouterr().out)["pages"] == 0


@pytest.mark.parametrize("options", [("-o", "g.graphml"), ("-o", "g", "--format", "graphml")])
def test_the_graph_as_a_file(crawls: Path, options: tuple[str, ...]) -> None:
    path = crawls / options[1]
    assert call(Command(), crawls, "c", "-o", str(path), *options[2:]) == 0
    graph = nx.read_graphml(path)
    assert len(graph) == 4
    assert graph.nodes["1"]["url"] == sample.SEED


def test_the_structure_has_only_links_of_index_pages_within_their_site(crawls: Path) -> None:
    db = connect(crawls / "c" / "store.sqlite")
    db.execute("update page set kind='index' where page_id=1")
    for target, page_id in (
        ("http://news.example.com/search/a.html", 1),
        (sample.SEED, 2),
        ("http://blog.example.org/x?q=1", 1),
    ):
        sample.insert(db, "inlink", hid=sample.hid(target), uid=uid_of(target), page_id=page_id)
    db.close()
    whole, pruned = crawls / "whole.json", crawls / "pruned.json"
    assert call(Command(), crawls, "c", "-o", str(whole)) == 0
    assert call(Command(), crawls, "c", "-o", str(pruned), "--structure") == 0
    edges = [[(e["source"], e["target"]) for e in json.loads(path.read_text())["edges"]] for path in (whole, pruned)]
    assert edges == [[(1, 2), (1, 4), (2, 1)], [(1, 2)]]
    assert json.loads(pruned.read_text())["nodes"][1]["above"] == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--format", "gexf"), "-o FILE"),
        (("--structure",), "-o FILE"),
        (("-o", "graph.png"), "'png' is not a format of a graph"),
        (("-o", "graph", "--format", "dot"), "graphml|gexf|json"),
        (("-o", "graph.json", "--json"), "--format json"),
        (("-o", "/nowhere/at/all/graph.json"), "does not exist"),
    ],
)
def test_bad_input(crawls: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], said: str) -> None:
    assert said in refused(capsys, Command(), crawls, "c", *options)
