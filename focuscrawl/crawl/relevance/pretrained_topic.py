"""The topic that `scrapy topic train` puts beside the topic file, and its page model. A crawl begins with them if they were
trained from what the topic file says now."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path

from focuscrawl.config.job import CrawlJob
from focuscrawl.config.topic_file import PAGE_MODEL, TRAINED, is_digest_of
from focuscrawl.errors import BadInput
from focuscrawl.topics.paths import TopicPaths
from models.page import page_model
from models.page.page_model import PageModel
from models.topic.background import Background
from models.topic.json_file import load
from models.topic.vsm import TopicModel

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TrainedTopic:
    """A file with a trained topic."""

    path: Path
    topic_digest: str
    """Changes whenever the topic is trained otherwise."""

    def load(self) -> TopicModel:
        """The topic in the file. Raises BadInput when it was damaged meanwhile."""
        return load(self.path, Background())

    def load_page_model(self, topic: TopicModel) -> PageModel | None:
        """The page model that was trained with this topic; None if there is none, or if it cannot be read, with a
        warning in the log."""
        path = self.path.with_suffix(PAGE_MODEL)
        if not path.is_file():
            return None
        try:
            return page_model.load(path, topic)
        except BadInput as error:
            logger.warning("%s The page model begins from nothing.", error)
            return None


def trained_beside(job: CrawlJob) -> TrainedTopic | None:
    """The trained topic beside the job's topic file (NAME.json beside NAME.toml), if it was trained from what the job says.

    Else None, with a warning in the log if there is such a file."""
    file = job.topic.file
    path = file.with_suffix(TRAINED) if file else None
    if path is None or not path.is_file():
        return None
    try:
        model = load(path, Background())
    except BadInput as error:
        logger.warning("%s The crawl learns the topic from its keywords and examples.", error)
        return None
    if not is_digest_of(model.topic_digest, job.topic, job.seeds):
        logger.warning("%s was trained before the topic was changed and is not used; scrapy topic train renews it", path)
        return None
    return TrainedTopic(path, TopicPaths(path.parent, path.stem).trained_digest(model.topic_digest))
