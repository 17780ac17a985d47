"""`scrapy dashboard`: the process, its line, and what it refuses."""

from __future__ import annotations

import signal
import socket
import urllib.request
from pathlib import Path

import pytest

from focuscrawl.commands.dashboard import Command
from tests.commands.call import refused
from tests.dashboard.running import running
from tests.patience import PATIENCE
from tests.report import sample


@pytest.mark.system
def test_it_says_where_it_answers_and_ends_by_a_signal(tmp_path: Path) -> None:
    sample.sample_crawl(tmp_path / "first")
    with running(tmp_path) as (process, told):
        request = urllib.request.Request(told[1] + "/", headers={"Authorization": f"Bearer {told[3]}"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            assert b"first" in answer.read()
        with pytest.raises(ConnectionRefusedError):  # who listened on every address would answer here, too
            socket.create_connection(("127.0.0.2", int(told[2])), 5).close()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=PATIENCE) == 130
        assert process.stderr
        assert process.stderr.read().strip() == ""


@pytest.mark.system
def test_a_port_that_is_taken_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        told = refused(capsys, Command(), tmp_path, "--port", str(taken.getsockname()[1]), code=1)
    assert "is another dashboard running?" in told


@pytest.mark.system  # one of them asks for an address
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--port", "70000"), "70000 is not between 0 and 65,535"),
        (("--token", "short"), "8 letters and digits"),
        (("--token", "with space"), "8 letters and digits"),
        (("--host", "no such host"), "is not an address of this machine"),
        (("--prot", "1"), "did you mean --port?"),
        (("demo",), "too many arguments"),
    ],
)
def test_bad_input_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    assert said in refused(capsys, Command(), tmp_path, *arguments)
