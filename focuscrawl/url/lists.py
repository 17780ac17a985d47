"""Tells the addresses of lists: of what is said on one subject, by one author, or in one year, month or day."""

from __future__ import annotations

import re

_LIST = re.compile(
    r"/(?:tag(?:s|ged)?|categor(?:y|ies)|authors?|labels?)/[^/.]+/?(?:page/\d+/?)?\Z"
    r"|/(?:19|20)\d\d/(?:(?:0[1-9]|1[0-2])/(?:[0-3]\d/)?)?(?:page/\d+/?)?\Z",
    re.IGNORECASE,
)
"""The path of a list, such as `/2019/03/page/2/` or `/tags/git`."""


def names_list(url: str) -> bool:
    """Whether a normal URL is that of a list, whatever its page looks like: some lists show whole articles."""
    return _LIST.search(url.partition("?")[0]) is not None
