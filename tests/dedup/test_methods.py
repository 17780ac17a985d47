from __future__ import annotations

import random
from collections import defaultdict

import pytest

from focuscrawl.dedup.bands import MOST_ROWS
from focuscrawl.dedup.confirm import THRESHOLD, same_text
from focuscrawl.dedup.methods import METHOD_NAMES, MOST_CHECKED, DedupMethod, method, ranked
from focuscrawl.items import Fingerprint

DRAW = random.Random(5)
VOCABULARY = [f"word{number}" for number in range(3000)]
PAGE = DRAW.choices(VOCABULARY, k=500)


@pytest.fixture(params=METHOD_NAMES)
def chosen(request: pytest.FixtureRequest) -> DedupMethod:
    return method(str(request.param))


def made(chosen: DedupMethod, words: list[str]) -> Fingerprint:
    return chosen.fingerprint(" ".join(words), words)


def test_a_copy_shares_a_key_and_is_similar(chosen: DedupMethod) -> None:
    page, copy = made(chosen, PAGE), made(chosen, ["2024", *PAGE[:250], "buy", "this", *PAGE[250:]])
    assert set(chosen.keys(page)) & set(chosen.keys(copy))
    assert chosen.similar(page, copy) >= chosen.threshold
    assert chosen.similar(page, page) == 1.0


def test_a_stranger_is_not_similar(chosen: DedupMethod) -> None:
    page, other = made(chosen, PAGE), made(chosen, DRAW.choices([word * 2 for word in VOCABULARY], k=500))
    assert chosen.similar(page, other) < chosen.threshold


def test_every_method_gives_digest_and_simhash(chosen: DedupMethod) -> None:
    fingerprint = made(chosen, PAGE)
    assert fingerprint.digest == made(method("simhash"), PAGE).digest != b""
    assert fingerprint.simhash == made(method("simhash"), PAGE).simhash
    assert len(fingerprint.features) == {"simhash": 0, "shingles": 64}.get(chosen.name, len(fingerprint.features))


def test_an_empty_page_is_like_nothing(chosen: DedupMethod) -> None:
    assert made(chosen, []) == Fingerprint()
    assert chosen.keys(Fingerprint()) == []


def test_a_very_short_page_has_keys(chosen: DedupMethod) -> None:
    assert chosen.keys(made(chosen, ["sold", "out"]))


def test_keys_fit_a_signed_column(chosen: DedupMethod) -> None:
    assert all(0 <= key < 2**63 for key in chosen.keys(made(chosen, PAGE)))


def test_methods_are_found_by_name() -> None:
    assert [method(name).name for name in METHOD_NAMES] == ["simhash", "shingles", "winnowing"]
    with pytest.raises(ValueError, match=r"minhash.*simhash, shingles, winnowing"):
        method("minhash")


def test_ranked_gives_the_best_few_once_and_the_oldest_first() -> None:
    simhash = method("simhash")
    rows = [(9, Fingerprint(simhash=0b1)), (7, Fingerprint(simhash=0)), (3, Fingerprint(simhash=0))]
    rows += [(7, Fingerprint(simhash=0)), (1, Fingerprint(simhash=2**40 - 1))]
    rows += [(page_id, Fingerprint(simhash=0b11)) for page_id in range(20, 40)]
    best = ranked(simhash, Fingerprint(simhash=0), rows)
    assert [page_id for page_id, _ in best] == [3, 7, 9, 20, 21, 22, 23, 24]
    assert len(best) == MOST_CHECKED
    assert best[0][1] == 1.0
    assert best[2][1] == 1 - 1 / 64


@pytest.mark.slow
def test_pages_with_one_simhash_are_all_kept_and_looked_up_in_bounded_time() -> None:
    """Unrelated texts of equal SimHash: every one is an original, and a look-up reads a bounded number of rows."""
    simhash = method("simhash")
    index: dict[int, list[int]] = defaultdict(list)
    pages = [DRAW.sample(PAGE, len(PAGE)) for _ in range(40)]
    for page_id, words in enumerate(pages):
        page = made(simhash, words)
        rows = [(other, page) for key in simhash.keys(page) for other in index[key]]
        checked = ranked(simhash, page, rows)
        assert len(checked) <= MOST_CHECKED
        assert all(same_text(words, pages[other]) < THRESHOLD for other, _ in checked)
        for key in simhash.keys(page):
            index[key].append(page_id)
    crowd = [(page_id, made(simhash, PAGE)) for page_id in range(4 * MOST_ROWS)]
    assert len(ranked(simhash, made(simhash, PAGE), crowd)) == MOST_CHECKED


@pytest.mark.parametrize("name", METHOD_NAMES)
def test_the_simhash_package_gives_the_same_fingerprints(name: str) -> None:
    words = ["数据库", "database", "index"] * 120 + ["b-tree"]
    assert method(name, "simhash").fingerprint("some text", words) == method(name, "numpy").fingerprint("some text", words)
