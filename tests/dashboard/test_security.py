"""Who is answered, who may change something, and what every answer says to browsers."""

from __future__ import annotations

import hashlib
import re
from importlib import resources
from pathlib import Path

import pytest

from focuscrawl.dashboard.security import COOKIE, LARGEST_FORM
from tests.dashboard.desk import ADDRESS, TOKEN, Desk, desk_of

VENDORED = resources.files("focuscrawl.dashboard") / "static" / "vendored"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return desk_of(tmp_path, "first")


def test_without_the_token_nothing_is_told(desk: Desk) -> None:
    for path in ("/", "/c/first/", "/c/first/.json", "/static/htmx.js", "/language/zh", "/nothing"):
        answer = desk.stranger().get(path)
        assert answer.status_code == 401, path
        assert "first" not in answer.text


def test_the_first_visit_leaves_a_cookie_and_no_token_in_the_address(desk: Desk) -> None:
    reader = desk.stranger()
    answer = reader.get("/c/first/", params={"token": TOKEN, "part": "live"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/c/first/?part=live")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert TOKEN not in cookie
    assert reader.get("/").status_code == 200


@pytest.mark.parametrize("token", ["", "wrong", TOKEN[:-1], "中文"])
def test_a_wrong_token_opens_nothing(desk: Desk, token: str) -> None:
    assert desk.stranger().get("/", params={"token": token}).status_code == 401
    for name, value in ((b"authorization", f"Bearer {token}"), (b"cookie", f"{COOKIE}={token}")):
        assert desk.stranger().get("/", headers=[(name, value.encode())]).status_code == 401


def test_the_first_visit_leads_to_no_other_site(desk: Desk) -> None:
    answer = desk.stranger().get(f"{ADDRESS}//evil.test/?token={TOKEN}")
    assert answer.headers["location"] == "/evil.test/"


@pytest.mark.parametrize("host", ["evil.test", "evil.test:6810", "127.0.0.1.evil.test", "", "192.0.2.1"])
def test_a_foreign_host_is_refused(desk: Desk, host: str) -> None:
    assert desk.client.get("/", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("host", ["127.0.0.1:6810", "localhost:1", "LOCALHOST", "[::1]:6810"])
def test_loopback_has_several_names(desk: Desk, host: str) -> None:
    assert desk.client.get("/", headers={"host": host}).status_code == 200


def test_one_that_listens_for_other_machines_is_known_by_its_addresses_and_no_foreign_name(tmp_path: Path) -> None:
    desk = Desk(tmp_path, host="0.0.0.0")
    assert desk.client.get("/", headers={"host": "192.0.2.1:6810"}).status_code == 200
    assert desk.client.get("/", headers={"host": "evil.test"}).status_code == 421


def test_a_change_needs_the_value_of_our_forms(desk: Desk) -> None:
    assert desk.client.post("/c/first/steer", data={"wanted": "pause"}).status_code == 403
    assert desk.client.post("/c/first/steer", data={"wanted": "pause", "csrf": "x"}).status_code == 403
    assert desk.send("/c/first/nothing")[0] == 404
    assert desk.send("/c/frist/steer", wanted="pause")[0] == 303


@pytest.mark.parametrize(
    "headers",
    [{"origin": "http://evil.test"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}],
)
def test_a_change_is_asked_for_by_our_own_pages_alone(desk: Desk, headers: dict[str, str]) -> None:
    answer = desk.client.post("/c/first/steer", data={"csrf": desk.dashboard.access.csrf, "wanted": "pause"}, headers=headers)
    assert answer.status_code == 403


def test_a_form_has_an_end(desk: Desk) -> None:
    assert desk.client.post("/c/first/steer", data={"x": "y" * LARGEST_FORM}).status_code == 413
    assert desk.client.post("/c/first/steer", data={f"x{n}": "y" for n in range(1000)}).status_code == 413


def test_read_only_refuses_every_change(tmp_path: Path) -> None:
    desk_of(tmp_path, "first")
    desk = Desk(tmp_path, read_only=True)
    for path in ("/start", "/c/first/steer", "/c/first/frontier", "/anything"):
        assert desk.send(path)[0] == 403, path
    assert "/start" not in desk.page("/")


def test_every_answer_forbids_foreign_and_inline_code(desk: Desk) -> None:
    for client, path in ((desk.client, "/"), (desk.client, "/static/htmx.js"), (desk.client, "/.json"), (desk.stranger(), "/")):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"


def test_what_is_vendored_is_what_its_list_says() -> None:
    listed = dict(
        re.findall(r"^\| `([^`]+)` .* `([0-9a-f]{64})` \|$", (VENDORED / "README.md").read_text("utf-8"), re.MULTILINE)
    )
    found = {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in VENDORED.iterdir() if file.name != "README.md"
    }
    assert listed == found


def test_templates_load_nothing_from_elsewhere_and_have_no_inline_code() -> None:
    for file in (resources.files("focuscrawl.dashboard") / "templates").iterdir():
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"https?://|\sstyle=|\son\w+=|<style|javascript:|\| *safe\b|<script(?! src=\"/static/)", text), (
            file.name
        )
