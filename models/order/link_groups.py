"""Which links behave alike? The groups that a link belongs to, as numbers: what the learned order learns yields of.

- address: the host, each directory, each beginning of the file name up to a separator (`twisted.names` of
  `twisted.names.client.html`), the names of the query's parameters. Sites put what belongs together under one beginning.
- position: links at the same place (path of tags and classes) of the same kind of page of a host behave alike.
- siblings: links at the same place of one page do so even more.
- words: of anchor and address; the only ones that hold from one host to another.

Numbers are hashes (CRC-32), the same in every process; groups that fall together share a weight.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import urlsplit

KINDS = ("address", "position", "siblings", "words")
SIZE = 1 << 20
"""Numbers are below this; 0 stands for no group."""
WORDS_FROM = SIZE // 2
"""Words have the numbers from here on, other groups those below."""
MOST_PARTS = 5
"""Beginnings of a file name."""
MOST_DIRECTORIES = 12
_part = re.compile(r"[^\W_]+[\W_]|[a-z](?=[A-Z])")


@lru_cache(maxsize=65536)
def address_groups(url: str) -> tuple[int, ...]:
    """The groups of a normal URL's address, widest first."""
    parts = urlsplit(url)
    path = parts.netloc
    groups = [_number(path)]
    *directories, name = parts.path.strip("/").split("/")
    for directory in directories[:MOST_DIRECTORIES]:
        path += "/" + directory
        groups.append(_number(path))
    groups += [
        _number(f"{path}/{name[: match.end()]}") for match, _ in zip(_part.finditer(name), range(MOST_PARTS), strict=False)
    ]
    if parts.query:
        names = "&".join(pair.partition("=")[0] for pair in parts.query.split("&"))
        groups.append(_number(f"{path}?{names}"))
    return tuple(groups)


def position_group(host: str, page_kind: str, position: str) -> int:
    return _number(f"{host} {page_kind} {position}")


def sibling_group(page: str, position: str) -> int:
    return _number(f"{page} {position}")


def word_groups(terms: Iterable[str]) -> list[int]:
    return [WORDS_FROM + zlib.crc32(term.encode("utf-8", "replace")) % WORDS_FROM for term in terms]


def _number(name: str) -> int:
    return 1 + zlib.crc32(name.encode("utf-8", "replace")) % (WORDS_FROM - 1)
