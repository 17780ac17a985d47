"""A method over documents as in a crawl: read the index, rank, check the text, enter originals."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from focuscrawl.dedup.bands import MOST_ROWS
from focuscrawl.dedup.confirm import THRESHOLD, same_text
from focuscrawl.dedup.methods import DedupMethod, ranked
from focuscrawl.items import Fingerprint
from focuscrawl.store.engines.records import features_to_bytes
from tools.eval.dedup.corpus import Document


@dataclass(slots=True)
class Result:
    """What came of it. A duplicate is any document but the first of its cluster."""

    method: str
    documents: int = 0
    duplicates: int = 0
    found: int = 0
    right: int = 0
    seconds: float = 0.0
    stored: int = 0
    checked: int = 0
    by_kind: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    @property
    def precision(self) -> float:
        """Right ones among the duplicates reported."""
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        """Right ones among the duplicates there are."""
        return self.right / self.duplicates if self.duplicates else 1.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    @property
    def microseconds(self) -> float:
        """Processor time a page, reading from the index included."""
        return self.seconds / self.documents * 1e6

    @property
    def bytes_a_page(self) -> float:
        """Digest, SimHash and features, and 16 bytes for each row of the index."""
        return self.stored / self.documents


def run(method: DedupMethod, documents: Sequence[Document], confirmed: bool = True) -> Result:
    """Find the duplicates in order; without `confirmed` the best candidate is believed without reading the texts."""
    result = Result(method.name)
    index: dict[int, list[int]] = defaultdict(list)
    digests: dict[bytes, int] = {}
    known: dict[int, Fingerprint] = {}
    clusters: set[int] = set()
    for page_id, document in enumerate(documents):
        started = time.process_time()
        page = method.fingerprint(document.text, document.words)
        keys = method.keys(page)
        original = digests.get(page.digest)
        if original is None:
            rows = [(other, known[other]) for key in keys for other in index[key][:MOST_ROWS]]
            for other, _ in ranked(method, page, rows):
                result.checked += 1
                if not confirmed or same_text(document.words, documents[other].words) >= THRESHOLD:
                    original = other
                    break
        if original is None:
            known[page_id] = page
            digests[page.digest] = page_id
            for key in keys:
                index[key].append(page_id)
            result.stored += 16 * len(keys)
        result.seconds += time.process_time() - started
        result.stored += len(page.digest) + 8 + len(features_to_bytes(page.features))
        _count(result, document, clusters, None if original is None else documents[original])
    return result


def _count(result: Result, document: Document, clusters: set[int], original: Document | None) -> None:
    duplicate = document.cluster in clusters
    clusters.add(document.cluster)
    right = original is not None and original.cluster == document.cluster
    result.documents += 1
    result.duplicates += duplicate
    result.found += original is not None
    result.right += right
    kind = result.by_kind[document.kind]
    kind["all"] += 1
    kind["right" if right else "wrong" if original else "missed" if duplicate else "new"] += 1
