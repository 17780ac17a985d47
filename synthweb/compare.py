"""A crawl against the truth: recall, precision, and what should not have happened."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from synthweb.truth import Truth
from synthweb.web import SyntheticWeb


@dataclass(frozen=True, slots=True)
class Comparison:
    """Counts of one crawl."""

    relevant: int
    """Articles that should be found (sets of duplicates count once)."""
    found: int
    """Of these, fetched and kept, in whichever copy."""
    behind_tunnels: int
    """Articles in hidden sections among `relevant`."""
    found_behind_tunnels: int
    kept: int
    kept_on_topic: int
    """Kept pages whose content is on the topic: articles, index pages, failing pages."""
    kept_twice: int
    """Kept pages that duplicate another kept page."""
    fetched: int
    fetched_forbidden: int
    fetched_trap: int
    kept_noindex: int

    @property
    def recall(self) -> float:
        """Share of the relevant articles that was found."""
        return self.found / self.relevant if self.relevant else 1.0

    @property
    def precision(self) -> float:
        """Share of the kept pages that is on the topic."""
        return self.kept_on_topic / self.kept if self.kept else 1.0


def compare(web: SyntheticWeb, truth: Truth, fetched: Iterable[str], kept: Iterable[str]) -> Comparison:
    """Compare a crawl with the truth.

    `fetched` are all addresses that were requested (robots.txt does not count), `kept` those stored as relevant and
    not as duplicates, both in any variant.
    """
    asked = [label for label in map(web.label, fetched) if label.kind not in ("robots", "unknown")]
    stored = {label.url: label for label in map(web.label, kept)}
    originals = [label.duplicate_of or label.url for label in stored.values() if label.kind == "article"]
    found = truth.relevant.intersection(originals)
    hidden = {url for url in truth.relevant if truth.labels[url].tunnel}
    return Comparison(
        relevant=len(truth.relevant),
        found=len(found),
        behind_tunnels=len(hidden),
        found_behind_tunnels=len(found & hidden),
        kept=len(stored),
        kept_on_topic=sum(label.topic == truth.topic for label in stored.values()),
        kept_twice=len(originals) - len(set(originals)),
        fetched=len(asked),
        fetched_forbidden=sum(not label.allowed for label in asked),
        fetched_trap=sum(bool(label.trap) for label in asked),
        kept_noindex=sum(label.noindex for label in stored.values()),
    )
