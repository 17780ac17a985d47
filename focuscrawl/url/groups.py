"""The parts of the web that a URL belongs to: registered domain, host, directories, template, names of query parameters.

URLs of one part are expected to have similar yields, which `focuscrawl.frontier.yields` counts.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from focuscrawl.url.filters import SCRIPT
from focuscrawl.url.hosts import host_name, registered_domain
from focuscrawl.url.normalize import split

DEEPEST = 2
"""How many directories of a path are parts of their own. Deeper ones belong to these."""
TEMPLATE = "t "
"""Beginning of the names of templates."""
_WIDTHS = (TEMPLATE, "k ", "p ", "h ", "d ")
"""Beginnings of the names of parts that lie in each other, the narrowest first."""
WORD = "*"
"""Stands for a file name that is a word, or several, and for a directory that is a title."""
TITLE = "*0"
"""Stands for a file name that is a title with a number."""
TITLE_WORDS = 3
"""Words of a directory that is a title, if it stands beside a number: `/q/5/how-to-cook/7`, `/t/how-to-cook/5/7`."""
LONG_TITLE = 5
"""Words of a directory that is a title wherever it stands: hardly any section has so long a name."""

_digits = re.compile(r"[0-9]+")
_words = re.compile(r"[^\W\d_]{2,}")
_script = re.compile(rf"{SCRIPT}$", re.IGNORECASE)
_hex = re.compile(r"[0-9a-f]{6,}", re.IGNORECASE)
_between_words = re.compile(r"[-_+]|%20")
_foreign = re.compile(r"(?:%[89a-f][0-9a-f]){2}", re.IGNORECASE)
"""Letters that are not ASCII's, in UTF-8 or another charset."""
_foreign_words = re.compile(r"(?:%[89a-f][0-9a-f])+", re.IGNORECASE)
_long = re.compile(r"(?:%[89a-f][0-9a-f]){24}", re.IGNORECASE)
"""Eight Chinese letters: no section has so long a name."""
_list = re.compile(
    r"/(?:tag(?:s|ged)?|categor(?:y|ies)|authors?|labels?)/[^/.]+/?(?:page/\d+/?)?\Z"
    r"|/(?:19|20)\d\d/(?:(?:0[1-9]|1[0-2])/(?:[0-3]\d/)?)?(?:page/\d+/?)?\Z",
    re.IGNORECASE,
)
"""Matches the path of a list of what is said on one subject, by one author, or in one year, month or day: `/tags/git`,
`/2019/03/page/2/`. It ends where `links.page_kind` looks for any directory of lists: articles may lie below."""
_number = re.compile(r"(?!(?:0|(?:19|20)[0-9]{2})$)[0-9]+$")
"""A number that is no year: sections have names of several words, too (`/2024/news-and-events/`). Nor the 0 of a masked name,
which may stand for a year: `parts_around` reads such names."""


class Groups(NamedTuple):
    """Names of the parts. Each begins with a letter for its kind, so that no two kinds share a name."""

    domain: str
    """Registered domain."""
    host: str
    """Origin."""
    directories: tuple[str, ...]
    """The first DEEPEST directories of the path, the outer one first, digits, identifiers and titles masked."""
    template: str
    """The whole path, masked where it differs from page to page, and the names of the query parameters."""
    keys: tuple[str, ...]
    """Names of the query parameters, within a directory: what `/toys/all?page=2` brings says nothing of `/books/all?page=2`.
    Those of a script are its own: `f` of `/viewforum.php?f=3` and of `/posting.php?f=3` have nothing in common."""

    @property
    def of_host(self) -> tuple[str, ...]:
        """The parts within its host, the narrowest first."""
        return (self.template, *self.keys, *reversed(self.directories))

    @property
    def around(self) -> tuple[str, ...]:
        """The directories, the host and the domain, the narrowest first."""
        return (*reversed(self.directories), self.host, self.domain)

    @property
    def within(self) -> tuple[str, ...]:
        """All parts, the narrowest first."""
        return (*self.of_host, self.host, self.domain)


@lru_cache(maxsize=4096)
def groups_of(url: str) -> Groups:
    """The parts that a canonical URL belongs to.

    >>> groups_of("http://www.h.org/cal/2031/ev-3fa9c2b1?d=3").template
    't http://www.h.org/cal/0/ev-x?d'
    >>> groups_of("http://www.h.org/cal/2031/ev-3fa9c2b1?d=3").directories
    ('p http://www.h.org/cal/', 'p http://www.h.org/cal/0/')
    >>> groups_of("http://www.h.org/wiki/%E9%93%81%E8%B7%AF").template, groups_of("http://www.h.org/%E7%AC%AC5%E7%AB%A0.html").template
    ('t http://www.h.org/wiki/*', 't http://www.h.org/*0.html')
    >>> groups_of("http://www.h.org/bbs/viewtopic.php?f=3&t=5").of_host[:2]
    ('t http://www.h.org/bbs/viewtopic.php?f&t', 'k http://www.h.org/bbs/viewtopic.php?f')
    >>> groups_of("http://www.h.org/bbs/read.php?tid-5.html").of_host[:2]
    ('t http://www.h.org/bbs/read.php?', 'k http://www.h.org/bbs/read.php?')
    """
    start = url.find("/", 8)
    origin, (path, _, query) = url[:start], url[start:].partition("?")
    *directories, last = path.split("/")[1:]
    masked = [WORD if _is_title(place, directories, last) else _masked(each) for place, each in enumerate(directories)]
    outer = tuple(f"p {origin}/{'/'.join(masked[: depth + 1])}/" for depth in range(min(DEEPEST, len(masked))))
    names = sorted(set(map(parameter_of, query.split("&")))) if query else []
    is_script = bool(names and _script.search(last))
    name = _masked_name(last, keep_words=is_script)
    if not last and directories and masked[-1] != WORD and _is_long_title(directories[-1]):
        masked[-1] = TITLE if any(map(str.isdigit, directories[-1])) else WORD
    template = f"{TEMPLATE}{origin}/{'/'.join([*masked, name])}" + (f"?{'&'.join(names)}" if names else "")
    where = outer[-1][2:] if outer else f"{origin}/"
    keys = tuple(f"k {where}{name if is_script else ''}?{key}" for key in names)
    return Groups(part_of_domain(domain_of(url)), part_of_host(origin), outer, template, keys)


def parameter_of(field: str) -> str:
    """The name of the parameter that a field of a query gives. A field without a name is a value, which may name a page
    (`/index.html?org/x/Map.html`, `/read.php?tid-5.html`): the name of all of these is empty.

    >>> parameter_of("id=5"), parameter_of("tid-5.html")
    ('id', '')
    """
    name, equals, _ = field.partition("=")
    return name if equals else ""


def part_of_domain(domain: str) -> str:
    """The name of the part that a registered domain is."""
    return f"d {domain}"


def domain_of_part(part: str) -> str:
    """The registered domain in which a part of the web lies; empty if it lies in none, as first visits to new domains.

    >>> domain_of_part("t http://www.h.org/a/*?id"), domain_of_part("v http://www.h.org?id")
    ('h.org', 'h.org')
    >>> domain_of_part("d h.org"), domain_of_part("n8")
    ('h.org', '')
    """
    name = part.partition(" ")[2].partition("?")[0]
    return domain_of(name) if "://" in name else name


def part_of_host(origin: str) -> str:
    """The name of the part that an origin (scheme, host, port) is."""
    return f"h {origin}"


def parts_around(part: str) -> tuple[str, ...]:
    """The parts around a template, parameter, directory or host, by its name, as far as this tells.

    >>> parts_around("t http://www.h.org/cal/0/ev-x?d")
    ('p http://www.h.org/cal/0/', 'p http://www.h.org/cal/', 'h http://www.h.org', 'd h.org')
    >>> parts_around("k http://www.h.org/bbs/viewtopic.php?f")
    ('p http://www.h.org/bbs/', 'h http://www.h.org', 'd h.org')
    >>> parts_around("k http://www.h.org?page")  # as earlier versions named the parameters of a host
    ('h http://www.h.org', 'd h.org')
    """
    kind, name = part[:2], part[2:]
    if kind not in _WIDTHS[:-1]:
        return ()
    where = name.partition("?")[0]
    end = where.find("/", 8)
    origin, directories = (name[:end], groups_of(name).directories[::-1]) if end > 0 else (where, ())
    around = (*directories, part_of_host(origin), part_of_domain(domain_of(origin)))
    return around[around.index(part) + 1 :] if part in around else around


def narrowest_first(part: str) -> tuple[int, int, str]:
    """Sorts the names of parts."""
    width = _WIDTHS.index(part[:2]) if part[:2] in _WIDTHS else len(_WIDTHS)
    return width, -part.count("/"), part


def is_of_all_kinds(part: str) -> bool:
    """Whether this part may hold pages of any kind: a query parameter, or titles with numbers."""
    return part[0] == "k" or f"/{TITLE}" in part


def is_word(template: str) -> bool:
    """Whether the last name of this template stands for words."""
    return template.rpartition("/")[2].partition(".")[0] == WORD


def lies_below_title(url: str) -> bool:
    """Whether a directory of this canonical URL, in which something lies, is the title of one thing.

    >>> lies_below_title("http://h.org/p/how-to-cook-good-rice/comments"), lies_below_title("http://h.org/news-and-events/")
    (True, False)
    """
    return f"/{WORD}/" in groups_of(url).template.partition("?")[0].rstrip("/")


def names_list(url: str) -> bool:
    """Whether a normal URL is that of a list, whatever its page looks like: some lists show whole articles."""
    return _list.search(url.partition("?")[0]) is not None


def domain_of(url: str) -> str:
    """The registered domain of a canonical URL."""
    return _domain_of_origin(split(url)[0])


@lru_cache(maxsize=4096)
def _domain_of_origin(origin: str) -> str:
    return registered_domain(host_name(origin))


def _is_title(place: int, directories: list[str], last: str) -> bool:
    """Whether the directory at this place is the title of what has the number beside it, or at its end. `last`: the name after
    all of them."""
    name = directories[place]
    title, dot, number = name.rpartition(".")
    if dot and _number.match(number) and not title[-1:].isdigit():
        return True  # `/threads/hello.123/`, and no version (`/v2.1/`)
    words = _between_words.split(name)
    if len([*filter(_words.search, words)]) >= LONG_TITLE and (last or place + 1 < len(directories)):
        return True  # `/p/some-good-title-of-mine/comments`
    if (len(words) < TITLE_WORDS or not _words.search(name)) and not _foreign.search(name):
        return False
    names = ["", *directories, last]
    return any(map(_number.match, (names[place], names[place + 2], words[-1])))


def _is_long_title(name: str) -> bool:
    """Whether the last directory of a URL is the title of a post, as blogs have it: `/some-good-title/`."""
    return len([*filter(_words.search, _between_words.split(name))]) >= TITLE_WORDS or _long.search(name) is not None


def _masked(segment: str) -> str:
    """The segment with 0 for digits, and x for machine-made tokens (hexadecimal, or letters and digits mixed)."""
    if not any(map(str.isdigit, segment)) and not _hex.fullmatch(segment):
        return segment
    return "".join(map(_masked_token, re.findall(r"[0-9a-zA-Z]+|[^0-9a-zA-Z]+", segment)))


def _masked_token(token: str) -> str:
    if token.isdigit():
        return "0"
    mixed = any(map(str.isdigit, token)) and len(token) >= 6
    return "x" if mixed or _hex.fullmatch(token) else _digits.sub("0", token)


def _masked_name(name: str, keep_words: bool) -> str:
    """The masked name of a file, its extension kept. Names that consist of words, unless these are to be kept, and titles of
    several words with a number are masked as well, because they differ from page to page. Other letters than ASCII's are words,
    whatever digits they are encoded with."""
    stem, dot, ending = name.rpartition(".") if "." in name else (name, "", "")
    words = _foreign_words.sub("-xx-", stem)
    masked = _masked(words)
    if masked == words and stem:
        masked = stem if keep_words else WORD
    elif words != stem or len(_words.findall(masked)) > 1:
        masked = TITLE
    return masked + dot + ending
