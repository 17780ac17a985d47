"""Makes a topic from what the user said and from texts, in a process of its own that ends afterwards: jieba's dictionary takes
80 MB while a topic's own texts are cut, and some of it would stay with the crawl.
"""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from focuscrawl.config.job import CrawlJob
from focuscrawl.config.options import Options
from focuscrawl.errors import BadInput
from focuscrawl.reading.page import read_files
from focuscrawl.reading.worker import Job, Limits, WorkerProcess
from focuscrawl.text.segment import Segmenter
from models.topic.background import Background
from models.topic.json_file import from_plain, to_plain
from models.topic.vsm import TopicModel

NO_LIMITS = Limits(0.0, 0)
"""What the user gave is not hostile. A thousand Chinese examples take 20 s."""
Text = tuple[str, str]
"""Source (URL or file) and text."""


async def make_apart(
    worker: WorkerProcess, job: CrawlJob, options: Options, segmenter: Segmenter, pages: Sequence[Text]
) -> TopicModel:
    """The topic of a job, made by the process `worker` with a segmenter like this one. `pages`: texts that are on the topic,
    beside the job's files.

    Raises:
        BadInput: No topic can be made of them, or there is no memory for it.
        RuntimeError: The program has a fault; with the traceback of the process.
    """
    topic = job.topic
    arguments = {
        "user_words": segmenter.user_words,
        "prefer": options.relevance_segmenter,
        "synonyms": segmenter.synonyms,
        "keywords": topic.keywords,
        "files": [str(path.absolute()) for path in topic.example_files],
        "negative_files": [str(path.absolute()) for path in topic.negative_example_files],
        "pages": pages,
        "seeds": job.seeds,
        "min_weight": options.relevance_min_term_weight,
        "threshold": topic.threshold,
        "given_weights": topic.weights,
        "negative_terms": topic.negative_terms,
        "languages": topic.languages,
    }
    answer = await worker.read(Job(f"{__name__}:make", b"", arguments, NO_LIMITS))
    if answer.error:
        raise BadInput("The topic cannot be made: the process that was to make it ended before, perhaps for want of memory.")
    if "problem" in answer.result:
        raise BadInput(answer.result["problem"])
    if "traceback" in answer.result:
        raise RuntimeError(f"the topic cannot be made\n{answer.result['traceback']}")
    return from_plain(answer.result, Background())


def make(
    _: bytes,
    *,
    user_words: Sequence[str],
    prefer: str,
    synonyms: Sequence[Sequence[str]],
    files: Sequence[str],
    negative_files: Sequence[str],
    pages: Sequence[Text],
    **more: Any,
) -> dict[str, Any]:
    """What the process does. Returns the topic as plain data, `{"problem": sentence}` where the input has a fault, or
    `{"traceback": text}` where the program has. `more`: arguments of `TopicModel.fit`."""
    try:
        model = TopicModel.fit(
            Segmenter(user_words, prefer, tuple(map(tuple, synonyms))),
            [*read_files(map(Path, files)), *((source, text) for source, text in pages)],
            negatives=read_files(map(Path, negative_files)),
            made=datetime.now(UTC).date().isoformat(),
            **more,
        )
        return to_plain(model)
    except MemoryError:  # which the process answers as any other job's
        raise
    except (BadInput, OSError) as error:
        return {"problem": str(error)}
    except Exception:  # the process's own standard error goes nowhere: the crawl's log is to have it
        return {"traceback": traceback.format_exc()}
