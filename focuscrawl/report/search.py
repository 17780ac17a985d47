"""Shows the results of a search: to people, with the words of the query in bold on a terminal, and to programs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, TextIO

from rich.cells import cell_len

from focuscrawl.report.plain import count, iso_time, one_line
from focuscrawl.report.translation import ENGLISH, Language
from focuscrawl.search.searching import SearchResult
from focuscrawl.search.snippets import Snippet
from focuscrawl.url.readable import readable

INDENT = 4
TITLE_COLUMNS = 150


def as_json(result: SearchResult) -> dict[str, Any]:
    """A result as plain values. The snippet is HTML: escaped text with `<mark>` around the words of the query."""
    return {
        "url": result.url,
        "title": result.title,
        "score": round(result.score, 4),
        "snippet": result.snippet.html,
        "language": result.language,
        "relevance": round(result.relevance, 4),
        "published": result.published,
        "fetched_at": iso_time(result.fetched_at),
        "duplicates": result.duplicates,
    }


def show_results(results: Sequence[SearchResult], out: TextIO, _: Language = ENGLISH) -> None:
    """Print the results, the best first, in bold and colors if `out` is a terminal and NO_COLOR is not set."""
    if out.isatty():
        _show_rich(results, out, _)
        return
    for number, found in enumerate(results, 1):
        lines = [one_line(found.snippet.text), one_line(readable(found.url)), _facts(found, _)]
        out.write(f"{'' if number == 1 else chr(10)}{number:>2}  {_title(found, _)}\n")
        out.writelines(f"{' ' * INDENT}{line}\n" for line in lines if line)
    out.flush()


def _show_rich(results: Sequence[SearchResult], out: TextIO, _: Language) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(file=out, highlight=False, no_color=bool(os.environ.get("NO_COLOR")))
    for number, found in enumerate(results, 1):
        url, facts = Text(one_line(readable(found.url)), "cyan"), Text(_facts(found, _), "dim")
        lead = f"{'' if number == 1 else chr(10)}{number:>2}".ljust(INDENT + (number > 1))
        for part in (Text(_title(found, _), "bold"), _marked(found.snippet), url, facts):
            for start, end in broken(part.plain, console.width - INDENT):
                console.print(Text(lead).append_text(part[start:end]), no_wrap=True, soft_wrap=True)
                lead = " " * INDENT


def broken(line: str, width: int) -> list[tuple[int, int]]:
    """A line broken into lines of at most `width` terminal columns, as (start, end) of each: at a blank if there is one in the
    second half, else anywhere, as in Chinese."""
    lines, start = [], 0
    while start < len(line):
        end, columns = start, 0
        while end < len(line) and (columns := columns + cell_len(line[end])) <= width:
            end += 1
        end = max(end, start + 1)
        blank = line.rfind(" ", start + (end - start) // 2, end + 1) if end < len(line) else -1
        end = blank if blank > start else end
        lines.append((start, end))
        start = end + 1 if line[end : end + 1] == " " else end
    return lines


def _marked(snippet: Snippet) -> Any:
    from rich.text import Text

    text = Text()
    for piece in snippet.pieces:
        text.append(_kept_blanks(piece.text), "bold" if piece.marked else "")
    return text


def _kept_blanks(text: str) -> str:
    """The text by `one_line`, but with the blanks at its ends, because pieces are printed side by side."""
    line = one_line(text)
    return f"{' ' if text[:1].isspace() else ''}{line}{' ' if line and text[-1:].isspace() else ''}"


def _title(result: SearchResult, _: Language) -> str:
    return one_line(result.title, TITLE_COLUMNS) or _("(no title)")


def _facts(result: SearchResult, _: Language) -> str:
    date = result.published[:10] or _("fetched {day}", day=iso_time(result.fetched_at)[:10])
    more = "and {n} page that says the same" if result.duplicates == 1 else "and {n} pages that say the same"
    relevance = _("relevance {n}", n=f"{result.relevance:.2f}")
    facts = (date, result.language, relevance, _(more, n=count(result.duplicates)) if result.duplicates else "")
    return one_line(" · ".join(fact for fact in facts if fact))
