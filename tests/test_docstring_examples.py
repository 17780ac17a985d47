"""The `>>>` examples of docstrings are true."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("focuscrawl", "models", "spiders", "pipelines", "middlewares", "synthweb", "tools")


def with_examples() -> list[str]:
    """The names of the modules that have examples."""
    files = (file for package in PACKAGES for file in sorted(Path(ROOT, package).rglob("*.py")))
    return [".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files if ">>> " in file.read_text("utf-8")]


@pytest.mark.parametrize("name", with_examples())
def test_the_examples_of_a_module_hold(name: str) -> None:
    result = doctest.testmod(import_module(name))
    assert result.attempted
    assert not result.failed
