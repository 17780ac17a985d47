"""Is a page relevant? One protocol and three models, of which the setting RELEVANCE_MODEL chooses one.

A page model is made for a topic (`models.topic.vsm.TopicModel`) and uses its evidence, document frequencies and vector, which
also score links. What a model learned from labels is saved as JSON with a version and a digest, and never executed. What it
learns during a crawl (`PageModel.learned`) is shared by the crawl's workers.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from focuscrawl.errors import BadInput
from focuscrawl.items import Verdict
from focuscrawl.shared_counts import Learned
from focuscrawl.whole_files import write_whole
from models.page.calibrated import CalibratedModel
from models.page.naive_bayes import NaiveBayesModel
from models.page.page_context import NO_CONTEXT, PageContext
from models.page.site_words import SiteWords, words_of_names
from models.topic.json_file import parse, sealed, unsealed
from models.topic.vsm import TopicModel

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
    def learned(self) -> Learned:
        """What it learns from the pages it sees, to be shared with other workers. It takes effect with `refresh`."""
        ...

    @property
    def companions(self) -> Collection[str]:
        """Terms that go with the topic on the pages it has seen, though the topic does not have them; in no order."""
        ...

    def judge(self, words: Sequence[str], context: PageContext = NO_CONTEXT) -> Verdict:
        """The verdict on a page of these terms (title and main text, in order), with the terms that counted."""
        ...

    def learn(self, words: Sequence[str], relevant: bool, context: PageContext = NO_CONTEXT) -> bool:
        """Learn from a page that was just judged, and teach the topic its document frequencies. Returns whether the model was
        refreshed. `relevant`: the final verdict, which may differ from that of the model."""
        ...

    def take_renamed(self) -> Mapping[str, Mapping[str, bool]]:
        """By host and word of the topic, what was found since the last call: whether the word is in the name of the site. If it
        is, it does not count there. Pages judged by the contrary are to be judged again. Hosts are without `www.`."""
        ...

    def refresh(self) -> None:
        """Compute again what follows from the evidence and from the pages seen."""
        ...

    def state(self) -> dict[str, Any]:
        """What was learned, as plain data for JSON; the topic itself is not in it."""
        ...


def verdict_on(
    model: PageModel, words: Sequence[str], context: PageContext, language: str, label: bool | None = None
) -> Verdict:
    """The verdict on a page in this language. `label`: what a person says of it, which holds whatever the model says."""
    verdict = model.topic.in_language(model.judge(words, context), language)
    return verdict if label is None else replace(verdict, relevant=label)


def judge_and_learn(
    model: PageModel, words: Sequence[str], context: PageContext, language: str, label: bool | None = None
) -> Verdict:
    """Like `verdict_on`; then the model learns from the page, unless it is in a language that the topic does not ask for and
    nobody labelled it."""
    verdict = verdict_on(model, words, context, language, label)
    if label is not None or model.topic.asks_for(language):
        model.learn(words, verdict.relevant, context)
    return verdict


class VsmModel:
    """The vector space model: equation 2 of the customizable focused crawler, and a threshold on it.

    Its relevance is a cosine, not a probability. O(terms) a page; it learns the topic's document frequencies, and what sites
    say on every page (`models.page.site_words`), which does not count.
    """

    name = "vsm"
    companions: Collection[str] = ()

    def __init__(self, topic: TopicModel) -> None:
        self.topic = topic
        self.learned = SiteWords()
        self._site_words = words_of_names(topic.evidence)

    def judge(self, words: Sequence[str], context: PageContext = NO_CONTEXT) -> Verdict:
        """The topic's verdict on what the page says beyond its site."""
        own = self.learned.own_part(self._site_words, words, context)
        verdict = self.topic.judge(own.terms)
        return replace(verdict, terms=(*verdict.terms, *own.marks)) if own.left_out else verdict

    def learn(self, words: Sequence[str], relevant: bool, context: PageContext = NO_CONTEXT) -> bool:
        """Count the page in the topic's document frequencies, and what its site says."""
        self.learned.learn(self._site_words, words, context)
        return self.topic.learn(words, relevant)

    def take_renamed(self) -> Mapping[str, Mapping[str, bool]]:
        return self.learned.take_found()

    def refresh(self) -> None:
        """Refresh the topic."""
        self.topic.refresh()

    def state(self) -> dict[str, Any]:
        """What sites say."""
        return {"hosts": self.learned.state()}

    @classmethod
    def restore(cls, topic: TopicModel, state: Mapping[str, Any]) -> VsmModel:
        """The model as `state` gave it."""
        model = cls(topic)
        model.learned.add({"hosts": state.get("hosts", {})})
        return model


_KINDS = {kind.name: kind for kind in (CalibratedModel, VsmModel, NaiveBayesModel)}
PAGE_MODELS = tuple(_KINDS)
"""Names of the models, the default first."""


def lacking(name: str, topic: TopicModel) -> str:
    """What a topic that nobody labelled pages for lacks under this model, as a warning; else empty."""
    if name != NaiveBayesModel.name or topic.evidence.examples:
        return ""
    return (
        f"RELEVANCE_MODEL={name} learns from example pages, and the topic has none: from keywords alone it finds few of the"
        " relevant pages or none. Give example pages, or leave RELEVANCE_MODEL out."
    )


def make(name: str, topic: TopicModel) -> PageModel:
    """A model of this name that has seen nothing. Raises BadInput for an unknown name."""
    return _kind(name)(topic)


def to_plain(model: PageModel) -> dict[str, Any]:
    """What the model learned, as plain data with version and digest."""
    return sealed({"format": FORMAT, "version": VERSION, "model": model.name, "state": model.state()})


def from_plain(content: object, topic: TopicModel, source: str) -> PageModel:
    """The inverse of `to_plain`, for the topic it was made with. Raises BadInput, in one sentence that names the source, for
    what is no page model, of another version or changed."""
    state = unsealed(content, source, "page model", FORMAT, VERSION)
    try:
        return _kind(str(state["model"])).restore(topic, state["state"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput(f"{source} misses a part of the page model ({type(error).__name__}: {error}).") from error


def save(model: PageModel, path: Path) -> None:
    """Write what the model learned; the file is replaced at once or not at all."""
    write_whole(path, json.dumps(to_plain(model), ensure_ascii=False))


def load(path: Path, topic: TopicModel) -> PageModel:
    """The model as it was saved, for the topic it was saved with. Raises BadInput as `from_plain`, and for a file that is
    missing or too large."""
    return from_plain(parse(path, "page model"), topic, str(path))


def _kind(name: str) -> type[CalibratedModel | VsmModel | NaiveBayesModel]:
    if name not in _KINDS:
        raise BadInput(f"There is no page model {name!r}; choose one of {', '.join(PAGE_MODELS)}.")
    return _KINDS[name]
