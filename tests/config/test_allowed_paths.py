"""A job reads and writes below the operator's folders, whatever path leads there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from focuscrawl.config.allowed_paths import ANYWHERE, ROOTS, Roots
from focuscrawl.errors import BadInput


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """in/ (the root, with a file and links), out/ (with a file), in-too/."""
    for folder in ("in/sub", "out", "in-too"):
        (tmp_path / folder).mkdir(parents=True)
    for file in ("in/seeds.txt", "out/secret", "in-too/secret"):
        (tmp_path / file).write_text("x")
    (tmp_path / "in/link").symlink_to(tmp_path / "out")
    (tmp_path / "in/file").symlink_to(tmp_path / "out/secret")
    (tmp_path / "in/near").symlink_to("seeds.txt")
    (tmp_path / "in/dangling").symlink_to(tmp_path / "out/nothing")
    (tmp_path / "in/loop").symlink_to("loop")
    return tmp_path


@pytest.mark.parametrize("path", ["in/seeds.txt", "in/sub/../seeds.txt", "in/near", "in/new/one", "in", "out/../in/seeds.txt"])
def test_below_a_root(place: Path, path: str) -> None:
    Roots.of(f"{place}/in").check(place / path, "The file")


@pytest.mark.parametrize(
    "path",
    [
        *(
            "out/secret",
            "in/../out/secret",
            "in/link/secret",
            "in/link",
            "in/file",
            "in/dangling",
            "in-too/secret",
            "",
            "in/..",
        ),
        *("in/sub/../../out/secret", "in/link/../in-too/secret", "in/a\0b", "in/link/new"),
    ],
)
def test_outside(place: Path, path: str) -> None:
    with pytest.raises(BadInput, match=f"^The file .* lies outside the folders of {ROOTS}\\.$") as told:
        Roots.of(f"{place}/in").check(place / path, "The file")
    assert "secret" in path or "secret" not in str(told.value)  # nothing is told of where links lead


def test_what_begins_elsewhere(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place / "in")
    roots = Roots.of(str(place / "in"))
    roots.check(Path("seeds.txt"), "The file")
    for path in ("/etc/passwd", "../out/secret", "../../../../../../../etc/passwd"):
        with pytest.raises(BadInput):
            roots.check(Path(path), "The file")


def test_roots_themselves_may_be_links_and_several(place: Path) -> None:
    (place / "alias").symlink_to(place / "out")
    roots = Roots.of(f"{place}/in: {place}/alias ::{place}/in")
    assert roots.folders == (place / "in", place / "out")
    roots.check(place / "in/link/secret", "The file")
    roots.check(place / "alias/secret", "The file")


@pytest.mark.parametrize(
    ("value", "told"), [("", f"set {ROOTS}"), (" : ", f"set {ROOTS}"), ("srv", "absolute"), ("/nowhere", "absolute")]
)
def test_roots_that_are_none(value: str, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        Roots.of(value)


def test_a_file_is_no_root(place: Path) -> None:
    with pytest.raises(BadInput, match="not the absolute path of a folder"):
        Roots.of(str(place / "in/seeds.txt"))


def test_the_directory_of_a_crawl(place: Path) -> None:
    roots, crawl = Roots.of(str(place / "in")), place / "in/crawls/a"
    roots.check_crawl(crawl)
    crawl.mkdir(parents=True)
    (crawl / "topic.json").symlink_to(place / "in/seeds.txt")
    roots.check_crawl(crawl)
    (crawl / "store.sqlite").symlink_to(place / "out/secret")
    with pytest.raises(BadInput, match=r"store\.sqlite.*leads out of"):
        roots.check_crawl(crawl)
    with pytest.raises(BadInput, match="The crawl's directory"):
        roots.check_crawl(place / "in/link/crawl")
    with pytest.raises(BadInput, match="cannot be read: Not a directory"):
        roots.check_crawl(place / "in/seeds.txt")


def test_a_person_may_read_anywhere(place: Path) -> None:
    ANYWHERE.check(place / "in/link/secret", "The file")
    ANYWHERE.check_crawl(place / "in/link")
    assert os.path.exists("/etc")
    ANYWHERE.check(Path("/etc"), "The file")
