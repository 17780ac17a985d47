"""Writes and reads the topic as JSON that people can read: terms, weights, idf, threshold, and what they were computed from.

Nothing in the file is ever executed. A digest over the content shows whether a file was edited or damaged. Page models are kept
in the same envelope (`sealed`, `unsealed`). Errors of a file are reported in one sentence.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from focuscrawl.errors import BadInput
from focuscrawl.whole_files import write_whole
from models.topic.background import Background, bundled
from models.topic.evidence import Evidence, EvidenceText, GivenTerms
from models.topic.vsm import Threshold, TopicModel

FORMAT = "focuscrawl topic"
VERSION = 1
MAX_BYTES = 64 << 20
"""Largest size of a file. This program writes no larger topics."""


def save(model: TopicModel, path: Path) -> None:
    """Write the topic. The file is replaced in one step or not at all."""
    write_whole(path, _readable(sealed(to_plain(model))))


def load(path: Path, background: Background) -> TopicModel:
    """The topic as it was saved, to be used with these document frequencies.

    Raises BadInput, in one sentence, if the file is missing, too large, not a topic, of another version, or changed.
    """
    return read(parse(path, "trained topic"), background, str(path))


def read(content: object, background: Background, source: str) -> TopicModel:
    """The topic of plain data with its digest. Raises BadInput, in one sentence that names the source, if the data are not a
    topic, of another version, or changed."""
    plain = unsealed(content, source, "topic", FORMAT, VERSION)
    try:
        return from_plain(plain, background)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput(f"{source} misses a part of the topic ({type(error).__name__}: {error}).") from error


def to_plain(model: TopicModel) -> dict[str, Any]:
    """The topic as plain data, with the terms of largest weight first."""
    evidence, idf = model.evidence, model.background.idf
    terms = sorted(model.weights.items(), key=lambda item: (-item[1], item[0]))
    return {
        "format": FORMAT,
        "version": VERSION,
        "made": model.made,
        "definition": model.topic_digest,
        "languages": list(model.languages),
        "segmenter": model.segmenter_name,
        "background": {"bundled": bundled()[1], "pages_seen": model.background.pages},
        "keywords": list(evidence.keywords),
        "seeds": list(evidence.seeds),
        "threshold": {
            "value": model.threshold.value,
            "given": model.threshold.given,
            "explanation": model.threshold.explanation,
        },
        "min_term_weight": model.min_weight,
        "terms": [{"term": term, "weight": weight, "idf": idf(term)} for term, weight in terms],
        "evidence": {
            "keyword_terms": list(evidence.keyword_terms),
            "phrases": list(evidence.phrases),
            "phrase_words": list(evidence.phrase_words),
            "chinese_share": evidence.han_share,
            "given_weights": [list(pair) for pair in evidence.given.weights],
            "negative_terms": list(evidence.given.negative),
            "given_phrases": list(evidence.given.phrases),
            "given_silent": list(evidence.given.silent),
            "given_reduced": [list(pair) for pair in evidence.given.reduced],
            "synonyms": [list(group) for group in evidence.synonyms],
            "examples": [_plain_document(document) for document in evidence.examples],
            "negative_examples": [_plain_document(document) for document in evidence.negatives],
        },
    }


def from_plain(content: Mapping[str, Any], background: Background) -> TopicModel:
    """The inverse of `to_plain`. Raises KeyError, TypeError, ValueError or AttributeError for other data."""
    stored, limit = content["evidence"], content["threshold"]
    evidence = Evidence(
        keywords=tuple(map(str, content["keywords"])),
        keyword_terms=tuple(map(str, stored["keyword_terms"])),
        phrases=tuple(map(str, stored.get("phrases", ()))),
        phrase_words=tuple(map(str, stored.get("phrase_words", ()))),
        examples=tuple(map(_document, stored["examples"])),
        negatives=tuple(map(_document, stored["negative_examples"])),
        seeds=tuple(map(str, content["seeds"])),
        han_share=float(stored["chinese_share"]),
        given=GivenTerms(
            tuple((str(term), float(weight)) for term, weight in stored.get("given_weights", ())),
            tuple(map(str, stored.get("negative_terms", ()))),
            tuple(map(str, stored.get("given_phrases", ()))),
            tuple(map(str, stored.get("given_silent", ()))),
            tuple((str(words), str(alone)) for words, alone in stored.get("given_reduced", ())),
        ),
        synonyms=tuple(tuple(map(str, group)) for group in stored.get("synonyms", ())),
    )
    weights = {str(row["term"]): float(row["weight"]) for row in content["terms"]}
    threshold = Threshold(float(limit["value"]), str(limit["explanation"]), bool(limit["given"]))
    segmenter, made = str(content["segmenter"]), str(content["made"])
    model = TopicModel(evidence, background, weights, threshold, segmenter, float(content["min_term_weight"]), made)
    model.topic_digest = str(content.get("definition", ""))
    model.languages = tuple(map(str, content.get("languages", ())))
    return model


def _plain_document(document: EvidenceText) -> dict[str, Any]:
    plain = {"source": document.source, "counts": dict(document.counts)}
    fields = {"title": list(document.title_terms), "url": list(document.url_terms), "site": document.site}
    return plain | {name: value for name, value in fields.items() if value}


def _document(plain: Mapping[str, Any]) -> EvidenceText:
    title, url = (tuple(map(str, plain.get(name, ()))) for name in ("title", "url"))
    counts = {str(term): int(n) for term, n in plain["counts"].items()}
    return EvidenceText(str(plain["source"]), counts, title, url, str(plain.get("site", "")))


def _readable(content: Mapping[str, Any]) -> str:
    """JSON with one line for each term and each document, so that it can be read and compared."""
    parts = []
    for name, value in content.items():
        if name == "terms":
            rows = ",\n".join(f"    {json.dumps(row, ensure_ascii=False)}" for row in value)
            parts.append(f'  "terms": [\n{rows}\n  ]')
        else:
            shown = json.dumps(value, ensure_ascii=False, indent=None if name == "evidence" else 2)
            parts.append(f"  {json.dumps(name)}: " + shown.replace("\n", "\n  "))
    return "{\n" + ",\n".join(parts) + "\n}\n"


def parse(path: Path, what: str) -> Any:
    """The content of a file that should be a `what`. Raises BadInput if it is missing, too large, or not JSON."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BadInput(f"{path} is too large for a {what} ({MAX_BYTES >> 20} MiB at most).")
        return json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise BadInput(f"The {what} {path} cannot be read: {error.strerror or error}.") from error
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise BadInput(f"{path} is not a {what}: it is not valid JSON.") from error


def sealed(content: Mapping[str, Any]) -> dict[str, Any]:
    """The content with its digest."""
    return {**content, "digest": digest(content)}


def unsealed(content: object, source: str, what: str, form: str, version: int) -> dict[str, Any]:
    """The content without its digest. Raises BadInput if it is not a `what`: not of this format and version, or changed since
    it was sealed. `source`: where it was read, for people."""
    if not isinstance(content, dict) or content.get("format") != form:
        raise BadInput(f"{source} is not a {what} of this program.")
    if content.get("version") != version:
        raise BadInput(f"{source} has version {content.get('version')!r} of the {what} format, this program reads {version}.")
    inner = {key: value for key, value in content.items() if key != "digest"}
    if content.get("digest") != digest(inner):
        raise BadInput(f"{source} was changed after it was written (its digest is wrong); delete it to make it again.")
    return inner


def digest(content: Mapping[str, Any]) -> str:
    """The digest of a content, in 32 hex digits. It does not depend on the order of names or on spacing."""
    plain = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(plain.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
