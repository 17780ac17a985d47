"""scrapy demo, as `make demo` calls it."""

from __future__ import annotations

from pathlib import Path

import pytest

from focuscrawl.commands import demo
from synthweb.compare import Comparison
from tests.commands.call import call, refused
from tests.report.sample import sample_crawl


@pytest.mark.system
def test_each_step_is_told_up_to_the_report(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo" / "left").touch()
    assert call(demo.Command(), tmp_path, "--max-pages", "30") == 0
    printed = capfd.readouterr().out
    steps = [line.split()[1] for line in printed.splitlines() if line.startswith("demo:")]
    assert steps == ["making", "serving", "crawling", "asking"]
    assert "kept pages on the topic" in printed
    assert f"The report: {tmp_path / 'demo' / 'report.html'}" in printed
    assert (tmp_path / "demo" / "report.html").is_file()
    assert not (tmp_path / "demo" / "left").exists()
    urls = demo.kept(tmp_path)
    assert urls
    assert all(url.startswith("http://") for url in urls)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(("--topic", "astrnomy"), "did you mean astronomy?"), (("--max-pages", "0"), "--max-pages 0 is not 1 or more")],
)
def test_what_cannot_be_used_is_refused(
    arguments: tuple[str, str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in refused(capsys, demo.Command(), tmp_path, *arguments)


def test_a_crawl_of_the_user_is_not_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample_crawl(tmp_path / "demo")
    assert "is not a demo" in refused(capsys, demo.Command(), tmp_path)
    assert (tmp_path / "demo" / "store.sqlite").exists()


def test_shares_are_shown_beside_the_counts() -> None:
    told = demo.described(Comparison(200, 150, 60, 20, 300, 270, 1, 900, 0, 50, 0))
    assert "relevant articles found     150 of 200 (75%)" in told
    assert "kept pages on the topic     270 of 300 (90%)" in told
