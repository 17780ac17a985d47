"""Is a page about the topic? One protocol, three answers; which one, a crawl's settings say.

A page model stands on a topic (`models.vsm.TopicModel`): its evidence, document frequencies and vector, which score links
too. What a model learned during a crawl is saved beside the topic as JSON with a version and a digest; nothing in the file
is ever executed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from focuscrawl.errors import BadInput
from focuscrawl.items import Verdict
from models.calibrated import CalibratedModel
from models.clues import NO_CLUES, Clues
from models.json_file import digest, parse
from models.naive_bayes import NaiveBayesModel
from models.vsm import TopicModel
from models.vsm_judge import VsmModel

FORMAT = "focuscrawl page model"
VERSION = 1


class PageModel(Protocol):
    """Judges pages for one topic and learns from those it has judged."""

    @property
    def name(self) -> str:
        """As in `PAGE_MODELS`."""
        ...

    @property
    def topic(self) -> TopicModel: ...

    @property
    def revision(self) -> int:
        """Grows with every refresh."""
        ...

    def judge(self, words: Sequence[str], clues: Clues = NO_CLUES) -> Verdict:
        """The verdict on a page of these terms (title and main text, in order), with the terms that counted."""
        ...

    def learn(self, words: Sequence[str], relevant: bool, clues: Clues = NO_CLUES) -> bool:
        """Learn from a page that was just judged; `relevant` is what holds for it in the end. Also teaches the topic its
        document frequencies. True if the model was refreshed."""
        ...

    def refresh(self) -> None:
        """Compute again what follows from evidence and from the pages seen."""
        ...

    def state(self) -> dict[str, Any]:
        """What was learned, as plain data for JSON; the topic itself is not in it."""
        ...


class _Kind(Protocol):
    def __call__(self, topic: TopicModel) -> PageModel: ...

    def restore(self, topic: TopicModel, state: Mapping[str, Any]) -> PageModel: ...


_KINDS: dict[str, _Kind] = {"calibrated": CalibratedModel, "vsm": VsmModel, "naive-bayes": NaiveBayesModel}
PAGE_MODELS = tuple(_KINDS)
"""Names of the models, the default first."""


def make(name: str, topic: TopicModel) -> PageModel:
    """A model of this name that has seen nothing. Raises BadInput for an unknown name."""
    return _kind(name)(topic)


def save(model: PageModel, path: Path) -> None:
    """Write what the model learned; the file is replaced at once or not at all."""
    content = {"format": FORMAT, "version": VERSION, "model": model.name, "state": model.state()}
    content["digest"] = digest(content)
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    part.write_text(json.dumps(content, ensure_ascii=False), "utf-8")
    part.replace(path)


def load(path: Path, topic: TopicModel) -> PageModel:
    """The model as it was saved, for the topic it was saved with.

    Raises BadInput, in one sentence, for a file that is missing, too large, no page model, of another version or changed.
    """
    content = parse(path, "page model")
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise BadInput(f"{path} is not a page model of this program.")
    if content.get("version") != VERSION:
        raise BadInput(f"{path} has version {content.get('version')!r} of the page model format, this program reads {VERSION}.")
    if content.pop("digest", None) != digest(content):
        raise BadInput(f"{path} was changed after it was written (its digest is wrong); delete it to learn anew.")
    try:
        return _kind(str(content["model"])).restore(topic, content["state"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput(f"{path} misses a part of the page model ({type(error).__name__}: {error}).") from error


def _kind(name: str) -> _Kind:
    if name not in _KINDS:
        raise BadInput(f"There is no page model {name!r}; choose one of {', '.join(PAGE_MODELS)}.")
    return _KINDS[name]
