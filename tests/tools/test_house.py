"""The figures of the house, on files made for the purpose."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from tools.house import __main__ as house
from tools.house.one_page import NotCrawled, demo_settings
from tools.house.source import Module, Text, Tree, importers, percentile, settings, text_of
from tools.house.tracing import Tracer
from tools.house.words import meanings, repeated_classes, repeated_modules

SAMPLE = '''"""What it is for."""

# why it is so
LIMIT = 3  # measured on a Tuesday
"""Of what,
and in which unit."""


def first() -> str:  # noqa: ANN001
    """Says it."""
    return "# no comment"
'''


def module(path: str, text: str = "") -> Module:
    return Module(path, text)


def checkout(folder: Path, files: dict[str, str]) -> Tree:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Tree(folder)


class TestText:
    def test_code_comments_and_docstrings_are_told_apart(self) -> None:
        assert text_of(module("a.py", SAMPLE)) == Text(code=3, comments=2, docstrings=4)

    def test_a_string_that_is_a_value_is_code(self) -> None:
        assert text_of(module("a.py", 'SQL = """select\n1"""\n')) == Text(code=2, comments=0, docstrings=0)

    def test_what_speaks_to_tools_is_no_comment(self) -> None:
        assert text_of(module("a.py", "import os  # noqa: F401\nx = 1  # type: ignore[misc]\n")).comments == 0


class TestFunctions:
    def test_nested_functions_and_methods_count(self) -> None:
        text = "class A:\n    def one(self):\n        def two():\n            pass\n\n        return two\n"
        assert sorted(module("a.py", text).functions) == [2, 5]

    def test_percentiles(self) -> None:
        assert [percentile([5, 1, 3, 2, 4], share) for share in (0.5, 0.9, 1.0)] == [3, 5, 5]
        assert percentile([], 0.5) == 0


class TestImporters:
    def test_each_way_to_import_counts_once_a_module(self) -> None:
        modules = [
            module("room/__init__.py"),
            module("room/a.py"),
            module("room/b.py", "from room.a import x\nimport room.a\n"),
            module("room/c.py", "def late():\n    from room import a\n"),
            module("room/d.py", "from .a import x\nfrom . import b\n"),
            module("e.py", "import os\n"),
        ]
        counted = importers(modules)
        assert counted["room.a"] == 3
        assert counted["room.b"] == 1
        assert counted["e"] == 0


class TestTree:
    def test_tests_tools_and_the_synthetic_web_are_not_the_product(self, tmp_path: Path) -> None:
        tree = checkout(
            tmp_path,
            {
                "setup.py": "x = 1\n",
                "focuscrawl/a.py": "x = 1\n",
                "synthweb/b.py": "x = 1\ny = 2\n",
                "tests/c.py": "x = 1\n",
                "tests/synthweb/d.py": "x = 1\n",
                "tools/e.py": "x = 1\n",
                "build/f.py": "x = 1\n",
                ".venv/g.py": "x = 1\n",
            },
        )
        assert [one.path for one in tree.product] == ["focuscrawl/a.py"]
        assert [one.path for one in tree.synthetic] == ["synthweb/b.py"]
        assert [one.path for one in tree.beside("tests")] == ["tests/c.py", "tests/synthweb/d.py"]
        assert [one.path for one in tree.beside("tools")] == ["tools/e.py"]

    def test_small_modules_and_the_fullest_folder(self, tmp_path: Path) -> None:
        tree = checkout(
            tmp_path,
            {
                "room/__init__.py": "",
                "room/a.py": "x = 1\n",
                "room/b.py": "from room.a import x\n" + "y = 1\n" * 60,
                "room/deep/c.py": "",
            },
        )
        assert [one.path for one in tree.small] == ["room/a.py", "room/deep/c.py"]
        assert [one.path for one in tree.small_with_one_importer] == ["room/a.py"]
        assert tree.fullest_folder == ("room", 2)

    def test_settings_of_scrapy_do_not_count(self) -> None:
        text = "BOT_NAME = 'x'\nOURS = 1\nTYPED: int = 2\nlower = 3\nimport os\n"
        assert settings(module("settings.py", text), {"BOT_NAME"}) == {"OURS", "TYPED"}


class TestWords:
    def test_every_kind_of_thing_counts(self) -> None:
        modules = [
            module("room/place.py", "class Place: ...\ndef place_of(url): ...\n"),
            module("places/__init__.py"),
            module("tables.py", 'Table("worker", Column("place", Text), Column("other", Text))\n'),
            module("use.py", "def go(place: str, hard: bool) -> None:\n    place_of: int | None = 3\n"),
        ]
        found = sorted((one.what, one.where) for one in meanings("place", modules))
        assert found == [
            ("class", "room.place"), ("column", "Text"), ("function", "room.place"),
            ("module", "places"), ("module", "room.place"), ("value", "int"), ("value", "str"),
        ]  # fmt: skip

    def test_one_type_in_many_places_is_one_meaning(self) -> None:
        modules = [module("a.py", "def f(now: float): ...\n"), module("b.py", "class A:\n    now: float\n")]
        assert len(meanings("now", modules)) == 1

    def test_longer_names_containers_and_methods_do_not_count(self) -> None:
        text = "class StorePlace:\n    def place(self): ...\n\ndef f(place: list[str]): ...\n"
        assert not meanings("place", [module("a.py", text)])

    def test_names_that_stand_in_several_modules(self) -> None:
        modules = [
            module("a/x.py", "class Found: ...\nclass Once: ..."),
            module("b/x.py", "class Found: ...\nclass Command: ..."),
        ]
        modules.append(module("c/y.py", "class Command: ..."))
        assert repeated_classes(modules) == {"Found": 2}
        assert repeated_modules(modules) == {"x.py": 2}


class TestTracer:
    def test_calls_between_the_commits_of_two_pages(self, tmp_path: Path) -> None:
        report = io.StringIO()
        (tmp_path / "one.py").write_text("from two import g\ndef f():\n    g()\n    g()\n    (lambda: 1)()\n")
        (tmp_path / "two.py").write_text("def g(): ...\n")
        tracer = Tracer(tmp_path, report)
        spaces: dict[str, object] = {}
        code = compile((tmp_path / "two.py").read_text(), str(tmp_path / "two.py"), "exec")
        exec(code, spaces)
        code = compile((tmp_path / "one.py").read_text().partition("\n")[2], str(tmp_path / "one.py"), "exec")
        exec(code, spaces)
        assert tracer.home(code) == "one.py"

        sys.setprofile(tracer.called)
        try:
            spaces["f"]()  # type: ignore[operator]
        finally:
            sys.setprofile(None)
        tracer.executed("insert into pages_of_others (x) values (1)")
        tracer.executed("COMMIT")
        assert not report.getvalue()
        tracer.executed("insert or replace into page (pid) values (1)")
        tracer.executed("commit")
        assert json.loads(report.getvalue()) == {"modules": 2, "functions": 2, "changes": 3, "pairs": 3}

    def test_code_of_others_is_not_counted(self, tmp_path: Path) -> None:
        tracer = Tracer(tmp_path, io.StringIO())
        assert tracer.home(json.loads.__code__) == ""
        assert tracer.home(compile("", str(tmp_path / "synthweb/web.py"), "exec")) == ""
        assert tracer.home(compile("", str(tmp_path / "focuscrawl/a.py"), "exec")) == "focuscrawl/a.py"


class TestCommand:
    def test_columns_beside_each_other(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        for name, text in {"old": "# why\nx = 1\n", "new": "x = 1\ny = 2\n"}.items():
            checkout(tmp_path / name, {"focuscrawl/a.py": text})
        assert (
            house.main(["--parts", "files", "--given", "make test, seconds=9,5", str(tmp_path / "old"), str(tmp_path / "new")])
            == 0
        )
        printed = capsys.readouterr().out
        assert "|  | old | new |" in printed
        assert "| comments in 1 000 lines | 500.0 | 0.0 |" in printed
        assert "| make test, seconds | 9 | 5 |" in printed

    def test_a_row_with_too_few_figures_is_refused(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        checkout(tmp_path, {"focuscrawl/a.py": ""})
        assert house.main(["--parts", "files", "--given", "x=1,2", str(tmp_path)]) == 1
        assert "is not LABEL= and 1 figures" in capsys.readouterr().err

    def test_the_settings_of_the_demo_are_read_wherever_it_stands(self, tmp_path: Path) -> None:
        checkout(tmp_path, {"focuscrawl/inner/demo.py": 'SETTINGS = {"DOWNLOAD_TIMEOUT": 5}\n'})
        assert demo_settings(tmp_path) == {"DOWNLOAD_TIMEOUT": "5"}
        with pytest.raises(NotCrawled):
            demo_settings(tmp_path / "focuscrawl/inner/none")
