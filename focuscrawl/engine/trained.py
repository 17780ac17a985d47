"""The trained topic that `scrapy topic train` put beside the topic file, and its page model: a crawl begins with them, as
long as they fit."""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass
from pathlib import Path

from focuscrawl.definition import definition_of
from focuscrawl.errors import BadInput
from focuscrawl.topicfile import Job
from models import page_model
from models.background import Background
from models.page_model import PageModel
from models.topic_json import load
from models.vsm import TopicModel

logger = logging.getLogger(__name__)

SUFFIX = ".page_model.json"


@dataclass(frozen=True, slots=True)
class TrainedTopic:
    """A file that holds a trained topic; `mark` changes whenever it is trained anew."""

    path: Path
    mark: str

    def load(self) -> TopicModel:
        """Raises BadInput when the file has been damaged meanwhile."""
        return load(self.path, Background())

    def load_page_model(self, topic: TopicModel) -> PageModel | None:
        """The page model that was trained with it, for this topic; None, and a warning in the log, where it cannot be read."""
        path = _page_model(self.path)
        if not path.is_file():
            return None
        try:
            return page_model.load(path, topic)
        except BadInput as error:
            logger.warning("%s The page model begins anew.", error)
            return None


def trained_beside(job: Job) -> TrainedTopic | None:
    """NAME.json beside the job's NAME.toml, if it was trained from what the job says; else None, with a warning in the log
    where a file is there."""
    file = job.topic.file
    path = file.with_suffix(".json") if file else None
    if path is None or not path.is_file():
        return None
    try:
        model = load(path, Background())
    except BadInput as error:
        logger.warning("%s The crawl learns the topic from its keywords and examples.", error)
        return None
    if model.definition != definition_of(job.topic, job.seeds):
        logger.warning("%s was trained before the topic was changed and is not used; scrapy topic train renews it", path)
        return None
    judge = _page_model(path)
    content = path.read_bytes() + (judge.read_bytes() if judge.is_file() else b"")
    return TrainedTopic(path, hashlib.blake2b(content, digest_size=16).hexdigest())


def _page_model(path: Path) -> Path:
    """Where the page model of the topic in this file is."""
    return path.with_suffix(SUFFIX)
