"""One topic and all that belongs to it (file, judged pages, their texts and the model), read and changed together.

Invariant: every change is on disk when the call returns. Texts are written first, then labels, then the topic file, each file
replaced as a whole. A change keeps what other people have changed since the files were read: it reads them again first, and
nobody else can change them meanwhile.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from focuscrawl.config.topic_file import SeedFile, TopicDefinition, read_topic
from focuscrawl.errors import BadInput
from focuscrawl.items import Verdict
from focuscrawl.reading.page import read_files
from focuscrawl.store.pages.page_texts import PageText
from focuscrawl.text.segment import Segmenter
from focuscrawl.text.stems import spellings
from focuscrawl.topics.file_changes import TermEdits, Values, change, edited
from focuscrawl.topics.kept_texts import read_texts, write_texts
from focuscrawl.topics.labels import PageLabel, read_labels, write_labels
from focuscrawl.topics.paths import Stamp, TopicPaths
from models.page import page_model
from models.page.page_context import with_tags
from models.page.page_model import PageModel
from models.topic.background import Background
from models.topic.evidence import GivenTerms
from models.topic.json_file import load
from models.topic.vsm import MIN_TERM_WEIGHT, TopicModel

if TYPE_CHECKING:
    from models.page.assessment import TopicArguments


def today() -> str:
    """The date in UTC: `2026-01-31`."""
    return datetime.fromtimestamp(time.time(), UTC).date().isoformat()


class Workspace:
    """A topic to be read and changed. `day` is noted with labels and models. Raises BadInput if one of the topic's files cannot
    be read."""

    def __init__(self, paths: TopicPaths, day: str, min_weight: float = MIN_TERM_WEIGHT) -> None:
        self.paths = paths
        self.day = day
        self.min_weight = min_weight
        self._segmenter: Segmenter | None = None
        self._model: tuple[TopicModel | None] | None = None
        """The result of `model` until something changes."""
        self._files: dict[Path, tuple[tuple[int, int], tuple[str, str]]] = {}
        """(name, text) of the local example files, with the time and size that they had when they were read."""
        self._changing = False
        self._stamp: Stamp = ()
        self.file: SeedFile = read_topic(paths.toml)
        self._read_all()

    def refresh(self) -> None:
        """Read the files again if they were changed elsewhere. Raises BadInput."""
        if self._stamp != self.paths.stamp():
            self._read_all()

    def _read_all(self) -> None:
        stamp = self.paths.stamp()
        self._read_again()
        self.labels = read_labels(self.paths.labels)
        self.texts = read_texts(self.paths.pages)
        self._stamp = stamp

    @contextmanager
    def _change(self) -> Iterator[None]:
        """Within this the files can be changed as they are now. A change may be made of others."""
        if self._changing:
            yield
            return
        with self.paths.locked():
            self.refresh()
            self._changing, self._stamp = True, ()  # if it fails, all is read again
            try:
                yield
            finally:
                self._changing = False
            self._stamp = self.paths.stamp()

    @property
    def topic(self) -> TopicDefinition:
        return self.file.topic

    @property
    def segmenter(self) -> Segmenter:
        """The segmenter that a crawl of this topic would use."""
        if self._segmenter is None:
            self._segmenter = Segmenter.of(self.topic.vocabulary)
        return self._segmenter

    def keep(self, pages: Iterable[PageText]) -> None:
        """Remember the texts of pages that were found."""
        with self._change():
            new = {page.url: page for page in pages}
            if new and any(self.texts.get(url) != page for url, page in new.items()):
                self.texts = {url: page for url, page in self.texts.items() if url not in new} | new
                self._model = None
                write_texts(self.paths.pages, self.texts.values(), self._kept())

    def pick(self, urls: Iterable[str]) -> None:
        """Make these pages examples of the topic. A label that says otherwise is corrected."""
        with self._change():
            urls = list(urls)
            if any(url in self.labels and not self.labels[url].relevant for url in urls):
                self.label({url: True for url in urls if url in self.labels})
            others = [url for url in self.topic.negative_examples if url not in urls]
            self._set({"examples": self._entries(dict.fromkeys([*self.topic.examples, *urls]), True)})
            if len(others) < len(self.topic.negative_examples):
                self._set({"negative_examples": self._entries(others, False)})

    def reject(self, urls: Iterable[str]) -> None:
        """Judge these pages to be off the topic, and let them be examples no more."""
        with self._change():
            urls = list(urls)
            self.label(dict.fromkeys(urls, False))
            left = [url for url in self.topic.examples if url not in urls]
            if len(left) < len(self.topic.examples):
                self._set({"examples": self._entries(left, True)})

    def label(self, answers: Mapping[str, bool | None]) -> None:
        """Judge pages by URL; None takes a label away."""
        with self._change():
            for url, relevant in answers.items():
                self.labels.pop(url, None)  # a new label is the last of the file, whatever the page had before
                if relevant is not None:
                    title = self.texts[url].title if url in self.texts else ""
                    self.labels[url] = PageLabel(url, relevant, self.day, title)
            if self.texts:
                write_texts(self.paths.pages, self.texts.values(), self._kept())
            write_labels(self.paths.labels, self.labels)
            self._model = None

    def edit(self, edits: TermEdits) -> None:
        """Change the words of the topic."""
        with self._change():
            self._set(edited(self.topic, edits))

    def words(self) -> Values:
        """The words of the topic as they are, for `set_words`."""
        topic = self.topic
        return {
            "keywords": topic.keywords, "synonyms": topic.synonyms, "negative_terms": topic.negative_terms,
            "weights": dict(topic.weights),
        }  # fmt: skip

    def set_words(self, values: Values) -> None:
        """Set the words of the topic, to the result of an earlier `words`."""
        with self._change():
            self._set(values)

    def begin_at(self, urls: Sequence[str]) -> None:
        """Set the seeds of the topic, normal URLs, where a crawl begins besides the examples."""
        with self._change():
            change(self.paths.toml, {}, seeds=urls)
            self._read_again()

    def picked_texts(self) -> list[tuple[str, str]]:
        """(source, text) of the examples and of the pages judged yes, as far as their texts are here."""
        urls = dict.fromkeys([*self.topic.examples, *self._judged(True)])
        return [*map(self._file_text, self.topic.example_files), *self._texts_of(urls)]

    def rejected_texts(self) -> list[tuple[str, str]]:
        """(source, text) of the counter-examples and of the pages judged no, as far as their texts are here."""
        urls = dict.fromkeys([*self.topic.negative_examples, *self._judged(False)])
        return [*map(self._file_text, self.topic.negative_example_files), *self._texts_of(urls)]

    def spellings(self) -> dict[str, str]:
        """The written form of each term, by the topic's words and texts."""
        own_words = " ".join([*self.topic.keywords, *self.topic.negative_terms, *(word for word, _ in self.topic.weights)])
        return spellings([own_words, *(text for _, text in self.picked_texts())])

    def without_text(self) -> list[str]:
        """Examples and judged pages whose texts are not here."""
        wanted = dict.fromkeys([*self.topic.examples, *self.topic.negative_examples, *self.labels])
        return [url for url in wanted if url not in self.texts]

    def model(self) -> TopicModel | None:
        """The present topic, with the examples whose texts are here; None while it has no words. The same object is returned
        until something changes, so it must not be trained."""
        if self._model is None:
            self._model = (self.fitted(),)
        return self._model[0]

    def fitted(self) -> TopicModel | None:
        """Like `model`, but a new object, which may be trained (0.1 s for ten examples)."""
        arguments = self.arguments()
        if not arguments["examples"] and not self.topic.keywords:
            return None
        try:
            return TopicModel.fit(self.segmenter, **arguments)
        except BadInput:
            return None

    def arguments(self) -> TopicArguments:
        """All that the topic is made from, as arguments of `TopicModel.fit`."""
        return {
            "keywords": self.topic.keywords,
            "examples": self.picked_texts(),
            "negatives": self.rejected_texts(),
            "seeds": self.file.seeds,
            "min_weight": self.min_weight,
            "threshold": self.topic.threshold,
            "made": self.day,
            "given_terms": GivenTerms.read(self.segmenter, self.topic.weights, self.topic.negative_terms),
            "languages": self.topic.languages,
        }

    def trained(self) -> PageModel | None:
        """The page model as it was last trained; None if it never was, or if its files cannot be used."""
        try:
            return self.read_trained()
        except BadInput:
            return None

    def read_trained(self) -> PageModel | None:
        """The page model as it was last trained; None if it never was. Raises BadInput if its files cannot be used."""
        if not self.paths.trained.is_file():
            return None
        return page_model.load(self.paths.page_model, load(self.paths.trained, Background()))

    def training_problem(self) -> str:
        """What is wrong with the files of the trained topic; empty: nothing, or there are none."""
        try:
            self.read_trained()
        except BadInput as error:
            return str(error)
        return ""

    def terms(self, page: PageText) -> Sequence[str]:
        """The terms by which the page is judged, as in a crawl."""
        return with_tags(self.segmenter.terms(page.whole), page.tags, self.segmenter)

    def judge(self, page: PageText, model: TopicModel, terms: Sequence[str] | None = None) -> Verdict:
        """The verdict by the topic's vector alone, at its own threshold, because the user's threshold is on the page model's
        scale. `terms`: of the page, if it was cut already."""
        verdict = model.judge(self.terms(page) if terms is None else terms)
        verdict = replace(verdict, relevant=verdict.similarity >= model.own_threshold, threshold=model.own_threshold)
        return model.in_language(verdict, page.language)

    def _judged(self, relevant: bool) -> list[str]:
        return [label.url for label in self.labels.values() if label.relevant is relevant]

    def _file_text(self, path: Path) -> tuple[str, str]:
        """(name, text) of a local file. Reading one takes 20 ms, and a page of the dashboard needs all of them several times.
        Raises BadInput if it is gone."""
        try:
            stat = path.stat()
        except OSError as error:
            raise BadInput(f"The example file {path} cannot be read: {error.strerror or error}.") from None
        known, text = self._files.get(path, (None, ("", "")))
        if known != (stamp := (stat.st_mtime_ns, stat.st_size)):
            (text,) = read_files([path])
            self._files[path] = stamp, text
        return text

    def _texts_of(self, urls: Iterable[str]) -> list[tuple[str, str]]:
        return [(url, self.texts[url].whole) for url in urls if url in self.texts]

    def _kept(self) -> set[str]:
        """The pages whose texts always stay: examples and judged ones."""
        return {*self.topic.examples, *self.topic.negative_examples, *self.labels}

    def _entries(self, urls: Iterable[str], positive: bool) -> list[str]:
        """A list of examples as it is in the topic file: local files, then URLs."""
        files = self.topic.example_files if positive else self.topic.negative_example_files
        return [*(os.path.relpath(path, self.paths.folder) for path in files), *urls]

    def _set(self, values: Values) -> None:
        change(self.paths.toml, values)
        self._read_again()

    def _read_again(self) -> None:
        """Read the topic file again. The texts are cut again only if the words that cut them have changed."""
        before = self.topic.vocabulary
        self.file = read_topic(self.paths.toml)
        if before != self.topic.vocabulary:
            self._segmenter = None
        self._model = None
