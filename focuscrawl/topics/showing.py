"""Shows a topic as it is now: what the user has given, the terms that follow from it, and what is trained."""

from __future__ import annotations

from dataclasses import dataclass

from focuscrawl.errors import in_shell
from focuscrawl.report.plain import count, one_line
from focuscrawl.report.table import Column, Table
from focuscrawl.report.translation import ENGLISH, Language
from focuscrawl.text.stems import written
from focuscrawl.topics.workspace import Workspace
from focuscrawl.url.readable import readable
from models.topic.self_test import self_test

SHOWN_TERMS = 20


@dataclass(frozen=True, slots=True)
class TermRow:
    """A term of the topic's vector, or a word that the user gave but that is not in the vector."""

    term: str
    word: str
    """The term as the topic's texts write it."""
    weight: float
    origin: str
    """`keyword`, `negative`, `given` or `pages`."""
    texts: int
    """Number of example pages that contain it."""


@dataclass(frozen=True, slots=True)
class ShownTopic:
    name: str
    title: str
    file: str
    keywords: tuple[str, ...]
    synonyms: tuple[tuple[str, ...], ...]
    negative_terms: tuple[str, ...]
    examples: tuple[str, ...]
    seeds: tuple[str, ...]
    labels_yes: int
    labels_no: int
    terms: tuple[TermRow, ...]
    """Largest weight first."""
    threshold: float
    threshold_reason: str
    threshold_given: bool
    """Whether the topic file has it; else it is the cosine that the topic's own texts suggest."""
    self_test: str
    """How many examples the other ones recognize; empty if there are too few to leave one out."""
    warning: str
    """What is wrong with the topic as it is, and what would help; empty: nothing."""
    without_text: tuple[str, ...]
    """Example and judged pages whose text is missing, so that they do not count in the terms yet."""
    trained: str
    """When it was trained; empty: never, or what was trained cannot be used."""
    training_problem: str
    """What is wrong with what was trained; empty: nothing."""

    @property
    def can_be_crawled(self) -> bool:
        return bool(self.seeds or any("://" in example for example in self.examples))


def shown_topic(workspace: Workspace) -> ShownTopic:
    """All that is shown of a topic. The terms are those of the topic file as it is now, trained or not."""
    topic, model, trained = workspace.topic, workspace.model(), workspace.trained()
    tested = self_test(model, workspace.spellings()) if model else None
    answers = [label.relevant for label in workspace.labels.values()]
    return ShownTopic(
        name=workspace.paths.name,
        title=topic.title,
        file=str(workspace.paths.toml),
        keywords=topic.keywords,
        synonyms=topic.synonyms,
        negative_terms=topic.negative_terms,
        examples=(*(path.name for path in topic.example_files), *topic.examples),
        seeds=workspace.file.seeds,
        labels_yes=sum(answers),
        labels_no=len(answers) - sum(answers),
        terms=tuple(term_rows(workspace)),
        threshold=model.threshold.value if model else 0.0,
        threshold_reason=model.threshold.explanation if model else "the topic has no words yet",
        threshold_given=bool(model and model.given_threshold is not None),
        self_test=f"{tested.recognized} of {tested.examples} examples are recognized by the others"
        if tested and tested.examples
        else "",
        warning=tested.warning if tested else "",
        without_text=tuple(workspace.without_text()),
        trained=f"{trained.topic.made}, {trained.name}" if trained else "",
        training_problem="" if trained else workspace.training_problem(),
    )


def term_rows(workspace: Workspace) -> list[TermRow]:
    """The terms of the topic, largest weight first, negative ones last."""
    model = workspace.model()
    if model is None:
        return []
    evidence, spelling = model.evidence, workspace.spellings()
    given, keywords = dict(evidence.given.weights), set(evidence.keyword_terms)
    rows = []
    for term, weight in {**dict.fromkeys(given, 0.0), **model.weights}.items():
        origin = "given" if term in given else "negative" if weight < 0 else "keyword" if term in keywords else "pages"
        texts = sum(term in document.counts for document in evidence.examples)
        rows.append(TermRow(term, written(term, spelling), round(weight, 4), origin, texts))
    return sorted(rows, key=lambda row: (-row.weight, row.term))


def parts(shown: ShownTopic, _: Language = ENGLISH) -> list[str | Table]:
    """The topic as text and tables for a terminal. `_`: the language of cells that have words of the user, too;
    `report.table.said` says the rest in it."""
    untrained = _("no; a crawl learns from keywords and examples")
    if shown.training_problem:
        untrained = _("broken; a crawl learns from keywords and examples")
    rows = [
        ("file", shown.file),
        ("title", shown.title),
        ("keywords", ", ".join(shown.keywords)),
        ("synonyms", "; ".join(" = ".join(group) for group in shown.synonyms)),
        ("negative terms", ", ".join(shown.negative_terms)),
        ("examples", _some(shown.examples, _)),
        ("seeds", _some(shown.seeds, _)),
        ("labels", _(f"{shown.labels_yes} yes, {shown.labels_no} no") if shown.labels_yes or shown.labels_no else ""),
        ("threshold", _(f"{shown.threshold_reason} {_scale(shown)}".rstrip())),
        ("self-test", _(shown.self_test)),
        ("trained", shown.trained or untrained),
    ]
    head = Table([Column("", ours=True), Column("")], [row for row in rows if row[1]], f"Topic {one_line(shown.name)}")
    parts_above: list[str | Table] = [head, *filter(None, (_broken(shown), shown.warning))]
    return [*parts_above, terms_table(shown.terms, SHOWN_TERMS)] if shown.terms else parts_above


def _broken(shown: ShownTopic) -> str:
    """What is wrong with the trained topic, and what mends it."""
    again = f"Train it again: scrapy topic train {in_shell(shown.name)}"
    return f"{shown.training_problem} {again}" if shown.training_problem else ""


def _scale(shown: ShownTopic) -> str:
    """What the threshold is held against. One that the texts suggest decides alone under `RELEVANCE_MODEL=vsm`."""
    if shown.threshold_given:
        return "A crawl calls pages relevant whose relevance reaches it."
    if not shown.threshold:
        return ""
    return "It is a similarity, and only RELEVANCE_MODEL=vsm uses it; the default model judges by probabilities."


def terms_table(terms: tuple[TermRow, ...], limit: int) -> Table:
    """A table of the strongest terms, for and against the topic."""
    against = [row for row in terms if row.weight <= 0]
    best = [row for row in terms if row.weight > 0][: max(0, limit - len(against))]
    widest = max((abs(row.weight) for row in terms), default=1.0) or 1.0
    rows = [
        (row.word, f"{row.weight:.3f}", "█" * round(12 * abs(row.weight) / widest), row.origin, str(row.texts or ""))
        for row in [*best, *against]
    ]
    hidden = len(terms) - len(rows)
    title = "Terms" + (f" (the {len(rows)} strongest of {len(terms)})" if hidden > 0 else "")
    columns = [
        Column("term", width=30),
        Column("weight", True),
        Column("", bar=True),
        Column("source", ours=True),
        Column("pages", True),
    ]
    return Table(columns, rows, title)


def _some(entries: tuple[str, ...], _: Language) -> str:
    """The first entries, and the number of the others."""
    shown = ", ".join(map(readable, entries[:3]))
    return shown + (_(" and {n} more", n=count(len(entries) - 3)) if len(entries) > 3 else "")
