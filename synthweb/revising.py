"""Texts that are changed after they were written: a sentence replaced, a paragraph added."""

from __future__ import annotations

import re
from collections.abc import Sequence

from synthweb.document import Recipe, Revision
from synthweb.prose import Writer

SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
MOST_PARAGRAPHS = 20


def revise(paragraphs: list[str], revisions: Sequence[Revision], recipe: Recipe) -> list[str]:
    """The paragraphs after all revisions, in order. The last paragraph goes when there are too many."""
    for revision in revisions:
        writer = Writer(recipe.language, recipe.topic, revision.key)
        if revision.kind == "paragraph":
            at = revision.key % (len(paragraphs) + 1)
            paragraphs = [*paragraphs[:at], writer.text(1)[0], *paragraphs[at:]][:MOST_PARAGRAPHS]
        else:
            at = revision.key % len(paragraphs)
            paragraphs = [*paragraphs[:at], with_sentence(paragraphs[at], writer, revision.key), *paragraphs[at + 1 :]]
    return paragraphs


def with_sentence(paragraph: str, writer: Writer, key: int) -> str:
    """The paragraph with another sentence in the place of one of its own."""
    sentences = [part for part in SENTENCE.split(paragraph) if part]
    sentences[(key >> 16) % len(sentences)] = writer.sentence("w" if writer.topical else "g")
    return (" " if writer.language == "en" else "").join(sentences)
