"""Makes a topic for `focuscrawl.crawl.relevance.topic`, in a process of its own.

This is a module of its own because that process imports no more than it needs: neither Scrapy nor the settings.
"""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from focuscrawl.errors import BadInput
from focuscrawl.reading.page import read_files
from focuscrawl.text.segment import Segmenter
from models.topic.evidence import GivenTerms
from models.topic.json_file import to_plain
from models.topic.vsm import TopicModel

Text = tuple[str, str]
"""Source (URL or file) and text."""


def make(
    _: bytes,
    *,
    user_words: Sequence[str],
    prefer: str,
    synonyms: Sequence[Sequence[str]],
    phrases: Sequence[str],
    files: Sequence[str],
    negative_files: Sequence[str],
    pages: Sequence[Text],
    given_weights: Sequence[tuple[str, float]],
    negative_terms: Sequence[str],
    **more: Any,
) -> dict[str, Any]:
    """What the process does. Returns the topic as plain data, `{"problem": sentence}` where the input has a fault, or
    `{"traceback": text}` where the program has. `more`: arguments of `TopicModel.fit`."""
    try:
        segmenter = Segmenter(user_words, prefer, tuple(map(tuple, synonyms)), phrases)
        model = TopicModel.fit(
            segmenter,
            [*read_files(map(Path, files)), *((source, text) for source, text in pages)],
            negatives=read_files(map(Path, negative_files)),
            made=datetime.now(UTC).date().isoformat(),
            given_terms=GivenTerms.read(segmenter, given_weights, negative_terms),
            **more,
        )
        return to_plain(model)
    except MemoryError:  # which the process answers as any other job's
        raise
    except (BadInput, OSError) as error:
        return {"problem": str(error)}
    except Exception:  # the process's own standard error goes nowhere: the crawl's log is to have it
        return {"traceback": traceback.format_exc()}
