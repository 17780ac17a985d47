"""The web in a process of its own: both servers answer on loopback, and it ends when asked."""

from __future__ import annotations

import http.client
import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from synthweb.running import RunningWeb
from tests.patience import PATIENCE

pytestmark = pytest.mark.system

ROOT = Path(__file__).resolve().parents[2]


def ask_dns(server: str, name: str) -> str:
    """The address of a name by a raw query; empty for none."""
    labels = b"".join(bytes([len(part)]) + part.encode() for part in name.split("."))
    host, _, port = server.partition(":")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.settimeout(PATIENCE)
        sock.sendto(b"\x12\x34\x01\x00\x00\x01" + bytes(6) + labels + b"\x00\x00\x01\x00\x01", (host, int(port)))
        answer = sock.recv(512)
    return ".".join(map(str, answer[-4:])) if answer[7] else ""


def get(web: RunningWeb, name: str, path: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection(ask_dns(web.dns, name), web.port, timeout=PATIENCE)
    connection.request("GET", path, headers={"Host": f"{name}:{web.port}", "User-Agent": "test/1"})
    response = connection.getresponse()
    response.read()
    connection.close()
    return response


def test_running_web_answers_logs_and_ends() -> None:
    with RunningWeb("test-small", hostile=True) as running:
        name = running.web.hosts[0].name
        assert ask_dns(running.dns, name) == running.web.hosts[0].address
        assert ask_dns(running.dns, "nowhere.test") == ""
        assert get(running, name, "/").status == 200
        assert get(running, "hostile.test", "/no-type").status == 200
        assert [access.path for access in running.accesses()] == ["/", "/no-type"]
        assert running.fetched()[0] == f"http://{name}:{running.port}/"
        assert running.compare([]).fetched == 1
        assert all(str(running.port) in seed for seed in running.seeds)
        assert f":{running.port}/" in running.topic_file()
        process = running.process
    assert process.returncode == 0
    assert not Path(running.log_path).exists()


def test_ends_with_its_standard_input() -> None:
    command = [sys.executable, "-m", "synthweb", "--preset", "test-small", "--watch-stdin"]
    result = subprocess.run(command, input=b"", capture_output=True, timeout=PATIENCE, cwd=ROOT, check=True)
    assert json.loads(result.stdout)["ready"] is True


def test_impossible_plans_end_with_a_sentence() -> None:
    command = [sys.executable, "-m", "synthweb", "--preset", "demo", "--pages", "30"]
    result = subprocess.run(command, capture_output=True, timeout=PATIENCE, cwd=ROOT, check=False)
    assert result.returncode == 2
    assert result.stderr.decode().startswith("30 pages are too few")


def test_failure_to_start_is_told() -> None:
    with RunningWeb("test-small") as running, pytest.raises(RuntimeError, match="did not start"):
        RunningWeb("test-small", port=running.port).__enter__()
