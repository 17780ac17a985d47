"""Named rules for URLs that are never worth a fetch.

A rule looks only at the text of a normal URL. Its name is kept as the reason of a refusal, so store and reports depend on the
names; `REASONS` explains each in a sentence. The user's own rules are in focuscrawl.url.scope.
"""

from __future__ import annotations

import re
from collections.abc import Callable

MAX_LENGTH = 2000
"""Characters. Servers and archives accept few URLs that are longer."""

SCRIPT = r"\.(?:php\d?|aspx?|jspx?|do|action|cgi|pl|cfm)"
"""Matches the extension of a program whose pages differ by their queries."""
_ACCOUNT = (
    r"log[-_]?(?:in|out|off|on)|sign[-_]?(?:in|out|up)|register|registration|unregister|unsubscribe|"
    r"(?:forgot|reset|lost|change)[-_]?password|password[-_]?(?:reset|forgot|change)"
)
_SHOP = r"add[-_]?to[-_]?(?:cart|basket|wishlist|favou?rites|compare)|checkout|(?:shopping[-_]?)?cart|basket|wishlist"
_CHANGE = (
    r"delete|remove|destroy|edit|newreply|new[-_]?topic|newthread|sendmessage|send[-_]?to[-_]?friend|"
    r"email[-_]?(?:page|article|friend)|report[-_]?(?:post|abuse|spam)|(?:up|down)?vote|trackback"
)
_COPY = r"sharer?|print(?:able)?|print[-_]?(?:page|article|version|thread)|replytocom"
_VIEWED = "view(?:info|previousversions|pagesrc)|diffpages(?:byversion)?|pdfpageexport|reorderpages"
"""What Confluence says about a page, and shows of its history and source, at `/pages/viewinfo.action?pageId=7`."""
_VERB = f"{_ACCOUNT}|{_SHOP}|{_CHANGE}|{_COPY}"
_IN_PATH = re.compile(
    rf"/(?:{_VERB})(?:{SCRIPT})?(?:/\d+)?/?$|/(?:{_VIEWED})\.action$|/wp-(?:admin|login|signup)\b",
    re.IGNORECASE,
)
_IN_QUERY = re.compile(
    rf"(?:^|&)(?:(?:action|act|do|op|mode|cmd|task|mod|ac)=(?:{_VERB}|post|reply|quote|submit|lostpasswd|logging|markread)"
    r"|action=(?:history|raw|info|purge|watch|unwatch|rollback|revert|protect|favorite|recommend|quote)"
    r"|print(?:able|er|[-_]?friendly)?=(?:1|y|yes|true)|view=print"
    r"|(?:replytocom|oldid|diff|veaction|add[-_]?to[-_]?cart|add[-_]?item|redlink|share|logout|unsubscribe)=[^&]*)(?=&|$)",
    re.IGNORECASE,
)
_SPECIAL_PAGE = re.compile(
    r"[/=:]Special:(?:User_?log(?:in|out)|CreateAccount|Preferences|Watchlist|Upload|Book)\b", re.IGNORECASE
)
_FEED_PATH = re.compile(r"/(?:feed|rss2?|feed/atom)/?$", re.IGNORECASE)
_FEED_QUERY = re.compile(r"(?:^|&)(?:feed|format|type)=(?:rss2?|atom|feed)(?=&|$)", re.IGNORECASE)
_FILE_QUERY = re.compile(
    r"(?:^|&)(?:(?:outlook[-_])?ical=(?:1|true|yes)?"
    r"|(?:\w*format|file_?type|export\w*|download|output|cit(?:e|ation)\w*)"
    r"=(?:ris|bib(?:la)?tex|bib|endnote|enw|refman|refworks|nbib|ics|i?cal(?:endar)?|vcf|vcard))(?=&|$)",
    re.IGNORECASE,
)
"""A query that asks for a reference, or for a date, as programs read it."""
_IN_HOST = len("http://") + 1
"""A place in the host of any URL: the first slash from there on begins the path."""
_NOTHING: frozenset[str] = frozenset()


def refusing_rule(url: str, allowed: frozenset[str] = _NOTHING) -> str:
    """Name of the first rule that refuses this normal URL (a key of `RULES`), empty if none does.

    allowed: names of rules to leave out, and also kinds of files (`document`, `feed`, as `file_type` gives them) and
        extensions (`pdf`) that are not refused.
    """
    for name, refuses in RULES.items():
        if name in allowed or not refuses(url):
            continue
        if name != "file-type" or allowed.isdisjoint((file_type(url), suffix_of(url))):
            return name
    return ""


def _has_other_scheme(url: str) -> bool:
    return url[:7] != "http://" and url[:8] != "https://"


def _is_long(url: str) -> bool:
    return len(url) > MAX_LENGTH


def _is_file(url: str) -> bool:
    return bool(file_type(url) or ("?" in url and _FILE_QUERY.search(url.partition("?")[2])))


def _is_action(url: str) -> bool:
    """Whether fetching the URL would change something, or only lead to a form. By default such links are never followed."""
    path, _, query = url.partition("?") if "?" in url else (url, "", "")
    if query and _IN_QUERY.search(query):
        return True
    if "Special:" in url and _SPECIAL_PAGE.search(url):
        return True
    found = _IN_PATH.search(path, _IN_HOST)
    return found is not None and not names_subject(path[: found.start() + 1]) and not _BELOW_SUBJECTS.search(path)


def _is_feed(url: str) -> bool:
    path, _, query = url.partition("?") if "?" in url else (url, "", "")
    if query and _FEED_QUERY.search(query):
        return True
    found = _FEED_PATH.search(path, _IN_HOST)
    return found is not None and not names_subject(path[: found.start() + 1])


RULES: dict[str, Callable[[str], bool]] = {
    "scheme": _has_other_scheme,
    "length": _is_long,
    "file-type": _is_file,
    "feed": _is_feed,
    "action": _is_action,
}
"""The rules by name, in the order in which they are asked."""

REASONS = {
    "scheme": "only http and https are fetched",
    "length": f"the URL is longer than {MAX_LENGTH} characters",
    "file-type": "the extension or the query promises a file, not a page",
    "feed": "a news feed repeats what the pages say",
    "action": "the link does something (log in, edit, print, share, ...) instead of showing a page",
}


# --- file types: what the extension of a URL announces, if that is not a page ---------------------------------------------

_SUFFIXES = {
    "image": """jpg jpeg jpe jfif png gif svg svgz ico webp avif bmp tif tiff psd heic xcf eps cur raw jp2 xbm xpm
        webmanifest""",
    "audio": "mp3 m4a ogg oga opus wav wma flac aac mid midi aif aiff ape au ra ram amr m3u m3u8 pls",
    "video": "mp4 m4v mpg mpeg avi mov wmv flv f4v swf webm mkv ogv 3gp rm rmvb ts vob srt vtt",
    "archive": """zip gz tgz bz2 tbz xz txz lzma zst tar 7z rar z lz cab iso img dmg jar war ear whl egg gem torrent
        warc arc""",
    "document": """pdf ps djvu doc docx dot dotx docm xls xlsx xlsm xlt ppt pptx pps ppsx odt ods odp odg rtf epub mobi
        azw3 chm vsd pages numbers tex dvi wps caj""",
    "executable": "exe msi bin dll so deb rpm apk ipa pkg appimage bat cmd scr crx xpi vsix class pyc sh ps1",
    "asset": "css js mjs map scss less ttf otf woff woff2 eot wasm json5",
    "data": """json jsonl xml xsl xslt xsd dtd rdf owl n3 nt csv tsv sql sqlite db mdb parquet npz npy h5 pkl yaml yml
        toml ini conf cfg log dat inv pem crt sig asc md5 sha1 sha256 sha512 ics vcf bib ris enw nbib kml kmz gpx geojson
        shp proto""",
    "source": "txt rst ipynb py java cpp hpp cxx cc hh go rs rb lua scala kt swift patch diff el lisp tcl f90",
    "feed": "rss atom rss2",
}
_TYPE_OF = {suffix: kind for kind, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}
_CODE = frozenset({"asset", "data", "source"})
"""Kinds of files whose extensions also end the names of subjects (`Node.js`) and the paths of pages that show a source."""
CODE_VIEWERS = ("blob", "tree", "browse", "src", "-")
"""Directories in which code hosts show the sources of a project as pages: `/blob/main/setup.py` is HTML."""
_CODE_VIEWER = re.compile(rf"/(?:{'|'.join(CODE_VIEWERS)})/")
_SCRIPTS = frozenset({"source", "executable"})
"""With a query, the server runs such files and answers with a page: `/ws/ISAPI.dll?item=3`."""
_DICTIONARY = "dictionary|dict|lexicon|thesaurus|define|definitions?|words?"
_REFERENCE = "docs?|manual|reference|api|commands?|cli|man"
_SUBJECT = re.compile(
    rf"/(?:tags?|categor(?:y|ies)|topics?|wiki|keywords?|glossary|subjects?|{_DICTIONARY}|{_REFERENCE})/$", re.IGNORECASE
)
"""See `names_subject`."""
_BELOW_SUBJECTS = re.compile(
    rf"/(?:{_DICTIONARY})/(?:[^/]+/)*[a-z_-]+/?$"
    rf"|/(?:docs?|documentation|manual|reference)/(?:[^/]+/)*[^/0-9]+/(?!(?:edit|wp-[a-z]+|{_COPY})/?$)[a-z_-]+/?$",
    re.IGNORECASE,
)
"""URLs at any depth of a dictionary or of a manual, in which a name is that of a word, a function or a command:
`/docs/Map/delete`. Pages of a manual are edited and printed at such URLs, too."""


def suffix_of(url: str) -> str:
    """The extension of the file that a normal URL names, in lower case; empty if there is none."""
    name = url.partition("?")[0].rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name else ""


def file_type(url: str) -> str:
    """The kind of file that a normal URL announces (`image`, `archive`, ... as in the table above); empty for a page."""
    path, _, query = url.partition("?") if "?" in url else (url, "", "")
    cut = path.rfind("/") + 1
    stem, dot, suffix = path[cut:].rpartition(".")
    if not dot or not stem or cut < 9:  # 9: the dot is in the host of a URL without a path
        return ""
    kind = _TYPE_OF.get(suffix.lower(), "")
    if not kind or (query and kind in _SCRIPTS):
        return ""
    if kind in _CODE and (_CODE_VIEWER.search(path) or names_subject(path[:cut])):
        return ""
    return kind


def names_subject(directory: str) -> bool:
    """Whether the segment after this directory names a subject (`/wiki/Node.js`, `/tags/share/`), not a file or an action."""
    return bool(_SUBJECT.search(directory))
