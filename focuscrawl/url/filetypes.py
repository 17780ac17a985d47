"""What an address promises by its extension, where that is no page."""

from __future__ import annotations

import re

_SUFFIXES = {
    "image": """jpg jpeg jpe jfif png gif svg svgz ico webp avif bmp tif tiff psd heic xcf eps cur raw jp2 xbm xpm
        webmanifest""",
    "audio": "mp3 m4a ogg oga opus wav wma flac aac mid midi aif aiff ape au ra ram amr m3u m3u8 pls",
    "video": "mp4 m4v mpg mpeg avi mov wmv flv f4v swf webm mkv ogv 3gp rm rmvb ts vob srt vtt",
    "archive": """zip gz tgz bz2 tbz xz txz lzma zst tar 7z rar z lz cab iso img dmg jar war ear whl egg gem torrent
        warc arc""",
    "document": """pdf ps djvu doc docx dot dotx docm xls xlsx xlsm xlt ppt pptx pps ppsx odt ods odp odg rtf epub mobi
        azw3 chm vsd pages numbers tex dvi bib ris wps caj""",
    "executable": "exe msi bin dll so deb rpm apk ipa pkg appimage bat cmd scr crx xpi vsix class pyc sh ps1",
    "asset": "css js mjs map scss less ttf otf woff woff2 eot wasm json5",
    "data": """json jsonl xml xsl xslt xsd dtd rdf owl n3 nt csv tsv sql sqlite db mdb parquet npz npy h5 pkl yaml yml
        toml ini conf cfg log dat inv pem crt sig asc md5 sha1 sha256 sha512 ics vcf kml kmz gpx geojson shp proto""",
    "source": "txt rst ipynb py java cpp hpp cxx cc hh go rs rb lua scala kt swift patch diff el lisp tcl f90",
    "feed": "rss atom rss2",
}
_TYPE_OF = {suffix: kind for kind, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}
_CODE = frozenset({"asset", "data", "source"})
_CODE_VIEWER = re.compile(r"/(?:blob|tree|browse|src|-)/")
"""Code hosts show sources as pages: `/blob/main/setup.py` is HTML."""
_SCRIPTS = frozenset({"source", "executable"})
"""With a query these are run by the server and answer with a page: `/ws/ISAPI.dll?item=3`."""
_SUBJECT = re.compile(
    r"/(?:tags?|categor(?:y|ies)|topics?|wiki|keywords?|glossary|subjects?|docs?|manual|reference|api|commands?|cli|man)/$",
    re.IGNORECASE,
)


def file_type(url: str) -> str:
    """The kind of file that a normal URL promises (`image`, `archive`, ... as in the table above), empty for a page."""
    path, _, query = url.partition("?")
    cut = path.rfind("/") + 1
    stem, dot, suffix = path[cut:].rpartition(".")
    if not dot or not stem or cut < 9:
        return ""
    kind = _TYPE_OF.get(suffix.lower(), "")
    if not kind or (query and kind in _SCRIPTS):
        return ""
    if kind in _CODE and (_CODE_VIEWER.search(path) or names_subject(path[:cut])):
        return ""
    return kind


def names_subject(directory: str) -> bool:
    """Is the next segment the name of a subject (`/wiki/Node.js`, `/tags/share/`), not of a file or an action?"""
    return bool(_SUBJECT.search(directory))
