"""The page model of a topic: kept beside the topic's file, trained beside the topic file, or made of the topic alone."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

from focuscrawl.errors import BadInput
from models.page_model import PageModel, load, make
from models.vsm import TopicModel

logger = logging.getLogger(__name__)

SUFFIX = ".page_model.json"


def path_beside(topic: Path) -> Path:
    """Where the page model of the topic in this file is kept."""
    return topic.with_suffix(SUFFIX)


def page_model_of(name: str, topic: TopicModel, paths: Sequence[Path]) -> PageModel:
    """The first of the files that holds a model of this name; else one that has seen nothing. A file that cannot be read is
    told about in the log."""
    for path in paths:
        if not path.is_file():
            continue
        try:
            model = load(path, topic)
        except BadInput as error:
            logger.warning("%s The page model begins anew.", error)
            continue
        if model.name == name:
            return model
    return make(name, topic)
