"""Every argument of `scrapy crawl topic`, and the scope of a topic file, on one small web."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crawl.run import ASTRONOMY, Run, crawl, place
from tests.crawl.site import Site, page

HOSTS = {"sky.test": "127.31.0.1", "www.sky.test": "127.31.0.2", "far.test": "127.31.0.3", "dull.test": "127.31.0.4"}
FIRST = [f"/{number}" for number in range(5)]


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """A tree of three levels on sky.test with links to the other hosts; dull.test is about something else."""
    with Site(HOSTS) as running:
        other = [f"http://{host}:{running.port}/" for host in HOSTS if host != "sky.test"]
        running.answers["sky.test/"] = page("sky", [*FIRST, *other])
        for number in range(5):
            running.answers[f"sky.test/{number}"] = page(f"part {number}", [f"/{number}/{leaf}" for leaf in range(3)])
            for leaf in range(3):
                running.answers[f"sky.test/{number}/{leaf}"] = page(f"leaf {number} {leaf}", ["/", "/deep"])
        running.answers["sky.test/deep"] = page("deep", ["/deep/2"])
        running.answers["sky.test/deep/2"] = page("deep again", ["/0"])
        for host in HOSTS:
            if host != "sky.test":
                running.answers[f"{host}/"] = page(f"home {host}", ["/a", "/b"], on_topic=host != "dull.test")
                for name in "ab":
                    running.answers[f"{host}/{name}"] = page(f"{host} {name}", on_topic=host != "dull.test")
        yield running


@pytest.fixture
def seeds(site: Site, tmp_path: Path) -> Path:
    path = tmp_path / "sky.txt"
    path.write_text(site.url("sky.test/"))
    return path


def toml(site: Site, folder: Path, rest: str, seeds: tuple[str, ...] = ("sky.test/",)) -> Path:
    """A topic file with the usual keywords."""
    path = folder / "file.toml"
    urls = ", ".join(f'"{site.url(seed)}"' for seed in seeds)
    words = ", ".join(f'"{word}"' for word in ASTRONOMY.split(","))
    path.write_text(f'[topic]\nname = "stars"\nkeywords = [{words}]\n[seeds]\nurls = [{urls}]\n{rest}')
    return path


def go(site: Site, seeds: Path, requests: int = 16, **arguments: object) -> Run:
    """A crawl with so many requests at once that must end with 0."""
    given = {"keywords": ASTRONOMY, "strategy": "breadth-first"} | arguments
    run = crawl(seeds.parent / "crawls", seeds, site.dns, {"CONCURRENT_REQUESTS": str(requests)}, given)
    assert run.code == 0, run.err
    return run


def test_max_pages_is_exact_and_counts_each_run_alone(site: Site, seeds: Path) -> None:
    first = go(site, seeds, max_pages=7)
    assert (len(first.stored("sky")), first.reason("sky")) == (7, "max_pages")
    second = go(site, seeds, max_pages=4, strategy="best-first")
    assert (len(second.stored("sky")), second.reason("sky")) == (11, "max_pages")
    assert second.rows("sky", "select run, count(*) from page group by run order by run") == [(1, 7), (2, 4)]


def test_max_depth_and_name(site: Site, seeds: Path) -> None:
    run = go(site, seeds, max_depth=1, name="one click 一步")
    homes = {f"{host}/" for host in HOSTS}
    assert run.stored("one click 一步") == homes | {f"sky.test{path}" for path in FIRST}


def test_breadth_first_and_depth_first_find_the_same_pages(site: Site, seeds: Path) -> None:
    broad = go(site, seeds, requests=1, name="broad", strategy="breadth-first")
    deep = go(site, seeds, name="deep", strategy="depth-first")
    assert len(broad.stored("broad")) == 32
    assert broad.stored("broad") == deep.stored("deep")
    depths = [depth for (depth,) in broad.rows("broad", "select depth from page order by page_id")]
    assert depths[0] == 0
    assert sum(depths[:9]) <= sum(sorted(depths)[:9]) + 2  # hosts wait their turn: nearly, but not strictly, by level
    orders = [run.rows(name, "select url from page order by page_id") for run, name in ((broad, "broad"), (deep, "deep"))]
    assert orders[0] != orders[1]


def test_max_relevant(site: Site, seeds: Path) -> None:
    run = go(site, seeds, strategy="best-first", max_relevant=9)
    assert run.reason("sky") == "max_relevant"
    relevant = run.rows("sky", "select count(*) from page where relevant=1")[0][0]
    assert 9 <= relevant <= 20  # answers to requests in flight are stored too


def test_important_sites_of_a_file_and_a_prior(site: Site, seeds: Path) -> None:
    (seeds.parent / "sites.txt").write_text("# first\nfar.test\n")
    given = {"keywords": ASTRONOMY, "strategy": "breadth-first", "important": seeds.parent / "sites.txt", "max_pages": 1}
    run = crawl(seeds.parent / "crawls", seeds, site.dns, {"FRONTIER_WEIGHT_PRIOR": "0.5"}, given)
    assert run.code == 0, run.err
    waiting = run.rows("sky", "select h.name, u.path, u.priority from url u join host h on h.hid=u.hid where u.state=0")
    priorities = {f"{host}{path}": priority for host, path, priority in waiting}
    assert priorities["far.test/"] > 1000
    assert -1 < priorities["sky.test/4"] < priorities["dull.test/"] < 0  # depth 1 each, and half of their weights

    (seeds.parent / "sites.txt").write_text("far.test\nhttp://far.test/\n")
    run = crawl(seeds.parent / "crawls", seeds, site.dns, arguments=given)
    assert run.code == 2
    assert "'sites.txt', line 2: 'http://far.test/' is not a site" in run.err


def test_max_pages_per_site_and_weights_at_the_end(site: Site, seeds: Path) -> None:
    run = go(site, seeds, max_pages_per_site=2)
    hosts = [each.partition("/")[0].removeprefix("www.") for each in run.stored("sky")]
    assert {host: hosts.count(host) for host in hosts} == {"sky.test": 2, "far.test": 2, "dull.test": 2}
    assert run.reason("sky") == "empty"
    weights = run.rows("sky", "select weight from standing")
    assert len(weights) == len(hosts)
    assert all(weight > 0 for (weight,) in weights)


def test_max_pages_per_host(site: Site, seeds: Path) -> None:
    run = go(site, seeds, max_pages_per_host=2)
    hosts = [each.partition("/")[0] for each in run.stored("sky")]
    assert {host: hosts.count(host) for host in HOSTS} == dict.fromkeys(HOSTS, 2)
    assert run.reason("sky") == "empty"


def test_minutes(site: Site, seeds: Path) -> None:
    run = crawl(seeds.parent, seeds, site.dns, {"POLITENESS_DELAY": "1"}, {"keywords": ASTRONOMY, "minutes": 0.03})
    assert (run.code, run.reason("sky")) == (0, "minutes")


def test_scope_of_hosts_patterns_and_one_site(site: Site, tmp_path: Path) -> None:
    dotted = go(site, toml(site, tmp_path, '[scope]\nhosts = [".sky.test"]\nexclude = ["/1", "*/b"]\n'), name="dotted")
    found = dotted.stored("dotted")
    assert {each.partition("/")[0] for each in found} == {"sky.test", "www.sky.test"}
    assert not [each for each in found if "/1" in each or each.endswith("/b")]
    seeds = ("www.sky.test/",)
    site.answers["www.sky.test/a"] = page("way home", [site.url("sky.test/deep"), site.url("far.test/")])
    one = go(site, toml(site, tmp_path, "[scope]\none_site = true\n", seeds), max_pages=8, name="one")
    assert {each.partition("/")[0] for each in one.stored("one")} == {"sky.test", "www.sky.test"}


def test_examples_are_fetched_first_relevant_and_followed(site: Site, seeds: Path) -> None:
    since = len(site.hits)
    run = go(site, seeds, keywords="", examples=f"{site.url('dull.test/')},{site.url('dull.test/a')}", max_pages=6)
    hosts = [hit.host for hit in site.hits[since:] if hit.path != "/robots.txt"]
    assert hosts[:2] == ["dull.test", "dull.test"]
    rows = run.rows("sky", "select url, relevant from page where example=1 order by url")
    assert [(place(url), relevant) for url, relevant in rows] == [("dull.test/", 1), ("dull.test/a", 1)]
    assert "/b" in site.paths("dull.test", since)


def test_local_example_files_give_text_only(site: Site, tmp_path: Path) -> None:
    (tmp_path / "example.html").write_text(page("comet telescope galaxy", ["http://sky.test/never"]).body)
    path = toml(site, tmp_path, "")
    path.write_text(path.read_text().replace("keywords", 'examples = ["example.html"]\nkeywords'))
    run = go(site, path, keywords="", max_depth=0)
    assert run.stored("stars") == {"sky.test/"}
    assert "galaxi" in run.topic("stars")


def test_without_a_topic_the_seeds_define_it(site: Site, seeds: Path) -> None:
    run = go(site, seeds, keywords="", max_pages=5, strategy="best-first")
    assert run.rows("sky", "select relevant from page where url like ?", site.url("sky.test/")) == [(1,)]
    assert "topic of" in run.err


def test_more_seeds_than_places_and_no_topic(site: Site, tmp_path: Path) -> None:
    """The pages that define the topic are held back; they must not use up what max_pages and the slots allow."""
    path = tmp_path / "many.txt"
    path.write_text("\n".join(site.url(f"sky.test/{number}/{leaf}") for number in range(5) for leaf in range(3)))
    run = crawl(tmp_path, path, site.dns, {"CONCURRENT_REQUESTS": "2"}, {"max_pages": 10})
    assert (run.code, run.reason("many"), len(run.stored("many"))) == (0, "max_pages", 10)


def test_the_start_does_not_wait_for_seeds_beyond_the_limit_of_their_host(site: Site, seeds: Path) -> None:
    seeds.write_text(f"{site.url('sky.test/')}\n{site.url('sky.test/0')}\n")
    run = crawl(seeds.parent / "crawls", seeds, site.dns, arguments={"max_pages_per_host": 1, "name": "own", "max_pages": 3})
    assert run.code == 0, run.err
    assert len(run.stored("own")) >= 1
