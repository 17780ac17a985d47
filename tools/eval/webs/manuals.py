"""From packages to sites: a host for each manual, its pages reachable from its home page, and links that lead to hosts."""

from __future__ import annotations

import html
import posixpath
import re
import zlib
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote, unquote, urljoin, urlsplit

from tools.eval.webs.debian import Package, Registered

TOP = ".example"
"""Of all hosts (RFC 2606, section 2): each package is a registered domain of its own."""
MOST_PAGES = 300
"""Of a manual, the nearest to its home page: no manual outweighs the others."""
LEAST_PAGES = 8
HOME_NAMES = ("index.html", "index.htm", "index.xhtml", "toc.html", "contents.html", "overview.html")
REFERENCE = re.compile(rb"""(?i)(?<![\w-])(href|src)\s*=\s*("[^"]*"|'[^']*'|[^\s>"']+)""")
REFRESH = re.compile(rb"""(?i)<meta[^>]*http-equiv\s*=\s*["']?refresh[^>]*url\s*=\s*['"]?([^"'>\s]+)""")
UPSTREAM = {
    "docs.gtk.org/glib": "glib",
    "docs.gtk.org/gio": "gio",
    "docs.gtk.org/gobject": "gobject",
    "developer.gnome.org/glib": "glib",
    "developer.gnome.org/gio": "gio",
    "developer.gnome.org/gobject": "gobject",
    "developer.gnome.org/pango": "pango",
    "docs.gtk.org/pango": "pango",
    "docs.gtk.org/gtk4": "gtk4",
    "docs.gtk.org/gdk4": "gdk4",
    "doc.qt.io/qt-5": "qtcore",
    "doc.rust-lang.org": "rust-doc",
    "www.boost.org/doc": "libboost1.81-doc",
}
"""Well-known URLs beside the packages' home pages: to the first label of a host."""


@dataclass
class Site:
    """A manual on a host of its own. Pages are kept packed (zlib) by path below `root`."""

    host: str
    package: str
    title: str
    section: str
    summary: str
    description: str
    homepage: str
    root: str
    """Directory of the installed files that is the host's `/`."""
    home: str = ""
    """Absolute path of the home page."""
    pages: dict[str, bytes] = field(default_factory=dict)
    """By absolute path."""

    def url(self, path: str) -> str:
        """URL of a page of this site."""
        return f"http://{self.host}/{quote(path[len(self.root) + 1 :], safe=SAFE)}"


SAFE = "/:@!$&'()*+,;=~-._"
"""As in the recorded webs' canonical URLs."""


def sites(package: Package) -> list[Site]:
    """The manuals of a package that have enough pages."""
    found = []
    for root, home, facts in _roots(package):
        site = Site(
            "", package.name, facts.title if facts else package.summary, _section(package, facts),
            package.summary, (facts and facts.abstract) or package.description, package.homepage, root, home,
        )  # fmt: skip
        site.pages = {path: zlib.compress(package.pages[path], 6) for path in reachable(package, root, home)}
        if len(site.pages) >= LEAST_PAGES:
            found.append(site)
    labels = Counter(posixpath.basename(site.root) for site in found)
    for site in found:
        label = posixpath.basename(site.root)
        label = label if labels[label] == 1 else "-".join(site.root.split("/")[-2:])
        label = re.sub(r"[^a-z0-9-]+", "-", label.lower()).strip("-")
        domain = re.sub(r"[^a-z0-9-]+", "-", package.name.replace("+", "p"))
        site.host = (f"{label}." if len(found) > 1 else "") + domain + TOP
    return found


def _section(package: Package, facts: Registered | None) -> str:
    return (facts and facts.section) or package.section.capitalize() or "Documentation"


def _roots(package: Package) -> list[tuple[str, str, Registered | None]]:
    """(directory, home page, registration) of each manual; of two that lie in each other, the outer one. A package that
    registers none has one: where the shallowest home page lies."""
    known = [(home, facts) for facts in package.registered if (home := existing(package, facts.index))]
    roots: list[tuple[str, str, Registered | None]] = []
    for home, facts in sorted(known, key=lambda pair: (pair[0].count("/"), pair[0])):
        root = posixpath.dirname(home)
        if not any(f"{root}/".startswith(f"{other}/") for other, _, _ in roots):
            roots.append((root, home, facts))
    if roots:
        return roots
    homes = [path for path in package.pages if posixpath.basename(path).lower() in HOME_NAMES]
    if not homes:
        return []
    home = min(homes, key=lambda path: (path.count("/"), HOME_NAMES.index(posixpath.basename(path).lower()), path))
    return [(posixpath.dirname(home), home, None)]


def existing(package: Package, path: str) -> str | None:
    """The page that a path leads to, by symbolic links and, for a directory, its home page."""
    return page_at(resolved(path, package.symlinks), package.pages)


def page_at(path: str, pages: Mapping[str, object]) -> str | None:
    """The page at a path, or the home page of the directory."""
    if path in pages:
        return path
    return next((f"{path}/{name}" for name in HOME_NAMES if f"{path}/{name}" in pages), None)


def resolved(path: str, symlinks: Mapping[str, str]) -> str:
    """The path with symbolic links followed, at most ten of them."""
    path = posixpath.normpath(path)
    for _ in range(10):
        parts = path.split("/")
        for end in range(2, len(parts) + 1):
            if target := symlinks.get("/".join(parts[:end])):
                path = posixpath.normpath("/".join([target, *parts[end:]]))
                break
        else:
            break
    return path


def reachable(package: Package, root: str, home: str) -> list[str]:
    """Pages below `root` in breadth-first order from the home page, at most MOST_PAGES."""
    seen, queue = {home}, deque([home])
    order: list[str] = []
    while queue and len(order) < MOST_PAGES:
        path = queue.popleft()
        order.append(path)
        for target in file_links(package.pages[path], path):
            page = existing(package, target)
            if page and page not in seen and page.startswith(f"{root}/"):
                seen.add(page)
                queue.append(page)
    return order


def file_links(body: bytes, path: str) -> Iterator[str]:
    """Paths of the files that a page links to (links, frames, refresh)."""
    for match in REFERENCE.finditer(body):
        if target := file_target(plain(match[2]), path):
            yield target
    for match in REFRESH.finditer(body):
        if target := file_target(plain(match[1]), path):
            yield target


def plain(value: bytes) -> str:
    """The URL in an attribute: without quotes, character references replaced."""
    return html.unescape(value.decode(errors="replace").strip("\"'")).strip()


def file_target(href: str, path: str) -> str | None:
    """The file that `href` names on the page at `path`; None for other URLs and for the page itself."""
    try:
        parts = urlsplit(href)
    except ValueError:
        return None
    if parts.scheme not in ("", "file") or parts.netloc not in ("", "localhost") or not parts.path:
        return None
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(parts.path)))


class Rewriter:
    """Makes links between installed files, and to upstream URLs of known manuals, links between hosts."""

    def __init__(self, found: Sequence[Site], symlinks: Mapping[str, str]) -> None:
        self._symlinks = symlinks
        self._urls = {path: site.url(path) for site in found for path in site.pages}
        self._upstream = _upstream(found)
        self._names = {site.host: _by_name(site) for site in found}
        self.across: Counter[tuple[str, str]] = Counter()
        """Links from host to host that were made."""

    def page(self, site: Site, path: str) -> bytes:
        """The page at `path` as it is served: nothing but URLs in links changed."""
        own = self._urls[path]

        def replaced(match: re.Match[bytes]) -> bytes:
            href = plain(match[2])
            target = self.target(href, path)
            if target is None or target == urljoin(own, href).split("#")[0]:
                return match[0]
            if not target.startswith(f"http://{site.host}/"):
                self.across[site.host, target.split("/")[2]] += 1
            fragment = href.partition("#")[2]
            escaped = html.escape(target + (f"#{fragment}" if fragment else ""))
            return match[1] + b'="' + escaped.encode() + b'"'

        return REFERENCE.sub(replaced, zlib.decompress(site.pages[path]))

    def target(self, href: str, path: str) -> str | None:
        """URL of the page that `href` means on the page at `path`, if it is one of ours."""
        if file := file_target(href, path):
            page = page_at(resolved(file, self._symlinks), self._urls)
            return self._urls[page] if page else None
        if not href.startswith(("http://", "https://")):
            return None
        for prefix in _prefixes(href):
            if sites := self._upstream.get(prefix):
                return self._of_upstream(href, sites)
        return None

    def _of_upstream(self, href: str, sites: Sequence[Site]) -> str | None:
        name = posixpath.basename(urlsplit(href).path)
        for site in sites:
            if page := self._names[site.host].get(name):
                return self._urls[page]
        return self._urls[sites[0].home] if len(sites) == 1 else None


def _by_name(site: Site) -> dict[str, str]:
    """Pages by file name, where the name is the only one of its kind in the manual."""
    names = Counter(posixpath.basename(path) for path in site.pages)
    return {name: path for path in site.pages if names[name := posixpath.basename(path)] == 1 and name not in HOME_NAMES}


def _upstream(found: Sequence[Site]) -> dict[str, list[Site]]:
    """Sites by the URLs that they have on the web: the home page in the package's control data, and UPSTREAM."""
    table: dict[str, list[Site]] = {}
    for site in found:
        if site.homepage and (prefixes := _prefixes(site.homepage)):
            table.setdefault(prefixes[0], []).append(site)
    for written, label in UPSTREAM.items():
        for site in found:
            if site.host.split(".")[0] == label:
                table[_prefixes(f"http://{written}")[0]] = [site]
    return table


def _prefixes(url: str) -> list[str]:
    """Host and path, then each directory above: without scheme, `www.` and query; the longest first."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return []
    host = parts.netloc.lower().removeprefix("www.")
    steps = [step for step in parts.path.split("/") if step]
    return ["/".join([host, *steps[:end]]) for end in range(len(steps), -1, -1)]
