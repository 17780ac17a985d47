"""What the pages of a crawl teach the page model."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from focuscrawl.text.segment import Segmenter
from models.page.calibrated import CalibratedModel
from models.page.calibration import EVEN_SHARE
from models.page.page_context import PageContext, page_context
from models.page.page_regression import (
    EXAMPLE_SHARE,
    LATENT,
    LEAST_SHARE,
    LEAST_TAUGHT,
    MOST_SHARE,
    POSSIBLE,
    RIDGE,
    Floats,
    PageRegression,
    _directions,
    _idf,
    _irrelevant,
    _unit,
    relevant_share,
    teach,
)
from models.page.page_sample import TITLE, URL, Counts, page_counts, text_of
from models.page.refitting import FIRST_FIT, LAG, Refitting
from models.page.text_scale import LOW_SCORE, own_scale
from models.topic.background import draw
from models.topic.evidence import LEAST_EXAMPLES, Emphasis, Evidence, EvidenceText, GivenTerms
from models.topic.vsm import TopicModel

HEALTH = """
养生 肝脏 心脏 血压 营养 维生素 睡眠 失眠 感冒 发烧 咳嗽 肠胃 消化 皮肤 过敏 关节 骨骼 糖尿病
胆固醇 减肥 蔬菜 水果 蛋白质 免疫力 疲劳 中药 穴位 按摩 锻炼 饮食 体重 头痛 贫血 眼睛 牙齿
喝水 熬夜 脂肪 肾脏 呼吸
"""
OTHER = """
股票 基金 银行 利率 比赛 球队 冠军 教练 汽车 发动机 手机 芯片 软件 电影 导演 演员 小说 作家
旅游 酒店 航班 法院 律师 合同 学校 考试 论文 房价 贷款 装修 建筑 桥梁 军队 外交 总统 选举
议会 天气 台风 地震
"""
KEYWORDS = ["健康", "保健", "养生", "医学", "疾病", "预防", "中医", "食疗"]


def article(dice: random.Random, words: str) -> str:
    """A short text with five of many words of its subject: two such articles hardly share one."""
    terms = draw(dice, 1.0, 100) + dice.sample(words.split(), 5) * 2
    dice.shuffle(terms)
    return "，".join(terms)


@pytest.fixture(scope="module")
def cutter() -> Segmenter:
    return Segmenter()


@pytest.fixture
def health(cutter: Segmenter) -> CalibratedModel:
    dice = random.Random(3)
    examples = [(f"http://h{number}.example/a", f"文章\n{article(dice, HEALTH)}") for number in range(12)]
    return CalibratedModel(TopicModel.fit(cutter, examples, KEYWORDS))


def crawl(model: CalibratedModel, cutter: Segmenter, pages: int, seed: int = 5) -> None:
    dice = random.Random(seed)
    for number in range(pages):
        words = cutter.terms(article(dice, HEALTH if dice.random() < 0.4 else OTHER))
        context = page_context("文章", f"http://z{number % 11}.example/{number}", cutter)
        model.learn(words, model.judge(words, context).relevant, context)


def called(model: CalibratedModel, cutter: Segmenter, words: str, seed: int = 99) -> float:
    """Share of new articles that are called relevant."""
    dice = random.Random(seed)
    contexts = [page_context("文章", f"http://x{number}.example/", cutter) for number in range(40)]
    return sum(model.judge(cutter.terms(article(dice, words)), context).relevant for context in contexts) / 40


def test_a_topic_whose_examples_share_few_words_is_found(health: CalibratedModel, cutter: Segmenter) -> None:
    assert own_scale(health.topic.evidence, health.topic.background.idf, health.topic.min_weight).usual < LOW_SCORE - 1
    assert called(health, cutter, HEALTH) >= 0.5
    assert called(health, cutter, OTHER) <= 0.05
    crawl(health, cutter, 150)
    assert called(health, cutter, HEALTH) >= 0.75
    assert called(health, cutter, OTHER) <= 0.05


def test_a_crawl_that_begins_on_a_site_about_the_topic_does_not_take_all_articles_for_relevant(cutter: Segmenter) -> None:
    """It has seen relevant articles, and lists, which teach no more than that articles have sentences."""
    for seed in (1, 2, 3):
        dice = random.Random(seed)
        examples = [(f"file{number}", f"文章\n{article(dice, HEALTH)}") for number in range(12)]
        model = CalibratedModel(TopicModel.fit(cutter, examples, ["睡眠", "血压", "饮食"]))
        for number in range(FIRST_FIT + 3):
            words = dice.sample(HEALTH.split(), 4) if number % 5 == 0 else cutter.terms(article(dice, HEALTH))
            context = page_context("文章", f"http://site.example/{number}", cutter)
            model.learn(words, model.judge(words, context).relevant, context)
        assert called(model, cutter, HEALTH) >= 0.3
        assert called(model, cutter, OTHER) <= 0.05


def test_without_examples_the_verdict_names_words_that_only_the_crawl_knows(segmenter: Segmenter) -> None:
    topic = TopicModel.fit(segmenter, (), ["database", "SQL", "index", "tables"])
    model, dice = CalibratedModel(topic), random.Random(1)
    filler = [f"word{n}" for n in range(60)]
    for number in range(70):
        good = number % 2
        words = segmenter.terms("database SQL index queries tables trigger" if good else "flowers spring park children garden")
        words += dice.sample(filler, 20)
        context = PageContext(url_terms=(f"n{number}",))
        model.learn(words, model.judge(words, context).relevant, context)
    verdict = model.judge(segmenter.terms("a trigger of tables") + filler[:10])
    assert "trigger" not in topic.weights
    assert "trigger" in dict(verdict.terms)
    assert sum(share for _, share in verdict.terms) <= 1.001


def test_with_examples_what_may_be_relevant_teaches_nothing() -> None:
    """A third of the pages speaks of a trigger and may be relevant: by those that are not, it is as good as unknown."""
    examples = tuple(EvidenceText(f"file{n}", {"sql": 3, "index": 1, f"own{n}": 1}, ("manual",)) for n in range(4))
    good = [{"sql": 1, "trigger": 1, f"g{n}": 1} for n in range(20)]
    bad = [{"flower": 1, f"b{n % 7}": 1, f"{URL}{n}": 1, f"{TITLE}garden": 1} for n in range(40)]

    def fitted(by_text: float, with_url: float) -> PageRegression:
        probabilities, with_urls = [by_text] * 20 + [0.1] * 40, [with_url] * 20 + [0.1] * 40
        return PageRegression({"sql": 1.0}, Evidence(examples=examples), good + bad, probabilities, with_urls)

    unsure, sure, ruled_out = fitted(POSSIBLE, POSSIBLE), fitted(0.9, 0.9), fitted(POSSIBLE - 0.01, POSSIBLE - 0.01)
    spoken_for, only_by_url = fitted(POSSIBLE - 0.01, 0.3), fitted(0.9, POSSIBLE - 0.01)
    page = {"sql": 1, "trigger": 2}
    for fit in (unsure, sure, spoken_for, only_by_url):
        assert fit.standing(page)[0] > 0.4 > 0.1 > ruled_out.standing(page)[0]
        assert fit.standing({"sql": 1})[0] > 0.5 > 0 >= fit.standing({"flower": 1})[0]
    assert only_by_url.standing(page) == sure.standing(page)


def test_given_terms_teach_what_the_user_says_of_them_and_nothing_else() -> None:
    examples = tuple(EvidenceText(f"file{n}", {"sql": 3, "index": 1, f"own{n}": 1}) for n in range(4))
    pages = [{"sql": 1, "index": 1, "bind": 1}] * 5 + [{"flower": 1, f"b{n % 7}": 1, "vase": 1} for n in range(40)]

    def standing(page: Counts, **given: Any) -> float:
        evidence = Evidence(examples=examples, given=GivenTerms(**given))
        return PageRegression({"sql": 1.0}, evidence, pages, [0.9] * 5 + [0.1] * 40).standing(page)[0]

    page = {"sql": 1, "bind": 1, "vase": 1}
    assert standing(page, negative=("unheard",), weights=(("unknown", 0.5),)) == standing(page)
    assert standing(page, negative=("bind",)) == pytest.approx(standing(page, weights=(("bind", -1.0),)))
    against = [standing(page, weights=(("bind", -weight),)) for weight in (1.0, 0.5, 0.1, 0.02, 0.001)]
    in_favour = [standing(page, weights=(("vase", weight),)) for weight in (0.001, 0.02, 0.1, 0.5, 1.0)]
    assert against == sorted(against)
    assert in_favour == sorted(in_favour)
    assert against[0] < standing(page) - 0.05
    assert in_favour[-1] > standing(page) + 0.05
    assert against[-1] == in_favour[0] == standing(page)
    assert standing(page) - against[3] < (standing(page) - against[0]) / 2, "a small weight teaches less"
    assert in_favour[1] - standing(page) < (in_favour[-1] - standing(page)) / 2


def test_urls_do_not_matter_where_they_leave_too_few_pages_to_teach() -> None:
    hardly, more = [0.1] * (LEAST_TAUGHT + 5), [0.3] * 5
    assert _irrelevant(hardly, [0.1] * LEAST_TAUGHT + more).tolist() == [*range(LEAST_TAUGHT)]
    assert _irrelevant(hardly, [0.1] * (LEAST_TAUGHT - 1) + more + [0.3]).tolist() == [*range(LEAST_TAUGHT + 5)]


def test_pages_that_teach_are_not_those_whose_directory_is_about_the_topic(
    health: CalibratedModel, cutter: Segmenter, monkeypatch: pytest.MonkeyPatch
) -> None:
    fits: list[tuple[float, float, bool]] = []

    def noted(_: object, __: object, pages: list[Counts], by_text: list[float], with_url: list[float]) -> None:
        fits[:] = zip(by_text, with_url, [f"{URL}wiki" in page for page in pages], strict=True)

    monkeypatch.setattr("models.page.calibrated.PageRegression", noted)
    monkeypatch.setattr("models.page.calibrated.teach", lambda *_: True)
    dice = random.Random(4)
    for number in range(100):
        words = HEALTH if number % 2 and number % 10 != 1 else OTHER
        context = page_context("文章", f"http://z.example/{'wiki' if number % 2 else 'shop'}/{number}", cutter)
        health.learn(cutter.terms(article(dice, words)), False, context)
    hardly = [(with_url - by_text, in_wiki) for by_text, with_url, in_wiki in fits if by_text < POSSIBLE]
    assert min(more for more, in_wiki in hardly if in_wiki) > 0 > max(more for more, in_wiki in hardly if not in_wiki)


def test_words_of_relevant_pages_are_as_rare_as_among_the_others() -> None:
    columns = {"sql": 0, "menu": 1, "flower": 2}
    pages: list[Counts] = [*[{"sql": 1, "menu": 1}] * 30, *[{"flower": 1, "menu": 2}] * 10]
    sql, menu, flower = _idf(columns, pages, [0.9] * 30 + [0.1] * 10)
    assert sql > flower > menu == pytest.approx(1.0)


def fitted_to_keywords(with_a_keyword: int, others: int = 120) -> PageRegression:
    """Fitted to 40 pages about fishing, so many of which have a keyword, and to others, which have none."""
    dice, topic = random.Random(7), {"angling": 0.5, "bait": 0.5}
    fishing, other = [f"fish{n}" for n in range(12)], [f"other{n}" for n in range(60)]
    about = [dict.fromkeys(dice.sample(fishing, 6) + dice.sample(other, 6), 1) for _ in range(40)]
    for page in about[:with_a_keyword]:
        page[dice.choice(list(topic))] = 1
    pages = [*about, *(dict.fromkeys(dice.sample(other, 12), 1) for _ in range(others))]
    return PageRegression(topic, Evidence(), pages, [0.1 if topic.keys().isdisjoint(page) else 0.8 for page in pages])


OTHER_WORDS = {f"other{n}": 1 for n in range(6)}
WITHOUT_A_KEYWORD = OTHER_WORDS | {f"fish{n}": 1 for n in range(6)}


def test_where_relevant_pages_often_lack_the_keywords_such_pages_stand_as_high_as_sure_ones() -> None:
    """The targets of all pages without a keyword are alike, and so the values of the relevant ones among them are low."""
    fitted = fitted_to_keywords(20)
    standing, parts = fitted.standing(WITHOUT_A_KEYWORD)
    assert standing > 0.8 > 0.2 > fitted.standing(OTHER_WORDS)[0]
    assert standing > fitted.standing(WITHOUT_A_KEYWORD | {"bait": 1})[0], "its text speaks for it already"
    assert max(parts, key=parts.__getitem__).startswith("fish")


def test_few_pages_do_not_tell_how_high_sure_ones_stand() -> None:
    assert fitted_to_keywords(20, others=80).standing(WITHOUT_A_KEYWORD)[0] < 0.8


def test_where_most_relevant_pages_have_a_keyword_all_pages_have_the_scale_of_the_targets() -> None:
    fitted = fitted_to_keywords(36)
    assert fitted.standing(WITHOUT_A_KEYWORD)[0] < fitted.standing(WITHOUT_A_KEYWORD | {"bait": 1})[0] < 0.8


def test_a_field_that_no_example_has_does_not_count() -> None:
    """Examples that are files have no URL. If URLs counted, having one would speak against a page."""
    examples = tuple(EvidenceText(f"file{n}", {"sql": 3, f"own{n}": 1}, ("manual",)) for n in range(4))
    pages = [{"flower": 1, f"b{n % 7}": 1, f"{URL}docs": 1, f"{TITLE}garden": 1} for n in range(30)]
    fitted = PageRegression({"sql": 1.0}, Evidence(examples=examples), pages, [0.1] * 30)
    page = {"sql": 1, f"{TITLE}manual": 1}
    assert fitted.standing(page | {f"{URL}docs": 1}) == fitted.standing(page)
    assert fitted.standing(page)[0] > fitted.standing({"sql": 1, f"{TITLE}garden": 1})[0]


def test_there_is_no_regression_before_enough_pages_are_hardly_relevant() -> None:
    examples = tuple(EvidenceText(f"file{n}", {"sql": 3}) for n in range(LEAST_EXAMPLES))
    few, enough = ([0.9] * 30 + [0.1] * hardly for hardly in (LEAST_TAUGHT - 1, LEAST_TAUGHT))
    assert not teach(Evidence(examples=examples), few)
    assert teach(Evidence(examples=examples), enough)
    assert teach(Evidence(examples=examples[1:]), few)
    assert teach(Evidence(examples=examples, emphasis=Emphasis.SHARED), few)


@pytest.mark.parametrize("sure", [30, 22])
def test_the_least_probable_pages_teach_where_all_may_be_relevant(sure: int) -> None:
    probabilities = [0.9] * sure + [0.3] * (30 - sure)
    assert _irrelevant(probabilities, probabilities).tolist() == ([*range(10)] if sure == 30 else [0, 1, *range(22, 30)])


def share_of(examples: Floats, pages: Floats) -> float | None:
    return relevant_share(examples, pages, float(np.median(pages)))


@pytest.mark.parametrize("share", [0.0, 0.1, 0.3, 0.7, 1.0])
def test_examples_tell_the_share_of_relevant_pages(share: float) -> None:
    """Relevant pages have values like those of the examples, others lower ones. Of twelve examples single results scatter."""
    dice, found = np.random.default_rng(4), []
    for _ in range(20):
        relevant = dice.random(300) < share
        pages = np.where(relevant, dice.normal(1, 0.3, 300), dice.normal(0, 0.3, 300))
        found.append(share_of(dice.normal(1, 0.3, 12), pages) or 0.0)
    assert max(LEAST_SHARE, 0.6 * share) <= np.mean(found) <= max(LEAST_SHARE, share) + 0.01


def test_examples_that_stand_clear_of_the_pages_tell_no_share() -> None:
    dice = np.random.default_rng(4)
    pages = np.array([*dice.normal(0, 0.05, 280), *dice.normal(1, 0.1, 20)])
    assert share_of(dice.normal(1, 0.1, 12), pages) is None
    assert share_of(dice.normal(0.1, 0.1, 12), pages) is not None


@given(st.lists(st.floats(-1, 2), min_size=LEAST_EXAMPLES, max_size=9), st.lists(st.floats(-1, 2), min_size=1, max_size=30))
def test_pages_below_all_examples_only_lower_the_share(examples: list[float], pages: list[float]) -> None:
    found, lower, higher = (share_of(np.array(examples), np.array([*pages, *more])) for more in ([], [-2.0], [3.0]))
    assert found is None or LEAST_SHARE <= found <= MOST_SHARE
    assert found is None or lower is None or lower <= found
    assert found is None or higher is None or higher >= found


def test_where_few_pages_are_relevant_a_page_is_less_probable(health: CalibratedModel, cutter: Segmenter) -> None:
    """Unless the examples share so few words that they do not tell how many are."""
    texts = [(f"h{number}", f"文章\n养生 {number}号 睡眠 失眠") for number in range(12)]
    model = CalibratedModel(TopicModel.fit(cutter, texts, ["睡眠", "失眠"]))
    for one, telling in ((model, True), (health, False)):
        crawl(one, cutter, 2 * FIRST_FIT + LAG)
        fitted = one._refitting.current
        assert fitted is not None
        found = []
        for fitted.share in (0.05, EVEN_SHARE, 0.9):
            found.append(one.judge(cutter.terms("养生，睡眠，失眠，心脏")).relevance)
        assert found[0] < found[1] < found[2] if telling else found[0] == found[1] == found[2]


def test_two_examples_tell_no_share() -> None:
    pages = [{"sql": 1, f"g{n}": 1} for n in range(30)]
    examples = tuple(EvidenceText(f"file{n}", {"sql": 3, f"own{n}": 1}) for n in range(2))
    assert PageRegression({"sql": 1.0}, Evidence(examples=examples), pages, [0.1] * 30).share is None


def test_pages_without_a_topic_word_are_never_relevant(segmenter: Segmenter, topic: TopicModel) -> None:
    """Whatever speaks for them: their address, and that all pages of late were relevant (0.67 where the threshold is 0.2)."""
    model = CalibratedModel(topic)
    there = page_context("Manual", "http://127.example/sql/database/index", segmenter)
    away = page_context("Garden", "http://garden.example/roses/park", segmenter)
    kinds = (("roses in gardens bloom", away), ("The manual of a database: SQL queries, an index", there))
    for text, context in kinds:
        for number in range(80):
            words = [*segmenter.terms(text), f"w{number}"]
            model.judge(words, context)
            model.learn(words, context is there, context)
    empty = model.judge(segmenter.terms("flowers in the park"), there)
    assert dict(empty.terms)["url:127"] > 0
    assert empty.similarity == 0
    assert not empty.relevant
    assert empty.relevance < empty.threshold
    assert model.judge(segmenter.terms("an index of flowers"), there).relevant


def test_a_crawl_and_its_replay_judge_alike(health: CalibratedModel, cutter: Segmenter) -> None:
    again = CalibratedModel(health.topic)
    again.topic = TopicModel(
        health.topic.evidence, type(health.topic.background)(), dict(health.topic.weights), health.topic.threshold, cutter.name
    )
    for model in (health, again):
        crawl(model, cutter, FIRST_FIT + 30)
    words = cutter.terms(article(random.Random(8), HEALTH))
    assert health.judge(words) == again.judge(words)


def test_a_worker_that_joins_judges_by_the_sample_of_the_others(health: CalibratedModel, cutter: Segmenter) -> None:
    crawl(health, cutter, 120)
    late = CalibratedModel(health.topic)
    for part in health.learned.whole():
        late.learned.add(part)
    late.refresh()
    near, far = (cutter.terms(article(random.Random(8), words)) for words in (HEALTH, OTHER))
    assert late.signals(near)[3] > late.signals(far)[3]
    assert late.learned.sample.pages == health.learned.sample.pages


def test_a_fit_counts_a_fixed_number_of_pages_later() -> None:
    pages = [{"sql": 1}, {"flower": 2}]
    fits, refitting = [PageRegression({"sql": 1.0}, Evidence(), pages, [0.9, 0.1]) for _ in range(2)], Refitting()
    assert not refitting.due(FIRST_FIT - 1)
    assert refitting.due(FIRST_FIT)
    refitting.begin(FIRST_FIT, lambda: fits[0])
    assert refitting.current is fits[0]
    assert not refitting.due(2 * FIRST_FIT - 1)
    assert refitting.due(2 * FIRST_FIT)
    refitting.begin(2 * FIRST_FIT, lambda: fits[1])
    for page in range(LAG - 1):
        assert not refitting.due(2 * FIRST_FIT + page)
    assert refitting.current is fits[0]
    refitting.due(3 * FIRST_FIT)
    assert refitting.current is fits[1]


def test_a_fit_with_too_little_to_learn_from_leaves_the_one_before() -> None:
    fitted, refitting = PageRegression({"sql": 1.0}, Evidence(), [{"sql": 1}, {"flower": 2}], [0.9, 0.1]), Refitting()
    refitting.begin(FIRST_FIT, lambda: None)
    assert refitting.current is None
    assert not refitting.due(2 * FIRST_FIT - 1)
    refitting.begin(2 * FIRST_FIT, lambda: fitted)
    assert refitting.current is fitted
    refitting.begin(4 * FIRST_FIT, lambda: None)
    for page in range(LAG):
        refitting.due(4 * FIRST_FIT + page)
    assert refitting.current is fitted


def test_a_page_is_sampled_with_its_fields() -> None:
    counts = page_counts(Counter(["sql", "index", "sql"]), PageContext(("manual",), ("docs",)))
    assert counts == {"sql": 2, "index": 1, f"{TITLE}manual": 1, f"{URL}docs": 1}
    assert text_of(counts) == ({"sql": 2, "index": 1}, PageContext(("manual",), ("docs",)))


def test_the_closed_form_is_that_of_scikit_learn() -> None:
    from sklearn.decomposition import TruncatedSVD
    from sklearn.kernel_ridge import KernelRidge

    dice = random.Random(2)
    pages = [{f"t{dice.randrange(40)}": 1 + dice.randrange(3) for _ in range(12)} | {"t1": 1} for _ in range(40)]
    targets = [dice.random() for _ in pages]
    evidence = Evidence()
    fitted = PageRegression({"t1": 0.8, "t2": 0.6}, evidence, pages, targets)
    rows = np.zeros((41, len(fitted._columns)))
    rows[0] = fitted._row_of({"t1": 0.8, "t2": 0.6})
    for number, page in enumerate(pages, 1):
        _, columns, values = fitted._vector(page)
        rows[number, columns] = values
    size = len(_directions(rows[1:] @ rows[1:].T)[0])
    values = np.linalg.svd(rows[1:], compute_uv=False)
    found = TruncatedSVD(min(size, rows.shape[1] - 1), algorithm="arpack", random_state=0).fit(rows[1:])
    assert found.singular_values_ == pytest.approx(values[: len(found.singular_values_)], abs=1e-6)
    latent = _unit(rows @ np.linalg.svd(rows[1:], full_matrices=False)[2][:size].T)
    kernel = rows @ rows.T + LATENT * latent @ latent.T + 1.0
    weights = np.full(41, (1 - EXAMPLE_SHARE) * 41 / 40)
    weights[0] = EXAMPLE_SHARE * 41
    ridge = KernelRidge(alpha=RIDGE, kernel="precomputed").fit(kernel, [1.0, *targets], sample_weight=weights)
    standings = np.array([fitted.standing(page)[0] for page in pages])
    expected = ridge.predict(kernel)[1:]
    assert standings - standings[0] == pytest.approx(expected - expected[0], abs=1e-3)
