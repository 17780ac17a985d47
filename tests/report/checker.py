"""Reads a page as a browser would."""

from __future__ import annotations

from html.parser import HTMLParser


class Checker(HTMLParser):
    """Notes what a browser would load or run, and whether elements close in order."""

    VOID = frozenset({"meta", "br", "line", "polyline", "circle"})

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        names = {name for name, _ in attributes}
        if tag in ("script", "link", "img", "iframe") or "src" in names or any(name.startswith("on") for name in names):
            self.loads.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        assert tag in self.VOID

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
