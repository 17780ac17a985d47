"""Every relative link in the documentation leads to a file, and to a heading where it names one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from focuscrawl.frontier.states import TRANSITIONS, Event, State
from focuscrawl.store.engines.schema import tables

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("seeds/*.md")])
LINK = re.compile(r"\]\((?!https?:)([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def anchor(heading: str) -> str:
    """As code hosts make them: lower case, spaces as hyphens, punctuation dropped."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        name, _, wanted = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        if wanted:
            assert wanted in set(map(anchor, HEADING.findall(target.read_text(encoding="utf-8")))), link


def test_both_readmes_lead_to_the_same_pages() -> None:
    english, chinese = (LINK.findall((ROOT / name).read_text(encoding="utf-8")) for name in ("README.md", "README.zh.md"))
    assert {link.replace(".zh.md", ".md") for link in chinese} == {link.replace(".zh.md", ".md") for link in english}


def test_the_picture_of_states_is_the_table_of_transitions() -> None:
    picture = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"^    ([A-Z]+) --> ([A-Z]+)", picture, re.MULTILINE))
    assert shown == {(state.name, after.name) for (state, event), after in TRANSITIONS.items() if is_drawn(state, event)}


def is_drawn(state: State, event: Event) -> bool:
    """The picture leaves out what operators do to waiting URLs, and draws one of the states that can become due."""
    if event in (Event.REMOVED, Event.PUT_OFF):
        return state is State.LEASED
    return event is not Event.DUE or state in (State.WAIT, State.DONE)


def test_the_picture_of_tables_has_every_table() -> None:
    picture = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    drawn = set(re.findall(r"^    (\w+) [|}]", picture, re.MULTILINE)) | set(re.findall(r"[|{] (\w+) :", picture))
    assert drawn | {"model", "meta"} == {table.name for table in tables.sorted_tables}


def test_the_map_of_the_crawl_room_has_every_module() -> None:
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    room = text.partition("### crawl/")[2].partition("\n- **")[0]
    there = {path.stem for path in (ROOT / "focuscrawl/crawl").rglob("*.py")} - {"__init__"}
    assert there == {name.removesuffix(".py") for name in re.findall(r"`(?:crawl/)?([a-z_]+(?:\.py)?)`", room)}
