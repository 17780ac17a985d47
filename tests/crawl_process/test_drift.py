from __future__ import annotations

import random

from focuscrawl.crawl.relevance.drift import FIRST, WINDOW, Alarm, DriftWatch, cosine, largest, template_of

TOPIC = {f"star{n}": 1.0 for n in range(10)}
OTHER = {f"shop{n}": 1.0 for n in range(10)}


def page(rng: random.Random, share: float) -> dict[str, float]:
    """A page of 30 terms: a share of them on the topic, others on shopping, the rest its own."""
    on = rng.sample(list(TOPIC), round(10 * share))
    off = rng.sample(list(OTHER), round(10 * (1 - share)))
    return dict.fromkeys([*on, *off, *(f"word{rng.randrange(5000)}" for _ in range(20))], 30**-0.5)


def feed(watch: DriftWatch, shares: list[float], url: str = "http://h{n}.test/{n}") -> list[Alarm]:
    rng = random.Random(3)
    return [alarm for n, share in enumerate(shares) for alarm in watch.accept(url.format(n=n), page(rng, share))]


def test_a_crawl_that_stays_with_its_topic_raises_no_alarm() -> None:
    assert feed(DriftWatch(TOPIC, 0.6), [0.8] * 400) == []
    assert feed(DriftWatch(TOPIC, 0.6), [0.3] * 400) == [], "a topic that was never near is not drifting"


def test_the_centre_moves_away_and_is_named_once() -> None:
    alarms = feed(DriftWatch(TOPIC, 0.6), [0.8] * FIRST + [0.2] * (3 * WINDOW))
    assert [alarm.kind for alarm in alarms] == ["centre"]
    assert "shop" in alarms[0].text
    assert "similarity 0." in alarms[0].text
    assert feed(DriftWatch(TOPIC, 0.0), [0.8] * FIRST + [0.1] * (3 * WINDOW)) == []


def test_what_the_pages_speak_of_is_named_as_they_write_it() -> None:
    watch, alarms = DriftWatch(TOPIC, 0.6), list[Alarm]()
    for n in range(FIRST + 3 * WINDOW):
        vector = dict.fromkeys(TOPIC if n < FIRST else ("comput", "wash_machin"), 0.2)
        alarms += watch.accept(f"http://h{n}.test/", vector, text="Computers, computers and a washing machine")
    assert "they speak of computers, washing machine; nothing" in alarms[0].text


def test_only_while_the_centre_is_away_must_pages_be_near_to_be_learned_from() -> None:
    watch, rng = DriftWatch(TOPIC, 0.5), random.Random(3)

    def accept(pages: int, share: float) -> float:
        for n in range(pages):
            watch.accept(f"http://h{n}.test/", page(rng, share), share)
        return watch.least_similarity

    assert accept(FIRST + WINDOW, 0.8) == 0.0
    assert abs(accept(2 * WINDOW, 0.1) - 0.5 * 0.8) < 1e-9, "half of what the first pages had"
    assert accept(2 * WINDOW, 0.8) == 0.0


def test_one_template_with_the_same_words_floods() -> None:
    watch, rng, same = DriftWatch(TOPIC, 0.6), random.Random(3), page(random.Random(9), 0.8)
    alarms = []
    for n in range(2 * WINDOW):
        flood = n % 3 > 0
        url = f"http://shop.test/item/{n}?id={n}" if flood else f"http://h{n}.test/"
        alarms += watch.accept(url, {**same, f"own{n}": 0.1} if flood else page(rng, 0.8))
    assert [alarm.kind for alarm in alarms] == ["flood"]
    assert alarms[0].text.endswith("from shop.test/item/*?id")


def test_one_relevant_site_of_many_subjects_is_no_flood() -> None:
    assert feed(DriftWatch(TOPIC, 0.6), [0.8] * 300, "http://manual.test/page/{n}.html") == []


def test_templates() -> None:
    assert template_of("http://a.test/x12/7/page-3.html?b=1&a=2") == "a.test/x0/0/*?a&b"
    assert template_of("http://a.test/") == "a.test/*"
    assert template_of("http://a.test:8000/x?") == "a.test:8000/*"


def test_the_window_forgets_wholly() -> None:
    watch = DriftWatch(TOPIC, 0.6)
    feed(watch, [0.5] * 300)
    assert len(watch._sum) < 30 * WINDOW
    assert sum(watch._templates.values()) == WINDOW
    assert watch._last.keys() == watch._templates.keys()


def test_vectors() -> None:
    assert largest({f"t{n}": float(n) for n in range(100)}).keys() == {f"t{n}" for n in range(60, 100)}
    assert cosine({}, TOPIC) == 0.0
    assert abs(cosine(TOPIC, TOPIC) - 1) < 1e-9
