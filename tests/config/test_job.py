"""Jobs of several seed files."""

from __future__ import annotations

from pathlib import Path

import pytest

from focuscrawl.config.allowed_paths import Roots
from focuscrawl.config.arguments import list_of, parse_arguments, split_list
from focuscrawl.config.job import DEFINING_SEEDS, CrawlJob, entries_of, job_of
from focuscrawl.config.seed_list import seeds_of_text
from focuscrawl.errors import BadInput
from focuscrawl.text.vocabulary import Vocabulary
from tests.linear_time import linear


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    texts = {
        "a.toml": '[topic]\nkeywords = ["x"]\n[seeds]\nurls = ["a.com", "both.com"]\n[scope]\nhosts = ["a.com"]\n',
        "b.toml": '[topic]\nname = "bees"\nexamples = ["http://b.com/"]\n[seeds]\nurls = ["b.com"]\n[scope]\none_site = true\n',
        "bare.toml": "[seeds]\nurls = [" + ", ".join(f'"bare.com/{n}"' for n in range(40)) + "]\n",
        "Bees.toml": '[topic]\nkeywords = ["y"]\n[seeds]\nurls = ["c.com"]\n',
        "list.txt": "both.com\nlist.com\n",
        "more.txt": "more.com\n",
        "x,y.txt": "comma.com\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def job(folder: Path, *names: str, **arguments: str) -> CrawlJob:
    return job_of(parse_arguments({"seeds": ",".join(str(folder / name) for name in names), **arguments}))


def test_each_toml_file_is_a_topic_and_lists_are_for_all(folder: Path) -> None:
    found = job(folder, "a.toml", "b.toml", "list.txt")
    assert found.name == "a+bees"
    assert [part.name for part in found.parts] == ["a", "bees"]
    assert found.seeds == ("http://a.com/", "http://both.com/", "http://list.com/", "http://b.com/")
    assert found.parts[1].seeds == ("http://b.com/", "http://both.com/", "http://list.com/")
    assert (found.topic.keywords, found.topic.examples) == (("x",), ("http://b.com/",))
    assert job(folder, "a.toml", "b.toml", name="mine").name == "mine"


def test_pages_are_cut_by_the_words_of_all_topics(folder: Path) -> None:
    text = """[topic]
        keywords = ["z"]
        negative_terms = ["red tape", "tape"]
        weights = {"blue film" = 0.2}
        [seeds]
        urls = ["d.com"]
        """
    (folder / "d.toml").write_text(text)
    expected = Vocabulary(("z",), ("red tape", "blue film"))
    assert job(folder, "d.toml").vocabulary == expected
    assert job(folder, "a.toml", "d.toml").vocabulary == Vocabulary(("x", "z"), expected.phrases)


def test_scope_is_what_any_topic_takes(folder: Path) -> None:
    scope = job(folder, "a.toml", "b.toml", "more.txt").scope
    taken = ["http://a.com/p", "http://www.b.com/p", "http://more.com/p"]
    assert [scope.refuses(url) for url in taken] == ["", "", ""]
    assert scope.refuses("http://c.com/") == "host"
    assert job(folder, "a.toml", "bare.toml").scope.refuses("http://c.com/") == ""


def test_a_topic_that_says_nothing_takes_its_first_seeds_as_examples(folder: Path) -> None:
    found = job(folder, "a.toml", "bare.toml", "list.txt").parts[1]
    assert found.topic.examples == tuple(f"http://bare.com/{n}" for n in range(DEFINING_SEEDS))


def test_one_topic_with_lists_is_a_crawl_of_one_topic(folder: Path) -> None:
    found = job(folder, "more.txt", "b.toml", keywords="z")
    assert (found.name, found.parts, found.topic.keywords) == ("bees", (), ("z",))
    assert found.seeds == ("http://b.com/", "http://more.com/")
    assert found.scope.refuses("http://more.com/p") == ""
    lists = job(folder, "list.txt", "more.txt")
    assert (lists.name, len(lists.seeds), lists.parts) == ("list+more", 3, ())


def test_a_file_whose_name_has_a_comma_is_one_file(folder: Path) -> None:
    assert job(folder, "x,y.txt").seeds == ("http://comma.com/",)
    assert entries_of("a.txt, b.txt，c.txt") == ("a.txt", "b.txt", "c.txt")
    assert entries_of("a.txt,a.txt") == ("a.txt",)
    assert entries_of(",") == (",",)


@pytest.mark.parametrize(
    ("names", "arguments", "piece"),
    [
        (["a.toml", "b.toml"], {"keywords": "x"}, "but there are 2 (a, bees); write keywords into the files"),
        (["a.toml", "b.toml"], {"examples": "http://x.com/"}, "write examples into the files"),
        (["b.toml", "Bees.toml"], {}, "Two topics are called 'bees'"),
        (["a.toml", "none.toml"], {}, "none.toml' does not exist"),
        (["list.txt", "none.txt"], {}, "none.txt' does not exist"),
    ],
)
def test_what_cannot_be_is_said_in_one_sentence(folder: Path, names: list[str], arguments: dict[str, str], piece: str) -> None:
    with pytest.raises(BadInput) as told:
        job(folder, *names, **arguments)
    assert piece in str(told.value)
    assert "\n" not in str(told.value)


def given(seeds: str, **arguments: str) -> CrawlJob:
    return job_of(parse_arguments({"seeds": seeds, **arguments}))


def test_addresses_may_be_given_instead_of_a_file(folder: Path) -> None:
    found = given("http://Example.com/a#x")
    assert (found.name, found.seeds, found.topic.name, found.parts) == (
        "example.com",
        ("http://example.com/a",),
        "example.com",
        (),
    )
    several = given("https://a.com/x，HTTP://b.com, http://a.com/y", keywords="z")
    assert several.name == "a.com+b.com"
    assert several.seeds == ("https://a.com/x", "http://b.com/", "http://a.com/y")
    assert several.topic.keywords == ("z",)
    assert given("http://a.com/", name="mine").name == "mine"


def test_addresses_beside_files(folder: Path) -> None:
    found = given(f"http://mine.com/,{folder}/b.toml,{folder}/a.toml")
    assert [part.name for part in found.parts] == ["bees", "a"]
    assert all("http://mine.com/" in part.seeds for part in found.parts)
    assert given(f"http://mine.com/,{folder}/more.txt").name == "more+mine.com"


def test_a_comma_behind_a_backslash_is_part_of_a_url() -> None:
    assert given(r"http://a.com/x\,y.html，http://b.com/甲\，乙").seeds == (
        "http://a.com/x,y.html",
        "http://b.com/%E7%94%B2%EF%BC%8C%E4%B9%99",
    )


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("《饮食，男女》，film", ("《饮食，男女》", "film")),
        (r"饮食\，男女,film", ("饮食，男女", "film")),
        ("《a,b，c", ("《a", "b", "c")),
        (r"C:\dir,\,", (r"C:\dir", ",")),
        ("，, 、", ()),
    ],
)
def test_a_separator_may_be_part_of_a_word(text: str, parts: tuple[str, ...]) -> None:
    assert split_list(text) == parts
    assert split_list(list_of(parts)) == parts


@pytest.mark.parametrize("piece", ["《", "《a", ",", "\\,", "a,", "《a,》"])
def test_long_lists_are_split_and_read_in_linear_time(piece: str) -> None:
    text = piece * 500_000
    with linear():
        split_list(text)
        seeds_of_text(text)


def test_given_addresses_are_checked_like_the_lines_of_a_file() -> None:
    found = given("http://a.com/,http://b c.com/,http://x..y/")
    assert found.seeds == ("http://a.com/",)
    assert [problem.partition(":")[0] for problem in found.problems] == ["seeds, URL 2", "seeds, URL 3"]


@pytest.mark.parametrize(
    ("seeds", "piece"),
    [
        ("http://", "No seed is left: seeds, URL 1: 'http://' is not a valid URL."),
        ("http://a.com/x,y.html", "'y.html' does not exist; write a comma inside a URL as \\,, in quotes for the shell."),
        ("http://" + ".com/,http://".join("abcdefghijklmnopqrs") + ".com/" + ",http://a.com/" * 3, "give -a name=NAME"),
        ("ftp://a.com/", "does not exist."),
        ("www.例子.cn/页", "'www.例子.cn/页' does not exist; if it is a URL, write http:// before it."),
        ("nowhere", "'nowhere' does not exist."),
    ],
)
def test_given_addresses_that_are_refused(seeds: str, piece: str) -> None:
    with pytest.raises(BadInput) as told:
        given(seeds)
    assert piece in str(told.value)


def test_a_job_of_scrapyd_may_give_addresses(tmp_path: Path) -> None:
    assert job_of(parse_arguments({"seeds": "http://a.com/"}), Roots.of(str(tmp_path))).seeds == ("http://a.com/",)
    with pytest.raises(BadInput, match="outside the folders"):
        job_of(parse_arguments({"seeds": "http://a.com/,/etc/passwd"}), Roots.of(str(tmp_path)))


def test_joined_names_that_are_too_long(folder: Path) -> None:
    for letter in "pq":
        (folder / f"{letter}.toml").write_text(
            f'[topic]\nname = "{letter * 60}"\nkeywords = ["x"]\n[seeds]\nurls = ["p.com"]\n'
        )
    with pytest.raises(BadInput, match="give -a name=NAME"):
        job(folder, "p.toml", "q.toml")
    assert len(job(folder, "p.toml", "q.toml", name="short").parts) == 2
