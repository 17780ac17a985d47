from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from focuscrawl.text.segment import Segmenter
from models.page.calibrated import CalibratedModel
from models.page.calibration import FROM_EXAMPLES, FROM_SHARED_WORDS
from models.page.crawl_record import CrawlRecord
from models.page.emphasis import LEAST_PAGES, chosen_emphasis
from models.page.page_context import NO_CONTEXT
from models.page.page_sample import Counts, page_counts
from models.topic.evidence import Emphasis
from models.topic.vsm import TopicModel

SYLLABLES = ("ba", "ko", "ri", "tu", "ne", "lo", "mi", "sa", "pe", "du")
KIND = ("lecture", "homework", "exam", "syllabus", "office", "textbook", "semester", "grading")
SMALL = ("table", "window", "morning", "letter", "garden", "road", "paper", "water")


@pytest.fixture(scope="module")
def segmenter() -> Segmenter:
    return Segmenter()


def subject(number: int) -> list[str]:
    """Words that pages about nothing else have."""
    rng = random.Random(number)
    return ["".join(rng.choices(SYLLABLES, k=4)) for _ in range(20)]


def text(rng: random.Random, *kinds: Sequence[str]) -> str:
    """Fifteen words of each kind."""
    return " ".join(word for words in kinds for word in rng.choices(words, k=15))


def some(rng: random.Random) -> list[str]:
    """Few of the words that pages of the kind have."""
    return rng.sample(KIND, 3)


def example_pages(rng: random.Random, about: Callable[[int], Sequence[str]]) -> list[tuple[str, str]]:
    return [
        (f"http://www.u{n}.example/c", f"Page\n{text(rng, about(n), about(n), about(n))} {' '.join(some(rng))}")
        for n in range(12)
    ]


def sample(segmenter: Segmenter, texts: Sequence[str]) -> list[Counts]:
    return [page_counts(Counter(segmenter.terms(one)), NO_CONTEXT) for one in texts]


def emphasis(topic: TopicModel, pages: Sequence[Counts]) -> Emphasis:
    return chosen_emphasis(topic.evidence, topic.background.idf, topic.min_weight, pages)


@pytest.mark.parametrize("files", [False, True])
def test_a_kind_of_page_is_told_by_what_its_examples_share(segmenter: Segmenter, files: bool) -> None:
    rng = random.Random(3)
    pages = example_pages(rng, subject)
    topic = TopicModel.fit(segmenter, [(f"{n}.html", one) for n, (_, one) in enumerate(pages)] if files else pages)
    followed = sample(segmenter, [text(rng, subject(n % 12), subject(n % 12), SMALL) for n in range(60)])
    assert emphasis(topic, followed) is not Emphasis.ALL
    assert emphasis(topic, followed[: LEAST_PAGES - 1]) is Emphasis.ALL


def test_subjects_that_several_sites_have_do_not_outweigh_the_kind(segmenter: Segmenter) -> None:
    """The same departments of many universities: three of the sites say the words of one subject, again and again."""
    rng = random.Random(3)
    topic = TopicModel.fit(segmenter, example_pages(rng, lambda n: subject(n % 4)))
    followed = sample(segmenter, [text(rng, subject(n % 4), subject(n % 4), SMALL) for n in range(60)])
    topic.emphasize(emphasis(topic, followed))
    assert topic.evidence.emphasis is not Emphasis.ALL
    strongest = sorted(topic.weights, key=lambda term: -topic.weights[term])[: len(KIND) // 2]
    assert set(strongest) <= {term for word in KIND for term in segmenter.terms(word)}, strongest


def test_a_subject_keeps_all_its_words(segmenter: Segmenter) -> None:
    rng = random.Random(4)
    topic = TopicModel.fit(segmenter, example_pages(rng, lambda _: subject(0)))
    others = sample(segmenter, [f"{text(rng, subject(n), SMALL)} {' '.join(some(rng))}" for n in range(1, 61)])
    assert emphasis(topic, others) is Emphasis.ALL
    topic.emphasize(Emphasis.SHARED)
    assert emphasis(topic, others) is Emphasis.ALL


def test_what_examples_share_counts_as_long_as_it_tells_more(segmenter: Segmenter) -> None:
    """A crawl that looks for the kind sees no more pages about the examples' subjects, and all words do better than before."""
    rng = random.Random(3)
    topic = TopicModel.fit(segmenter, example_pages(rng, subject))
    about = sample(segmenter, [text(rng, subject(n % 12), subject(n % 12), SMALL) for n in range(60)])
    others = sample(segmenter, [text(rng, subject(n), SMALL) for n in range(100, 160)])
    assert emphasis(topic, others) is Emphasis.ALL
    topic.emphasize(emphasis(topic, about))
    assert emphasis(topic, others) is not Emphasis.ALL


def test_examples_of_few_sites_keep_all_their_words(segmenter: Segmenter) -> None:
    rng = random.Random(5)
    pages = [(f"http://h{n}.u{n % 4}.example/c", one) for n, (_, one) in enumerate(example_pages(rng, subject))]
    files = [(f"{n}.html", one.replace("Page", f"Page {n} - Site {n % 4}", 1)) for n, (_, one) in enumerate(pages)]
    followed = sample(segmenter, [text(rng, subject(n % 12), subject(n % 12), SMALL) for n in range(60)])
    assert emphasis(TopicModel.fit(segmenter, pages), followed) is Emphasis.ALL
    assert emphasis(TopicModel.fit(segmenter, files), followed) is Emphasis.ALL


@pytest.mark.parametrize("kind_of_page", [True, False])
def test_a_crawl_that_follows_subjects_finds_the_kind(segmenter: Segmenter, kind_of_page: bool) -> None:
    """Pages of the kind about subjects that no example has come before pages about the examples' subjects."""
    rng = random.Random(6)
    topic = TopicModel.fit(segmenter, example_pages(rng, subject if kind_of_page else lambda _: subject(0)))
    model = CalibratedModel(topic)
    for number in range(60):
        words = segmenter.terms(text(rng, subject(number % 12), subject(number % 12), SMALL))
        model.learn(words, model.judge(words).relevant)
    kind = model.judge(segmenter.terms(f"{text(rng, subject(77), SMALL)} {' '.join(KIND)}")).relevance
    about = model.judge(segmenter.terms(text(rng, subject(0), subject(0), SMALL))).relevance
    assert (kind > about) == kind_of_page
    assert model.threshold == (FROM_SHARED_WORDS if kind_of_page else FROM_EXAMPLES).threshold


def test_what_was_chosen_holds_for_further_runs_and_workers(segmenter: Segmenter) -> None:
    """By the pages that a crawl has met since then, it would not be chosen again."""
    rng = random.Random(3)
    pages = example_pages(rng, subject)
    first, second = (CalibratedModel(TopicModel.fit(segmenter, pages)) for _ in range(2))
    subjects = [subject(n % 12) for n in range(30)] + [subject(n) for n in range(100, 270)]
    for about in subjects:
        first.learn(segmenter.terms(text(rng, about, SMALL)), False)
    assert first.topic.evidence.emphasis is not Emphasis.ALL
    unknowing = TopicModel.fit(segmenter, pages, background=first.topic.background)
    assert emphasis(unknowing, first.learned.sample.pages) is Emphasis.ALL
    restored = CalibratedModel.restore(TopicModel.fit(segmenter, pages), json.loads(json.dumps(first.state())))
    for learner, other in ((first.topic.background, second.topic.background), (first.learned, second.learned)):
        for part in json.loads(json.dumps(list(learner.whole()))):
            other.add(part)
    for later in (second, restored):
        later.refresh()
        assert later.topic.evidence.emphasis is first.topic.evidence.emphasis
        assert later.threshold == first.threshold == FROM_SHARED_WORDS.threshold


def test_the_choice_that_followed_from_most_pages_holds() -> None:
    early, late, joined = CrawlRecord(), CrawlRecord(), CrawlRecord()
    for pages, record, emphasis in ((30, early, Emphasis.SHARED), (60, late, Emphasis.ALL)):
        for _ in range(pages):
            record.learn(["comet"], 0.5, 0.5)
        record.choose(emphasis)
    (of_late,), (of_early,) = late.take(), early.take()
    held = []
    for part in (of_early, of_late, of_early, {"addresses": {"sum": 0.0, "pages": 0, "words": {}}}):
        joined.add(part)
        held.append(joined.emphasis)
    assert held == [Emphasis.SHARED, Emphasis.ALL, Emphasis.ALL, Emphasis.ALL], "the last part is of an earlier version"
    with pytest.raises(ValueError):
        joined.add({**of_early, "emphasis": [1, "none"]})
