"""What the author of a page calls an element by tag, role, class and id: a menu, a footer, a cookie wall, a reader's comment, a
post.

`named` says it of one element. Whether it holds in view of the whole page is decided by `focuscrawl.text.marks`, and of teasers
by `focuscrawl.text.beside`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

MARKED, HARD = 1, 2
"""Signs of boilerplate: by the author's names for the element, which may mislead, and by the meaning of the element."""
_BOILERPLATE_TAGS = frozenset({"nav", "footer", "aside", "header", "dialog"})
_BOILERPLATE_ROLES = frozenset({"navigation", "search", "banner", "contentinfo", "complementary", "dialog", "alertdialog"})
# The authors' names for elements that are boilerplate, as part of a class (`_BOILERPLATE_CLASS`), as a whole id
# (`_BOILERPLATE_ID`), and those that nobody gives to anything else (`_FOOT`, `_FOOT_IDS`).
_NAMES = (
    r"(?:(?:site|page|doc|post|article|entry|main|global|top|bottom|sub|left|right|side|sphinx|prev|next)?[_-]?"
    r"(?:nav(?:bar|box|header|footer|igation|links?)?|menus?|sidebars?|breadcrumbs?|crumbs?|foot(?:er)?|pag(?:er|ination|inator)"
    r"|related|shar(?:e|ing)|social|comments|copyright|licen[cs]e|advert\w*|ads?|banner|sponsored|toolbar|topbar|meta|tags"
    r"|aside(?!__)|byline|rate|edit|feedback|cookies?|skip|lang(?:uage)?s?[_-](?:switch(?:er)?|select(?:or)?|menu|list)|languages|hidden"
    r"|sr-only|relations|search(?:[_-](?:results?|box|bar|form|help))?|recommend\w*|consent|newsletter"
    r"|(?<!recent-)(?:post|article|entry|news|author|user)[_-]?"
    r"(?:info|date|time|source|actions?|buttons?|tools?|profile|bio|box|card)))"
)
_FOOT = re.compile(
    r"(?:^|(?<=\s))(?:(?:(?:site|page|post|main|global|bottom)[_-]?)?(?:footer|copyright|breadcrumbs?|navbar|pagination)(?=$|\s)"
    r"|(?=[\w-]+(?:$|\s))[\w-]*(?:cookies?|consent|gdpr)[_-]?"
    r"(?:banner|bar|consent|notice|law|popup|modal|wall|dialog|overlay|layer|root))",
    re.IGNORECASE,
)
"""A whole class, of a cookie wall the beginning of one."""
MOST_NAMED = 2_000
"""Characters of a class or id that are read."""
_FOOT_IDS = frozenset({"footer", "site-footer", "page-footer", "navbar"})
"""Ids that nobody gives to a text. `copyright` is not among them: it may be the heading of a section."""
_COMMENTS = re.compile(
    r"(?:^|[\s_-])(?<!has-)(?<!no-)(?<!with-)(?:comments?(?:list|area|section|block|body|box)?|respond|pinglun|reviews"
    r"|reviews?[_-]?(?:list|items?|section|area|container)|(?:customer|user|buyer)[_-]?review)(?=$|[\s_-])"
    r"(?!-(?:open|closed|enabled|disabled|on|off)(?:$|[\s_-]))",
    re.IGNORECASE,
)
"""In the class of readers' comments or reviews, and of what is around them. `comments-open` is said of articles."""
_BOX = re.compile(
    r"(?:^|[\s_-])(?:about[_-]{0,2}(?:the[_-]{0,2})?authors?"
    r"|author[_-]{0,2}(?:about|bio(?:graphy)?|box|card|description|details|info|profile)s?"
    r"|post[_-]?metadata|entry[_-](?:meta|utility)|disclaimers?"
    r"|ads?[_-]?disclosure|(?:advertis\w{1,9}|affiliate|sponsor\w{0,4})[_-]?(?:disclosure|hint|info|notice|text)"
    r"|newsletter[_-]?(?:banner|box|cta|form|promo|sign-?up|subscri\w{1,8}|teaser|widget)"
    r"|related[_-]?(?:articles?|news|posts?|stor(?:y|ies))"
    r"|(?:caption|figure|image|img|media|photo|picture)[_-]{0,2}credits?)(?=$|[\s_-])"
)
"""In the class, in lower case, of a box beside the text: what is said of the author, or of the post, as when it was written;
what the site declares of itself; a newsletter, related articles, whose a picture is."""
_MAY_BE_BOX = (
    "author", "metadata", "entry", "disclaimer", "disclosure", "affiliate", "advertis", "sponsor", "newsletter", "related",
    "credit",
)  # fmt: skip
"""One of these is in each such class. Most classes have none, which is told faster."""
_AUTHOR_ID = re.compile(r"(?:[\w-]*[_-])?author[_-](?:bio|box|description|info)(?:[_-][\w-]*)?", re.IGNORECASE)
"""The id of a `div` with what is said of the author. A section, or its heading, may have such an id for its words."""
_TEASER = re.compile(r"(?:^|[\s_-]|(?<=[a-z])(?=[A-Z]))(?<!\bno[_-])(?<!\bhas[_-])(?i:teasers?)(?=$|[\s_-]|[A-Z])")
"""In the class of a teaser: a word of its own."""
_POST = re.compile(
    r"(?:^|[\s_-]|(?<=[a-z])(?=[A-Z]))(?:js[_-])?(?i:posts?|messages?|msg|repl(?:y|ies)|answers?|comments?|topic|floor)"
    r"(?=$|[\s_-]|\d|item|body|[A-Z])"
)
"""In the class or id of a post, or of the only element in it."""
_BOILERPLATE_CLASS = re.compile(rf"(?:^|[\s_-]){_NAMES}(?=$|[\s_-])", re.IGNORECASE)
_NOTE = re.compile(
    r"(?:^|[\s_-])(?:admonition|callout|caution|danger|hint|important|note|tip|warning)(?=$|[\s_-])", re.IGNORECASE
)
"""In the class of a remark within a text, which may be an `aside`."""
_BOILERPLATE_ID = re.compile(
    _NAMES + r"(?:[_-]?(?:container|wrap(?:per)?|bar|inner|list|box|links?|menu|top|bottom|left|right|\d))*", re.IGNORECASE
)
"""Must match the whole id, because ids of sections are made of the words of their headings."""


class Named(NamedTuple):
    """What the names of one element say."""

    sign: int
    """0, MARKED or HARD."""
    comments: bool
    """Whether it is called a reader's comment, or what is around these."""
    post: bool
    """Whether it is called a post."""
    box: bool
    """Whether it is called a box beside the text."""
    teaser: bool
    """Whether it is called a teaser: of another page, or of this one, as its lead is."""


UNNAMED = Named(0, False, False, False, False)


@lru_cache(maxsize=4096)  # the elements of a template are on all of its pages
def named(tag: str, classes: str, own_id: str, role: str) -> Named:
    """What is said of an element with these attributes, of which `MOST_NAMED` characters are given."""
    classed = _classed(classes)
    is_post = classed.post or _POST.search(own_id) is not None
    is_box = classed.box or (tag == "div" and _AUTHOR_ID.fullmatch(own_id) is not None)
    return Named(_sign(tag, classed, own_id, role), classed.comments, is_post, is_box, classed.teaser)


class _Classed(NamedTuple):
    """What the class of an element says."""

    comments: bool
    post: bool
    box: bool
    teaser: bool
    """As in `Named`."""
    foot: bool
    boilerplate: bool
    note: bool
    """Whether it has such a name (`_FOOT`, `_BOILERPLATE_CLASS`, `_NOTE`)."""


@lru_cache(maxsize=4096)  # a page has few classes, but many sections with an id each
def _classed(classes: str) -> _Classed:
    return _Classed(
        comments=_COMMENTS.search(classes) is not None,
        post=_POST.search(classes) is not None,
        box=_is_box(classes.lower()),
        teaser=_TEASER.search(classes) is not None,
        foot=_FOOT.search(classes) is not None,
        boilerplate=_BOILERPLATE_CLASS.search(classes) is not None,
        note=_NOTE.search(classes) is not None,
    )


def _is_box(classes: str) -> bool:
    return any(map(classes.__contains__, _MAY_BE_BOX)) and _BOX.search(classes) is not None


def is_comments(classes: str) -> bool:
    """Whether an element with this class, of which `MOST_NAMED` characters are given, is called a reader's comment, or what is
    around these."""
    return _classed(classes).comments


def _sign(tag: str, classed: _Classed, own_id: str, role: str) -> int:
    if tag == "main" or role == "main" or (tag == "aside" and (role == "note" or classed.note)):
        return 0
    if tag in _BOILERPLATE_TAGS or role in _BOILERPLATE_ROLES or classed.foot or own_id.lower() in _FOOT_IDS:
        return HARD
    if tag == "pre":
        return 0  # its classes describe the code
    return MARKED if tag == "form" or classed.boilerplate or _BOILERPLATE_ID.fullmatch(own_id) else 0
