"""Decides whether a page is safe to parse in the crawler's own process, where a stall delays every host.

HTML5 parsers are quadratic in a few inputs: open elements (each start tag looks through the stack), attributes of one tag (each
is compared with all before it), unclosed formatting elements (reopened in every paragraph: 1 000 `font` and 1 000 `p` make 10^6
nodes and 680 MB) and options. The check of the source text is linear, costs 0.1-0.2 ms on an ordinary page, and never calls a
page light that would stall a parser. A heavy page is read by a worker process (focuscrawl.reading.worker).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate

MAX_HTML = 4_000_000
"""Characters of source that are parsed; the rest is cut."""
MAX_LENGTH = 2_000_000
MAX_TAGS = 30_000
MAX_DEPTH = 300
MAX_TAG_LENGTH = 16_384
MAX_UNCLOSED = 120
MAX_OPTIONS = 3_000
MAX_BREAKS = 10_000
"""A page with more is heavy: characters, tags, open elements, characters of one tag, unclosed formatting elements, options and
line breaks."""
_TRIVIAL_TAGS = 250
_FEW_TAGS = 3_000
_SHORT = 65_536
"""A page with at most this many tags, or characters, is cheap whatever they are, and is not examined further."""

FORMATTING = frozenset({"a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"})
NOT_NESTING = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
    "p", "li", "dt", "dd", "td", "th", "tr", "tbody", "thead", "tfoot", "option", "optgroup", "html", "head", "body",
    "rp", "rt",
})  # fmt: skip
"""Void elements, and elements that the next one of their kind closes."""
_NAME = re.compile(r"<(/?[a-zA-Z][a-zA-Z0-9]*)")
_QUOTED_TAG = re.compile("=[\"'][^\"'<>]*[<>]")
TAG = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<(?P<raw>script|style|textarea|title|xmp)\b[^>]*+>.*?(?:</(?P=raw)|\Z)"
    r"""|<(?P<end>/?)(?P<name>[a-zA-Z][^\s/>]*+)(?:[^>"']++|"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z))*+(?:>|\Z)""",
    re.DOTALL | re.IGNORECASE,
)
"""A comment, an element of raw text, or a tag with quoted attributes. Each match consumes what it examined: linear."""


def is_heavy(html: str) -> bool:
    """Whether a page could stall the event loop: it is too long, has too many or too deep elements, or is hostile."""
    tags = html.count("<")
    if len(html) > MAX_LENGTH or tags > MAX_TAGS:
        return True
    if tags > _TRIVIAL_TAGS:
        names = _NAME.findall(html)
        written = Counter(names)
        if _repeats(written) or (tags > _FEW_TAGS and _range(names, written) > MAX_DEPTH):
            return True
    return len(html) > _SHORT and _may_hide(html) and _is_excessive(html)


def _repeats(written: Counter[str]) -> bool:
    """Whether there are too many unclosed formatting elements, options or line breaks. `written`: how often each tag occurs, by
    its name as written, with a slash before that of an end tag."""
    names: Mapping[str, int] = written if "".join(written).islower() else _in_lower_case(written)
    unclosed = sum(max(0, names[name] - names.get("/" + name, 0)) for name in FORMATTING & names.keys())
    return unclosed > MAX_UNCLOSED or names.get("option", 0) > MAX_OPTIONS or names.get("br", 0) > MAX_BREAKS


def _in_lower_case(written: Mapping[str, int]) -> dict[str, int]:
    names: dict[str, int] = {}  # a Counter takes three times as long: it asks a method for each name that it lacks
    for name, count in written.items():
        name = name.lower()
        names[name] = names.get(name, 0) + count
    return names


def _range(names: list[str], different: Iterable[str]) -> int:
    """The range over which the count of open elements varies. No order of stray end tags makes it less than the depth."""
    steps = {name: _step(name.lower()) for name in different}
    depths = list(accumulate(map(steps.__getitem__, names), initial=0))
    return max(depths) - min(depths)


def _step(name: str) -> int:
    """What a tag adds to the number of open elements."""
    if name[0] == "/":
        return 0 if name[1:] in NOT_NESTING else -1
    return 0 if name in NOT_NESTING else 1


def _may_hide(html: str) -> bool:
    """Whether an overlong tag could hide in a stretch without `>`, or among many quoted `<`.

    Only necessary signs are counted: an overlong stretch covers a whole window of half its length, and a quoted `<` needs
    `=`."""
    half = MAX_TAG_LENGTH // 2
    windows = range(0, len(html) - half + 1, half)
    if any(html.find(">", at, at + half) < 0 for at in windows) and max(map(len, html.split(">"))) > MAX_TAG_LENGTH:
        return True
    values = html.count('="') + html.count("='")
    return values > _FEW_TAGS and len(_QUOTED_TAG.findall(html)) > _FEW_TAGS


def _is_excessive(html: str) -> bool:
    return any(depth > MAX_DEPTH or end - start > MAX_TAG_LENGTH for _, depth, start, end in walk(html))


def walk(html: str) -> Iterator[tuple[str, int, int, int]]:
    """The tags of the source as (`name` or `/name` in lower case, depth, start, end), without those in raw text and comments.

    Depth counts the nesting elements that no end tag of the same name has closed so far. It is never less than the parser's,
    apart from elements that close each other. End tags without a start tag have depth -1.
    """
    opened: Counter[str] = Counter()
    depth = 0
    for found in TAG.finditer(html):
        name = found["name"]
        if name is None:
            continue
        name = name.lower()
        if name in NOT_NESTING:
            yield found["end"] + name, 0, found.start(), found.end()
        elif not found["end"]:
            opened[name] += 1
            depth += 1
            yield name, depth, found.start(), found.end()
        elif opened[name]:
            opened[name] -= 1
            depth -= 1
            yield "/" + name, depth + 1, found.start(), found.end()
        else:
            yield "/" + name, -1, found.start(), found.end()


# --- a hostile page rewritten so that a parser reads it in linear time, with all of its text and links -------------------
# Used in the worker process only. Nesting beyond `DEPTH` is flattened (tags dropped, contents kept), overlong tags are cut, and
# formatting elements and options are dropped if the page misuses them. Words and `a href` stay.

DEPTH = 200
"""Levels of nesting elements that are kept."""
_BLANKED = frozenset({"br", "option", "optgroup"})
"""Replaced by a space, because nothing is read from them and parsers are slow with 10^5 of them."""


def sanitize(html: str) -> str:
    """A page with the same words and links, at most `DEPTH` deep; identical if it has no excesses, but for its line breaks."""
    html = html[:MAX_HTML]
    formatting = _unclosed_formatting(html) > MAX_UNCLOSED
    kept: list[str] = []
    at = 0  # the source before this position is in `kept`, or was dropped
    for name, depth, start, end in walk(html):
        bare = name.lstrip("/")
        excess = bare in _BLANKED or (formatting and bare in FORMATTING and bare != "a")
        if excess or ((depth > DEPTH or depth < 0) and bare != "a"):
            kept += (html[at:start], " ")
        elif end - start > MAX_TAG_LENGTH:
            kept += (html[at:start], _shortened(html[start:end]))
        else:
            continue
        at = end
    kept.append(html[at:])
    return "".join(kept)


def _unclosed_formatting(html: str) -> int:
    """Start tags of formatting elements less end tags."""
    return sum(-1 if name[0] == "/" else 1 for name, _, _, _ in walk(html) if name.lstrip("/") in FORMATTING)


def _shortened(tag: str) -> str:
    """An overlong tag cut after its first attributes, at the last space that seems to be outside of quotes."""
    head = tag[:2048].rpartition(" ")[0]
    for quote in "\"'":
        if head.count(quote) % 2:
            head = head[: head.rindex(quote)].rpartition(" ")[0]
    return head + ">"
