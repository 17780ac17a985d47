"""The pages that a user judged: NAME.labels.tsv, one line for each, which any editor or spreadsheet opens.

yes<TAB>https://example.org/a<TAB>2026-01-31<TAB>Title
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from focuscrawl.config.input_file import read_text
from focuscrawl.config.seed_list import typed_url
from focuscrawl.errors import BadInput, quoted
from focuscrawl.report.plain import one_line
from focuscrawl.topics.paths import replace_text

ANSWERS = {"yes": True, "y": True, "no": False, "n": False}
HEAD = "# label\turl\tdate\ttitle"


@dataclass(frozen=True, slots=True)
class PageLabel:
    url: str
    relevant: bool
    date: str = ""
    title: str = ""


def answer_of(text: str) -> bool:
    """The label that an answer means, True for yes. Raises BadInput for anything but yes and no."""
    answer = ANSWERS.get(text.strip().lower())
    if answer is None:
        raise BadInput(f"{quoted(text)} is not a label; give yes or no.")
    return answer


def read_labels(path: Path) -> dict[str, PageLabel]:
    """The labels by URL, in the file's order. If a URL has several lines, the last one holds. Raises BadInput, which names the
    line, for an invalid file."""
    if not path.exists() or not path.stat().st_size:
        return {}
    found: dict[str, PageLabel] = {}
    for number, line in enumerate(read_text(path, "The label file").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = [field.strip() for field in line.split("\t")]
        url, problem = typed_url(fields[1]) if len(fields) > 1 else ("", "a URL is missing.")
        if len(fields) == 1 and len(words := line.split()) > 1 and words[0].lower() in ANSWERS:
            problem = "there is no tab in it; write yes or no, a tab and the URL."
        elif fields[0].lower() not in ANSWERS:
            problem = f"{quoted(fields[0])} is not a label; give yes or no."
        if problem:
            raise BadInput(f"{path}, line {number}: {problem}")
        date, title = [*fields[2:], "", ""][:2]
        found[url] = PageLabel(url, ANSWERS[fields[0].lower()], date, title)
    return found


def write_labels(path: Path, labels: Mapping[str, PageLabel]) -> None:
    """Replace the file, as a whole or not at all."""
    rows = (
        "\t".join(("yes" if label.relevant else "no", label.url, label.date, one_line(label.title)))
        for label in labels.values()
    )
    replace_text(path, "\n".join([HEAD, *rows, ""]))
