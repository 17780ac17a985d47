"""Has the user said something else about a topic since? A digest of all that he said tells."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from focuscrawl.topicfile import Topic


def definition_of(topic: Topic, seeds: Sequence[str]) -> str:
    """32 hex digits. Example files count by their content; the seeds only where they alone say what the topic is."""
    said: list[object] = [topic.keywords, topic.examples, topic.negative_examples, topic.threshold, topic.languages]
    said += [topic.synonyms, topic.negative_terms, topic.weights]
    said += [[path.read_bytes() for path in files] for files in (topic.example_files, topic.negative_example_files)]
    if not topic.keywords and not topic.examples and not topic.example_files:
        said.append(tuple(seeds))
    return hashlib.blake2b(repr(said).encode(), digest_size=16).hexdigest()
