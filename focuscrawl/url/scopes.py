"""The part of the web that a crawl of several topics may enter: whatever one of them lets in."""

from __future__ import annotations

from dataclasses import dataclass

from focuscrawl.url.scope import Scope


@dataclass(frozen=True)
class AnyScope(Scope):
    """A union: `parts` are the topics' own scopes, at least one."""

    parts: tuple[Scope, ...] = ()

    def refuses(self, url: str) -> str:
        """The first part's rule against this normal URL; empty if any part lets it in."""
        rules = [part.refuses(url) for part in self.parts]
        return rules[0] if rules and all(rules) else ""
