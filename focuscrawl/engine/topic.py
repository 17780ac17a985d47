"""From a job to the topic's model: from keywords and texts at once, or from the first pages fetched.

Invariant: while `kind_wanted` is not 0 the frontier leases only those URLs (seeds or examples) and their pages are held
back; there is no model yet. Afterwards there is one, and every page goes through the pipelines under it.
"""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from focuscrawl.engine.options import Options
from focuscrawl.items import Page
from focuscrawl.text.segment import Segmenter
from focuscrawl.topicfile import Job

if TYPE_CHECKING:
    from models.link_score import LinkScorer
    from models.vsm import TopicModel

logger = logging.getLogger(__name__)

SEED_KIND, EXAMPLE_KIND = 1, 2
MOST_PAGES = 30
"""Seed pages that define a topic at most; a list of 50 000 seeds starts after so many."""
DEFINITION, OWNER, BACKGROUND = "topic_definition", "topic_owner", "topic_background"
WAIT_SECONDS = 1.0


class TopicMaker:
    """The topic of one crawl: `model` and `scorer` once it is there."""

    def __init__(self, job: Job, directory: Path, options: Options) -> None:
        self._job = job
        self._path = directory / "topic.json"
        self._options = options
        self.segmenter = Segmenter(job.topic.keywords)
        self.kind_wanted = 0
        self.busy = False
        """The model is being made, here or by another worker."""
        self._held: list[Page] = []
        self._ready = asyncio.Event()
        self.model: TopicModel
        self.scorer: LinkScorer
