from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from focuscrawl.errors import BadInput
from focuscrawl.export import markdown_folder
from focuscrawl.export.markdown_folder import OURS, document, file_name, write_markdown
from focuscrawl.export.selection import GONE, NEW, Selected
from focuscrawl.export.targets import folder_at, writing
from tests.export.sample import known_page, sample_pages, selected


def ours(name: str) -> bool:
    return bool(OURS.fullmatch(name))


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_front_matter_and_text(tmp_path: Path) -> None:
    page = known_page(tmp_path)
    _, head, text = document(page, markdown_folder.HEAD).split("---\n", 2)
    told = yaml.safe_load(head)
    assert told["title"] == '望远镜: a "first" look'
    assert (told["author"], told["published"], told["licence"], told["reserved"]) == (
        "王小明",
        "2024-05-06",
        "CC-BY-4.0",
        ["noai"],
    )
    assert told["terms"] == {"搜索": 0.4, "crawler": 0.2}
    assert text == "\n# 望远镜 入门\n\nA telescope shows the moons.\n\n```\nx = 1\ny = 2\n```\n"


def test_what_is_not_known_is_left_out(tmp_path: Path) -> None:
    told = yaml.safe_load(document(sample_pages(tmp_path)[0], markdown_folder.HEAD).split("---\n")[1])
    assert "author" not in told
    assert told["url"] == "http://news.example.com/"


@pytest.mark.parametrize(
    "title", ["a: b", "- x", "'", '"', "# no", "\x85\x7f\u2028", "yes", "{a: 1}", "\ud800", "line\nbreak", "😀 望"]
)
def test_every_title_is_yaml(tmp_path: Path, title: str) -> None:
    page = replace(sample_pages(tmp_path)[0], title=title)
    head = document(page, ("title",)).encode("utf-8", "replace").decode().split("---\n")[1]
    if title != "\ud800":
        assert yaml.safe_load(head) == {"title": title}
    else:
        assert head == 'title: "\\ud800"\n'


@pytest.mark.parametrize(
    ("url", "start"),
    [
        ("http://example.org/", "example.org/"),
        ("http://example.org/guide/%E6%9C%9B%E8%BF%9C%E9%95%9C.html?a=1", "example.org/guide-望远镜.html-a-1-"),
        ("http://example.org:8080/../../etc/passwd", "example.org_8080/etc-passwd-"),
        ("http://[2001:db8::1]/con", "2001_db8_1/con-"),
        ("http://例子.cn/" + "长" * 200, "例子.cn/长"),
        ("http://example.org/%00%2e%2e%2f", "example.org/"),
    ],
)
def test_file_names_are_safe_and_speak(url: str, start: str) -> None:
    name = file_name(url)
    assert name.startswith(start)
    assert OURS.fullmatch(name), name
    folder, _, own = name.partition("/")
    assert "/" not in own
    assert not own.startswith((".", "-"))
    assert len(own.encode()) < 120
    assert folder.strip(".")


def test_two_urls_never_share_a_file() -> None:
    urls = [f"http://example.org/{path}" for path in ("a", "A", "a/", "a?", "%61", "a-", "a.", "a b", "a%2Fb", "a/b")]
    assert len({file_name(url).lower() for url in urls}) == len(urls)


def test_a_folder_of_pages(tmp_path: Path) -> None:
    pages = sample_pages(tmp_path / "crawl")
    for _ in range(2):  # a second export takes the place of the first
        with writing(folder_at(str(tmp_path / "md"), ours=ours)) as target:
            assert write_markdown(selected(pages), target) == 4
        assert files(tmp_path / "md") == {file_name(page.url) for page in pages}
    assert {path.name for path in tmp_path.iterdir()} == {"crawl", "md"}


def test_what_has_changed_is_added_and_what_is_gone_removed(tmp_path: Path) -> None:
    first, second, third, _ = sample_pages(tmp_path / "crawl")
    with writing(folder_at(str(tmp_path / "md"), ours=ours)) as target:
        write_markdown(selected([first, second]), target)
    with writing(folder_at(str(tmp_path / "md"), ours=ours, keep=True)) as target:
        changed = replace(second, text="another text", outline=())
        write_markdown([*selected([first], GONE), *selected([changed, third], NEW)], target)
    assert files(tmp_path / "md") == {file_name(second.url), file_name(third.url)}
    assert "another text" in (tmp_path / "md" / file_name(second.url)).read_text()


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "md").mkdir()
    (tmp_path / "md" / "notes.md").write_text("mine")
    with pytest.raises(BadInput, match=r"holds 'notes\.md', which no export has written"):
        folder_at(str(tmp_path / "md"), ours=ours)
    assert files(tmp_path) == {"md/notes.md"}


def test_a_failure_leaves_the_former_folder(tmp_path: Path) -> None:
    pages = sample_pages(tmp_path / "crawl")
    with writing(folder_at(str(tmp_path / "md"), ours=ours)) as target:
        write_markdown(selected(pages[:1]), target)

    def broken() -> Iterator[Selected]:
        yield from selected(pages)
        raise OSError("full")

    with pytest.raises(OSError, match="full"), writing(folder_at(str(tmp_path / "md"), ours=ours)) as target:
        write_markdown(broken(), target)
    assert files(tmp_path / "md") == {file_name(pages[0].url)}
    assert not (tmp_path / "md.part").exists()
