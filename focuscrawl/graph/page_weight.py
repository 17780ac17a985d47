"""The textbook's weight(p) = f(indegree(p), indegree(parents), mirror degree(p), directory depth(p)).

    f = s / (1 + s)      s = (1 + log2 indegree + mean level of parents / 2 + log2 mirror degree / 2) / (1 + depth)

Larger in-degrees and mirror degrees raise the weight, depth lowers it. A page's level is floor(log2 indegree).

The criteria are the textbook's; the formula that joins them is ours.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from urllib.parse import urlsplit


def directory_depth(url: str) -> int:
    """Levels of the path, as the textbook counts them: 0 for `/`, 1 for `/cs`, `/cs/` and `/a.html`, 3 for `/a/b/c.html`."""
    return sum(1 for level in urlsplit(url).path.split("/") if level)


def weight(indegree: int, parents: float, mirrors: int, depth: int) -> tuple[float, dict[str, float]]:
    """Weight in (0, 1), and its parts by name, which add up to it. `parents`: mean level of the parents; `mirrors` includes the
    page itself."""
    terms = {
        "depth": 1.0,
        "indegree": math.log2(max(1, indegree)),
        "parents": parents / 2,
        "mirrors": math.log2(max(1, mirrors)) / 2,
    }
    total = sum(terms.values())
    strength = total / (1 + depth)
    value = strength / (1 + strength)
    return value, {name: value * term / total for name, term in terms.items()}


@dataclass(slots=True, frozen=True)
class Standing:
    """The weight of a page and what it follows from: a row of the table `standing`."""

    page_id: int
    weight: float
    """In (0, 1)."""
    in_degree: int
    """Number of stored pages that link to it, also through redirects."""
    parents: float
    """Mean level of these pages, which is floor(log2 of their own in-degrees)."""
    copies: int
    """Mirror degree: the number of stored pages with its text, including itself."""
    directory_depth: int
    """Number of levels of its path."""
