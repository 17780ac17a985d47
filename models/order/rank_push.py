"""The fixed point of  x(v) = α Σ_{u→v} x(u) / O(u) + β r(v)  on a graph that grows, kept up by pushing residuals.

A node's residual is what its value lacks of the right side. Only nodes with out-links hold one back; it is pushed on in
the order in which it came, a bounded number of edges at a time. Whatever was not pushed yet stays and is pushed later, so
the values always converge to the fixed point (after Gauss and Southwell; for PageRank: Andersen, Chung, Lang 2006).
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Sequence


class RankPush:
    """Nodes are numbers from 0, made as they are named. α + β should be at most 1; then values stay in [0, Σ r]."""

    def __init__(self, alpha: float, beta: float, tolerance: float) -> None:
        self._alpha, self._beta, self._tolerance = alpha, beta, tolerance
        self._value, self._residual, self._source = array("d"), array("d"), array("d")
        self._targets: dict[int, array[int]] = {}
        self._queue: deque[int] = deque()
        self._queued: set[int] = set()
        self._touched: dict[int, None] = {}

    def value(self, node: int) -> float:
        """The present estimate."""
        return self._value[node] if node < len(self._value) else 0.0

    def inherited(self, node: int) -> float:
        """The part of the value that comes by links."""
        return max(0.0, self.value(node) - self._beta * (self._source[node] if node < len(self._source) else 0.0))

    def set_source(self, node: int, value: float) -> None:
        """Set r(node)."""
        self._grow(node)
        self._add(node, self._beta * (value - self._source[node]))
        self._source[node] = value

    def raise_source(self, node: int, value: float) -> None:
        """Set r(node) where it is larger than now."""
        self._grow(node)
        if value > self._source[node]:
            self.set_source(node, value)

    def set_targets(self, node: int, targets: Sequence[int]) -> None:
        """Set the out-links of a node, in place of those that it had. Duplicates count as often as they stand."""
        self._grow(max((node, *targets)))
        if old := self._targets.get(node):
            self._spread(old, -self._value[node])
            del self._targets[node]
            self._value[node] += self._residual[node]
            self._residual[node] = 0.0
        if targets:
            self._targets[node] = array("Q", targets)
            self._spread(targets, self._value[node])

    def settle(self, edges: int) -> list[int]:
        """Push residuals over about so many edges; the nodes without out-links whose value moved since the last call."""
        while self._queue and edges > 0:
            node = self._queue.popleft()
            self._queued.discard(node)
            targets = self._targets.get(node)
            if targets is None:
                continue
            residual, self._residual[node] = self._residual[node], 0.0
            self._value[node] += residual
            self._spread(targets, residual)
            edges -= len(targets)
        touched = [node for node in self._touched if node not in self._targets]
        self._touched = {}
        return touched

    def _spread(self, targets: Sequence[int], amount: float) -> None:
        share = self._alpha * amount / max(1, len(targets))
        for target in targets:
            self._add(target, share)

    def _add(self, node: int, amount: float) -> None:
        if node not in self._targets:
            self._value[node] += amount
            self._touched[node] = None
            return
        self._residual[node] += amount
        if abs(self._residual[node]) > self._tolerance and node not in self._queued:
            self._queued.add(node)
            self._queue.append(node)

    def _grow(self, node: int) -> None:
        missing = node + 1 - len(self._value)
        if missing > 0:
            for values in (self._value, self._residual, self._source):
                values.extend([0.0] * missing)
