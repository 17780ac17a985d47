"""The vector space model as a page model: equation 2 of the customizable focused crawler, and a threshold on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from focuscrawl.items import Verdict
from models.clues import NO_CLUES, Clues
from models.vsm import TopicModel


class VsmModel:
    """Says what the topic's vector says. Scores are cosines, not probabilities."""

    name = "vsm"
    learned: None = None

    def __init__(self, topic: TopicModel) -> None:
        self.topic = topic

    @property
    def revision(self) -> int:
        """The topic's."""
        return self.topic.revision

    def judge(self, words: Sequence[str], clues: Clues = NO_CLUES) -> Verdict:
        """The topic's verdict."""
        return self.topic.judge(words)

    def learn(self, words: Sequence[str], relevant: bool, clues: Clues = NO_CLUES) -> bool:
        """Count the page in the topic's document frequencies."""
        return self.topic.learn(words, relevant)

    def refresh(self) -> None:
        """Refresh the topic."""
        self.topic.refresh()

    def state(self) -> dict[str, Any]:
        """Nothing: all it knows is the topic's."""
        return {}

    @classmethod
    def restore(cls, topic: TopicModel, state: Mapping[str, Any]) -> VsmModel:
        """The model of this topic."""
        return cls(topic)
