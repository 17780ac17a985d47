"""A job of Scrapyd before it starts: its settings are checked against the operator's before any of them is used."""

from __future__ import annotations

from pathlib import Path

import pytest
from scrapy.settings import Settings

from focuscrawl.config.allowed_paths import ANYWHERE, ROOTS, Roots
from focuscrawl.config.arguments import parse_arguments
from focuscrawl.config.job import job_of
from focuscrawl.config.scrapyd_policy import ScrapydJob, check_files, folders_of_scrapyd
from focuscrawl.errors import BadInput


def operator(**values: object) -> Settings:
    settings = Settings()
    settings.setmodule("focuscrawl.settings", "project")
    settings.setdict(values, "project")
    return settings


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A job changes its working directory: put back after the test."""
    monkeypatch.chdir(tmp_path)


def test_relative_paths_begin_at_the_first_root(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    roots = ScrapydJob({"CRAWLS_DIR": "crawls"}, {}).begin(operator(), {ROOTS: f"{tmp_path}/a:{tmp_path}"})
    assert roots.folders == (tmp_path / "a", tmp_path)
    assert Path.cwd() == tmp_path / "a"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"EXTENSIONS": "{}"}, "EXTENSIONS"),
        ({"POLITENESS_DELAY": "2"}, "use 3 or more"),
        ({"CRAWLS_DIR": ".."}, "CRAWLS_DIR"),
        ({"LOG_FILE": "/tmp/x.log"}, "LOG_FILE"),
    ],
)
def test_what_a_job_may_not_say(tmp_path: Path, said: dict[str, str], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        ScrapydJob(said, {}).begin(operator(POLITENESS_DELAY=3), {ROOTS: str(tmp_path)})


def test_the_operators_own_settings_are_checked_too(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="POLITENESS_DELAY='fast'"):
        ScrapydJob({"POLITENESS_DELAY": "1"}, {}).begin(operator(POLITENESS_DELAY="fast"), {ROOTS: str(tmp_path)})


def test_folders_of_scrapyd(tmp_path: Path) -> None:
    pytest.importorskip("scrapyd", reason="Scrapyd is not installed: pip install 'focuscrawl[scrapyd]'")
    (tmp_path / "scrapyd.conf").write_text("[scrapyd]\nlogs_dir = mine\nitems_dir = s3://bucket/items\n")
    assert folders_of_scrapyd() == {"logs_dir": str(tmp_path / "mine"), "items_dir": "s3://bucket/items", "jobs_dir": ""}


@pytest.mark.parametrize("name", ["sky.json", "sky.page_model.json"])
def test_what_was_trained_beside_a_topic_lies_below_the_roots(tmp_path: Path, name: str) -> None:
    root = tmp_path / "root"
    root.mkdir()
    seeds = root / "sky.toml"
    seeds.write_text('[topic]\nkeywords = ["x"]\n[seeds]\nurls = ["a.com"]\n')
    roots = Roots.of(str(root))
    job = job_of(parse_arguments({"seeds": str(seeds)}), roots)
    check_files(job, str(root / "crawls"), roots)
    (root / name).symlink_to("/etc/passwd")
    with pytest.raises(BadInput, match=f"The trained topic .* outside the folders of {ROOTS}"):
        check_files(job, str(root / "crawls"), roots)
    check_files(job, str(root / "crawls"), ANYWHERE)
    with pytest.raises(BadInput, match="The crawl's directory"):
        check_files(job, "/tmp", roots)
