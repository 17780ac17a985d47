"""Seed files as people write them, and the jobs made of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from focuscrawl.config.arguments import OF_TOPIC_FILES, CrawlArguments, parse_arguments
from focuscrawl.config.job import job_of
from focuscrawl.config.seed_list import seeds_of_text
from focuscrawl.config.topic_file import SeedFile, _Tables, read_seeds
from focuscrawl.errors import BadInput
from tests.linear_time import linear


def written(folder: Path, content: str | bytes, name: str = "seeds.txt") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def read(folder: Path, content: str | bytes, name: str = "seeds.txt") -> SeedFile:
    return read_seeds(written(folder, content, name))


OPML = """<?xml version="1.0" encoding="UTF-8"?>
<!-- exported --><opml version="2.0"><head><title>Blogs</title></head><body><outline text="天文">
<outline type="rss" text="A" htmlUrl="http://a.com/" xmlUrl="http://a.com/feed?a=1&amp;b=2"/>
<outline type="rss" text="B" xmlUrl="https://b.com/atom.xml"/><outline type="link" text="C" URL=" https://c.com/ "/>
<outline text="D" xmlUrl="ftp://d.com/"/></outline><outline text="again" htmlUrl="http://a.com"/></body></opml>"""


@pytest.mark.parametrize("name", ["blogs.opml", "blogs.xml"])
def test_the_list_of_a_feed_reader(tmp_path: Path, name: str) -> None:
    found = read(tmp_path, OPML, name)
    assert found.seeds == ("http://a.com/", "https://b.com/atom.xml", "https://c.com/")
    assert found.problems == (f"'{name}', outline 'D': 'ftp://d.com/' is not a web URL; only http and https are crawled.",)
    assert job_of(parse_arguments({"seeds": str(tmp_path / name)})).name == "blogs"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("http://a.com/", "is not OPML: its root element should be <opml>"),
        ("<html><body>http://a.com/</body></html>", "is not OPML: its root element should be <opml>"),
        ('<!DOCTYPE opml [<!ENTITY a SYSTEM "file:///etc/passwd">]><opml><outline xmlUrl="&a;"/></opml>', "is not OPML"),
        ("<opml><body><outline text='a'/></body></opml>", "names no site: no outline has htmlUrl or xmlUrl"),
        ("<opml><body><outline xmlUrl='ftp://a'/></body></opml>", "has no valid URL"),
    ],
)
def test_a_list_that_cannot_be_used(tmp_path: Path, content: str, problem: str) -> None:
    with pytest.raises(BadInput, match=problem):
        read(tmp_path, content, "blogs.opml")


LINES = """# 种子
http://Example.com/a#x

www.example.org/路径   # a comment
例子.中国
https://example.com:8443/b?utm_source=x
http://example.com/a
//h.com/c
127.0.0.1:8000/x
localhost/y
http://e.com/p#frag
"""
URLS = (
    "http://example.com/a",
    "http://www.example.org/%E8%B7%AF%E5%BE%84",
    "http://xn--fsqu00a.xn--fiqs8s/",
    "https://example.com:8443/b",
    "http://h.com/c",
    "http://127.0.0.1:8000/x",
    "http://localhost/y",
    "http://e.com/p",
)


@pytest.mark.parametrize("charset", ["utf-8", "utf-8-sig", "utf-16", "gbk", "gb18030", "utf-32"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_plain_lists_in_any_dress(tmp_path: Path, charset: str, end: str) -> None:
    found = read(tmp_path, LINES.replace("\n", end).encode(charset))
    assert found.seeds == URLS
    assert found.problems == ()


def test_bad_lines_are_reported_by_number_and_skipped(tmp_path: Path) -> None:
    lines = [
        "http://a.com/",
        "mailto:x@y.z",
        "http://a b.com/",
        "word",
        "http://",
        "",
        "http://x..y/",
        "http://a.com/" + "x" * 2100,
        "javascript:alert(1)",
        "http://b.com/",
        "1,http://c.com/",
        "ftp://d.com",
    ]
    found = read(tmp_path, "\n".join(lines))
    assert found.seeds == ("http://a.com/", "http://b.com/")
    assert [problem.partition(":")[0] for problem in found.problems] == [
        f"'seeds.txt', line {number}" for number in (2, 3, 4, 5, 7, 8, 9, 11, 12)
    ]
    assert all(problem.isprintable() and len(problem) < 250 for problem in found.problems)


@pytest.mark.slow
def test_fifty_thousand_lines_are_read_fast(tmp_path: Path) -> None:
    path = written(tmp_path, "\n".join(f"http://www{n % 5000}.example.com/a/{n}.html?b=1" for n in range(50000)))
    with linear():
        assert len(read_seeds(path).seeds) == 50000


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"\xef\xbb\xbf \r\n\t", "is empty"),
        (b"\x7fELF\x02\x01\x01\x00\x00", "is not a text file"),
        (b"http://a.com/\x00", "is not a text file"),
        (b"\xff\xff\xff\xff http://a.com", "is not a text file"),
        (b"# only a comment\n", "has no valid URL"),
        (b"secret:x:1:\nroot:y:2:", "has no valid URL .first problem: '[^']+', line 1."),
    ],
)
def test_files_that_hold_no_seeds(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(BadInput, match=message) as caught:
        read(tmp_path, content)
    assert "seeds.txt" in str(caught.value)
    assert "secret" not in str(caught.value)


def test_paths_that_are_no_files(tmp_path: Path) -> None:
    for path, message in (
        (tmp_path / "none.txt", "does not exist"),
        (tmp_path, "is a directory"),
        (Path("/dev/zero"), "is not an ordinary file"),
        (Path("a\0b"), "cannot be read"),
        (tmp_path / ("x" * 300), "cannot be read"),
        (tmp_path / "seeds.txt" / "x", "cannot be read"),
    ):
        written(tmp_path, "http://a.com/")
        with pytest.raises(BadInput, match=message):
            read_seeds(path)


def test_a_file_that_is_too_large(tmp_path: Path) -> None:
    path = tmp_path / "seeds.txt"
    with path.open("wb") as file:
        file.truncate(65 * 2**20)
    with pytest.raises(BadInput, match="larger than 64 MiB"):
        read_seeds(path)


TOML = """
[topic]
name = "爬虫"
title = "Web crawlers"
keywords = ["web crawler", " 爬虫 ", "爬虫", ""]
examples = ["http://E.com/a", "good.html"]
negative_examples = ["https://e.com/no", "sub/bad.html"]
languages = ["ZH-cn", "en", "zh"]
threshold = 0.25

[seeds]
urls = ["example.com", "http://example.com/", "bad one", "http://news.e.cn/新"]

[scope]
include = ["/a/", "*.html"]
exclude = ["re:[?&]x="]
hosts = ["例子.cn", ".E.com", "[::1]", "127.0.0.1:8000"]
one_site = true
"""


@pytest.mark.parametrize("charset", ["utf-8", "utf-8-sig", "utf-16", "gbk"])
@pytest.mark.parametrize("name", ["t.toml", "T.TOML", "topic.txt"])
def test_a_whole_topic_file(tmp_path: Path, charset: str, name: str) -> None:
    (tmp_path / "sub").mkdir()
    good, bad = written(tmp_path, "x", "good.html"), written(tmp_path, "x", "sub/bad.html")
    found = read(tmp_path, TOML.replace("\n", "\r\n").encode(charset), name)
    assert found.seeds == ("http://example.com/", "http://news.e.cn/%E6%96%B0")
    assert [problem.partition(":")[0] for problem in found.problems] == [f"{name!r}, [seeds] urls, entry 3"]
    topic = found.topic
    assert (topic.name, topic.title, topic.keywords) == ("爬虫", "Web crawlers", ("web crawler", "爬虫"))
    assert (topic.examples, topic.example_files) == (("http://e.com/a",), (good,))
    assert (topic.negative_examples, topic.negative_example_files) == (("https://e.com/no",), (bad,))
    assert (topic.languages, topic.threshold) == (("zh", "en"), 0.25)
    assert found.scope.hosts == ("xn--fsqu00a.cn", ".e.com", "[::1]", "127.0.0.1:8000")
    assert found.scope.sites == frozenset({"example.com", "e.cn"})
    assert found.scope.refuses("http://www.example.com/b.html") == ""
    assert found.scope.refuses("http://www.example.com/b") == "include"


SEEDS = '[seeds]\nurls = ["http://a.com/"]\n'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[topic\n", "broken TOML: .*line 1"),
        ("[topic]\nname = 'a'\nname = 'b'\n", "broken TOML: .*line 3"),
        ("x = " + "[" * 5000, "broken TOML"),
        ("[topic]\nkeywords = [“茶”]\n", 'broken TOML: Invalid value .at line 2, column 13.: write " in place of “[.]$'),
        ("[topic]\r\nkeywords = ['茶'，'水']\r\n", "at line 2, column 16.: write , in place of ，"),
        ("［topic］\n", "at line 1, column 1.: write . in place of ［"),
        ("[topic]\nthreshold = ０.5\n", "at line 2, column 13.: write 0 in place of ０"),
        ("[topic]\nkeywords： ['茶']\n", "at line 2, column 9.: write = in place of ："),
        ("[topic]\nkeywords　= ['茶']\n", "write a plain space in place of "),
        ("[topic]\n标题 = 'Tee'", "at line 2, column 1.[.]$"),
        ("[topic]\nname = 'Tee", "at end of document.[.]$"),
        ("[topics]\n" + SEEDS, "no table .topics.; did you mean topic"),
        ("[seed]\nurls=[]\n", "did you mean seeds"),
        (SEEDS + "[topic]\nkeyword = []\n", "did you mean keywords"),
        (SEEDS + "[scope]\nonesite = true\n", "did you mean one_site"),
        (SEEDS + "[[topic]]\nname = 'a'\n", "topic is a list, but it must be a table"),
        ("topic = 'x'\n" + SEEDS, "topic is text, but it must be a table"),
        ("[seeds]\nurls = 'http://a.com/'\n", "urls: is text, but it must be a list of texts"),
        ("[seeds]\nurls = [1]\n", "urls: an entry is a number"),
        ("[seeds]\nurls = []\n", "has no valid URL"),
        ("[topic]\nname = 'a'\n", "has no valid URL"),
        (SEEDS + "[topic]\nkeywords = 'a, b'\n", "keywords: is text"),
        (SEEDS + '[topic]\nkeywords = ["a\\u0000b"]\n', "control characters"),
        (SEEDS + "[topic]\nname = 3\n", "name: is a number"),
        (SEEDS + "[topic]\nname = '../x'\n", "name: '../x' holds a slash"),
        (SEEDS + "[topic]\nname = ''\n", "is empty"),
        (SEEDS + "[topic]\ntitle = 2024-01-01\n", "title: is a date or time"),
        (SEEDS + "[topic]\nthreshold = 1.5\n", "threshold: 1.5 is not between 0 and 1"),
        (SEEDS + "[topic]\nthreshold = nan\n", "threshold"),
        (SEEDS + f"[topic]\nthreshold = 1{'0' * 400}\n", "threshold"),
        (SEEDS + "[topic]\nthreshold = true\n", "threshold: is true or false, but it must be a number"),
        (SEEDS + "[topic]\nlanguages = ['chinese']\n", "'chinese' is not the code of a known language, such as zh"),
        (SEEDS + "[topic]\nlanguages = ['cn']\n", "'cn' is not the code of a known language; for Chinese, write zh"),
        (SEEDS + "[topic]\nexamples = ['none.html']\n", "examples: the file .*none.html' does not exist"),
        (SEEDS + "[topic]\nexamples = ['.']\n", "is a directory"),
        (SEEDS + "[topic]\nkeywords = ['Tea']\nnegative_terms = ['tea']\n", "negative_terms: 'tea' is a keyword, too"),
        (SEEDS + "[topic]\nexamples = ['http://']\n", "examples: 'http://' is not a valid URL"),
        (SEEDS + "[scope]\none_site = 1\n", "one_site: is a number, but it must be true or false"),
        (SEEDS + "[scope]\ninclude = ['re:(']\n", "include: 're:.' ?: not a regular expression"),
        (SEEDS + "[scope]\nhosts = ['http://a.com/']\n", "is not a host name"),
        (SEEDS + "[scope]\nhosts = ['*.a.com']\n", "is not a host name"),
    ],
)
def test_topic_files_that_are_refused(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(BadInput, match=message) as caught:
        read(tmp_path, content, "t.toml")
    text = str(caught.value)
    assert "t.toml" in text
    assert "\n" not in text


def test_an_argument_beats_the_file(tmp_path: Path) -> None:
    example = written(tmp_path, "x", "e.html")
    path = str(written(tmp_path, SEEDS + "[topic]\nname = 'mine'\nkeywords = ['a']\nthreshold = 0.5\n", "t.toml"))
    job = job_of(parse_arguments({"seeds": path}))
    assert (job.name, job.topic.name, job.topic.keywords, job.arguments.seeds) == ("mine", "mine", ("a",), path)
    given = {
        "seeds": path,
        "name": "other",
        "keywords": "b，c",
        "examples": f"http://x.com, {example}",
        "max_pages": "3",
    }
    job = job_of(parse_arguments(given))
    assert (job.name, job.topic.keywords, job.topic.threshold) == ("other", ("b", "c"), 0.5)
    assert (job.topic.examples, job.topic.example_files) == (("http://x.com/",), (example,))
    assert (job.seeds, job.arguments.max_pages) == (("http://a.com/",), 3)
    with pytest.raises(BadInput, match=r"examples: the file .* does not exist"):
        job_of(parse_arguments({"seeds": path, "examples": "nowhere.html"}))


def test_the_crawl_is_called_after_the_file_when_nothing_else_is_said(tmp_path: Path) -> None:
    assert job_of(parse_arguments({"seeds": str(written(tmp_path, "a.com", "铁路.2.txt"))})).name == "铁路.2"
    path = str(written(tmp_path, "a.com", ".txt"))
    with pytest.raises(BadInput, match="give -a name=NAME"):
        job_of(parse_arguments({"seeds": path}))
    assert job_of(parse_arguments({"seeds": path, "name": "x"})).name == "x"


def test_seeds_outside_the_scope_are_kept_and_reported(tmp_path: Path) -> None:
    path = written(tmp_path, SEEDS + "[scope]\nhosts = ['b.com']\n", "t.toml")
    job = job_of(parse_arguments({"seeds": str(path)}))
    assert job.seeds == ("http://a.com/",)
    assert job.problems == ("seed 'http://a.com/' lies outside the scope.",)


@pytest.mark.parametrize("name", ["railways.txt", "web-crawlers.toml"])
def test_the_examples_that_come_with_the_project(name: str) -> None:
    job = job_of(parse_arguments({"seeds": str(Path(__file__).parents[2] / "seeds" / name)}))
    assert job.name == name.partition(".")[0]
    assert len(job.seeds) == 3
    assert job.problems == ()


@pytest.mark.parametrize("comma", ["，", ",", "、", "；", "。"])
def test_a_line_with_two_urls_is_reported_not_taken_for_one(tmp_path: Path, comma: str) -> None:
    path = tmp_path / "seeds.txt"
    path.write_text(f"http://a.com/{comma}https://b.com/\nhttp://web.c.com/2020/http://d.com/?u=http://e.com/a,b\n")
    found = read_seeds(path)
    assert found.seeds == ("http://web.c.com/2020/http://d.com/?u=http://e.com/a,b",)
    assert found.problems == (
        f"'seeds.txt', line 1: 'http://a.com/{comma}https://b.com/' holds several URLs; give one URL per line.",
    )


@pytest.mark.parametrize(
    "row", ['"http://a.com/","Title"', "a.com,标题", "http://a.com;3", "http://a.com/a\tTitle", 'http://a.com/a,"T, b"',
    "http://a.com/a.html, a title", '"http://a.com/"',
    "http://a.com/;Grüner Tee", "标题,http://a.com/", "1,http://a.com/,2020-01-01"],
)  # fmt: skip
def test_a_row_of_a_table_is_reported_not_taken_for_a_url(tmp_path: Path, row: str) -> None:
    found = read(tmp_path, f"http://b.com/0,1518,7.html\n{row}\nhttp://b.com/dir/,x\nhttp://b.com/tags/python,数据\n")
    assert [url.startswith("http://b.com/") for url in found.seeds] == [True] * 3
    assert len(found.problems) == 1
    assert found.problems[0].startswith("'seeds.txt', line 2: ")
    assert "looks like a row of a table; give one URL per line and nothing else" in found.problems[0]


@pytest.mark.parametrize(
    ("before", "rows"),
    [
        ("url,title", ["http://a.com/x,Tea"]),
        ("url;title", ["http://a.com/x;Tea", "http://a.com/y;Milk"]),
        (
            "http://a.com/",
            [
                "http://a.com/1,标题",
                "http://a.com/2.html,Tea",
                "http://a.com/3,题",
                "http://a.com/4/,茶",
                "http://a.com/5/,Tee",
                "http://a.com/6,Milk",
            ],
        ),
        ("http://a.com/", [f"http://a.com/{number}," for number in range(5)]),
        ("http://a.com/", [f"http://a.com/{number},第{number}课，茶" for number in range(6)]),
        ("http://a.com/", [f"http://a.com/{number},茶,2024-01-0{number}" for number in range(1, 7)]),
        ("http://a.com/", [f"http://a.com/{number},第{max(number, 1)}月" for number in range(10)]),
        ("http://a.com/", ["http://a.com/1,Tea", *(f"http://a.com/{number},Tea with milk" for number in range(5))]),
    ],
)
def test_lines_that_could_be_urls_are_rows_where_the_others_are(tmp_path: Path, before: str, rows: list[str]) -> None:
    path = written(tmp_path, "\n".join((before, *rows)))
    found = seeds_of_text(path.read_text(encoding="utf-8"))
    assert len([problem for problem in found.problems if "row of a table" in problem]) == len(rows) + (before[:3] == "url")
    assert found.is_list


@pytest.mark.parametrize("url", ["https://a.com/dir/,x", "https://a.com/tags/python,数据", "http://a.com/0,1518,{}.html"])
def test_urls_with_commas_are_urls(tmp_path: Path, url: str) -> None:
    """They were called rows of a table; with %2C they are other URLs."""
    assert len(read(tmp_path, f"{url}\nhttp://b.com/\n").seeds) == 2
    many = "\n".join(f"http://a.com/0,1518,{number}.html" for number in range(9))
    assert len(read(tmp_path, f"{many}\n{url}\n").seeds) == 10


@pytest.mark.parametrize("url", ["http://a.com/tags/x{},数据", "http://a.com/tags/x,第{}月", "http://a.com/x{},第{}月.html"])
def test_tags_that_recur_and_paths_that_go_on_behind_a_comma_are_no_titles(tmp_path: Path, url: str) -> None:
    """Five such lines were refused as a table, each page of which has a title of its own."""
    assert len(read(tmp_path, "\n".join(url.format(number, number) for number in range(9))).seeds) == 9


@pytest.mark.parametrize("url", ["http://a.com/{}/index.jsp;lang=en", "http://a.com/{}/;v=2"])
def test_urls_with_parameters_in_their_paths_are_urls(tmp_path: Path, url: str) -> None:
    """Nine of them looked like a table, whose fields stand between semicolons."""
    assert len(read(tmp_path, "\n".join(url.format(number) for number in range(9))).seeds) == 9


@pytest.mark.parametrize("url", ["http：//a.com/", "https:／／a.com/", "ｈｔｔｐ：／／a.com/"])
def test_a_url_that_begins_in_full_width_is_told_so(tmp_path: Path, url: str) -> None:
    found = read(tmp_path, f"http://b.com/\n{url}\n")
    assert found.problems == (f"'seeds.txt', line 2: {url!r} begins with signs in full width; write http:// or https://.",)


@pytest.mark.parametrize(("mark", "encoded"), [("。", "%E3%80%82"), ("，", "%EF%BC%8C")])
def test_the_mark_that_ends_a_sentence_is_no_part_of_a_url(tmp_path: Path, mark: str, encoded: str) -> None:
    found = read(tmp_path, f"http://a.com/一{encoded}\nhttp://a.com/b{mark}\n")
    assert found.seeds == (f"http://a.com/%E4%B8%80{encoded}",)
    assert found.problems == (
        f"'seeds.txt', line 2: 'http://a.com/b{mark}' ends with a mark of a sentence; leave it out, or write {encoded} if it"
        " belongs to the URL.",
    )
    with pytest.raises(
        BadInput, match=r"\(first problem: 'seeds.txt', line 1: 'http://a.com/b.' ends with a mark of a sentence;"
    ):
        read(tmp_path, f"http://a.com/b{mark}\n")


def test_a_list_of_urls_is_no_example_page(tmp_path: Path) -> None:
    written(tmp_path, "# pages\nhttp://a.com/1\nhttp://a.com/2\na remark\n", "pages.txt")
    written(tmp_path, "From http://a.com/1\nTea grows in the hills.\nhttp://a.com/1\n", "page.txt")
    with pytest.raises(
        BadInput, match=r"examples: the file .*pages\.txt' is a list of URLs, not a page; give the URLs themselves"
    ):
        read(tmp_path, SEEDS + "[topic]\nexamples = ['pages.txt']\n", "t.toml")
    assert read(tmp_path, SEEDS + "[topic]\nexamples = ['page.txt']\n", "t.toml").topic.example_files == (
        tmp_path / "page.txt",
    )


def test_urls_that_are_all_wrong_are_a_list_all_the_same(tmp_path: Path) -> None:
    """Its words, as `http` and `html`, became terms of the topic."""
    written(tmp_path, "url,title\nhttp://a.com/,Tea\nhttp://a.com/b.html,Green tea\n", "pages.csv")
    with pytest.raises(BadInput, match=r"the file .*pages\.csv' is a list of URLs, not a page"):
        read(tmp_path, SEEDS + "[topic]\nexamples = ['pages.csv']\n", "t.toml")
    with pytest.raises(
        BadInput, match=r"\(first problem: 'pages.csv', line 2: 'http://a.com/,Tea' looks like a row of a table"
    ):
        read_seeds(tmp_path / "pages.csv")


def test_an_empty_file_is_no_example_page(tmp_path: Path) -> None:
    written(tmp_path, "\r\n", "page.txt")
    with pytest.raises(BadInput, match=r"examples: the file .*page\.txt' is empty"):
        read(tmp_path, SEEDS + "[topic]\nexamples = ['page.txt']\n", "t.toml")


@pytest.mark.parametrize("line", ["And there the river runs so deep,", '"Come in," she said, "{}."', "int tea = {};"])
def test_lines_with_commas_and_no_url_are_no_list_of_urls(tmp_path: Path, line: str) -> None:
    written(tmp_path, "\n".join(line.format(number) for number in range(9)), "page.txt")
    topic = read(tmp_path, SEEDS + "[topic]\nexamples = ['page.txt']\n", "t.toml").topic
    assert topic.example_files == (tmp_path / "page.txt",)


def test_chinese_prose_with_dots_is_no_list_of_urls(tmp_path: Path) -> None:
    """A number with a decimal point made a host name of its line, and the page was refused as a list."""
    written(tmp_path, "中国铁路全长15.5万公里\n高铁4.5万公里。地铁不计\n例子.中国\n", "page.txt")
    topic = read(tmp_path, SEEDS + "[topic]\nexamples = ['page.txt']\n", "t.toml").topic
    assert topic.example_files == (tmp_path / "page.txt",)


def test_what_only_a_topic_file_can_say_is_known_where_arguments_are_read() -> None:
    tables = {table: _Tables.model_fields[table].default for table in ("topic", "scope")}
    keys = {key: table for table, default in tables.items() for key in type(default).model_fields}
    assert {key: table for key, table in keys.items() if key not in CrawlArguments.model_fields} == OF_TOPIC_FILES
