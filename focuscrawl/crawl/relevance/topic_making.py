"""Makes a topic from what the user said and from texts, in a process of its own that ends afterwards: jieba's dictionary takes
80 MB while a topic's own texts are cut, and some of it would stay with the crawl.
"""

from __future__ import annotations

from collections.abc import Sequence

from focuscrawl.config.job import CrawlJob
from focuscrawl.config.options import Options
from focuscrawl.crawl.relevance.topic_apart import Text
from focuscrawl.errors import BadInput
from focuscrawl.reading.worker import Job, Limits, WorkerProcess
from focuscrawl.text.segment import Segmenter
from models.topic.background import Background
from models.topic.json_file import from_plain
from models.topic.vsm import TopicModel

NO_LIMITS = Limits(0.0, 0)
"""What the user gave is not hostile. A thousand Chinese examples take 20 s."""


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
    answer = await worker.read(Job("focuscrawl.crawl.relevance.topic_apart:make", b"", arguments, NO_LIMITS))
    if answer.error:
        raise BadInput("The topic cannot be made: the process that should make it ended early, perhaps because memory ran out.")
    if "problem" in answer.result:
        raise BadInput(answer.result["problem"])
    if "traceback" in answer.result:
        raise RuntimeError(f"the topic cannot be made\n{answer.result['traceback']}")
    return from_plain(answer.result, Background())
