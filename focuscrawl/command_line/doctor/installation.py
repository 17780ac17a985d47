"""Checks the machine and what is installed on it: Python, the packages and dictionaries that the project needs, foreign
packages that shadow ours, the settings; the disk, the clock, the limit of open files and the name servers."""

from __future__ import annotations

import importlib.util
import os
import platform
import resource
import shutil
import socket
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from importlib import metadata
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from scrapy.settings import BaseSettings

from focuscrawl import __version__
from focuscrawl.command_line.doctor.finding import Finding, ok, problem, warning
from focuscrawl.config.environment import OURS, ROOT
from focuscrawl.config.options import read_options
from focuscrawl.errors import BadInput
from focuscrawl.text.segment import Segmenter
from focuscrawl.url.hosts import registered_domain

PROJECT = "focuscrawl"
LEAST_PYTHON = (3, 11)
POSTGRESQL = "postgresql"
"""The extra that a PostgreSQL store needs."""
MOST_NAMED = 6
SENTENCE = "我们用聚焦爬虫下载与搜索引擎和中文信息处理有关的网页"
"""A sentence that both segmenters cut in the same way, as long as the user has added no words."""
SITES = {"news.pku.edu.cn": "pku.edu.cn", "a.b.co.uk": "b.co.uk", "x.github.io": "x.github.io"}
FULL_BYTES, SCARCE_BYTES = 256 << 20, 5 << 30
"""Free bytes below which there is a problem, or a warning. A page takes some 20 kB in store and WARC, so 5 GB are 250 000
pages."""
FEW_INODES = 10_000
FILES_NEEDED, FILES_WANTED = 128, 1024
EARLIEST = 1_735_689_600.0
"""2025-01-01; a clock that shows an earlier time is wrong."""
CLOCK_SECONDS, SERVER_SECONDS = 0.05, 2.0
DNS_SECONDS = 2.0
QUERY = b"\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x01"
"""A DNS query that every name server can answer: the name servers of the root zone."""


def python() -> Iterator[Finding]:
    """Check the interpreter's version."""
    text = f"{platform.python_implementation()} {platform.python_version()}"
    if sys.version_info < LEAST_PYTHON:
        yield problem("python", text, "use Python 3.11 or newer")
    else:
        yield ok("python", text)


def packages(with_postgresql: bool, required: Sequence[str] | None = None) -> Iterator[Finding]:
    """Check the version of every required package. `required`: requirements; None reads those of the project."""
    wanted = list(_wanted(_requirements() if required is None else required, with_postgresql))
    if not wanted:
        yield warning("packages", "the project's own metadata is not installed", "install the project: make setup")
        return
    wrong = [fault for requirement in wanted if (fault := _wrong(requirement))]
    if wrong:
        extra = f" EXTRAS={POSTGRESQL}" if with_postgresql else ""
        more = f", and {len(wrong) - MOST_NAMED} more" if len(wrong) > MOST_NAMED else ""
        yield problem("packages", "; ".join(wrong[:MOST_NAMED]) + more, f"install them again: make setup{extra}")
    else:
        versions = f"focuscrawl {__version__}, Scrapy {metadata.version('scrapy')}"
        yield ok("packages", f"{len(wanted)} in versions that fit; {versions}")


def _requirements() -> list[str]:
    """The requirements in pyproject.toml if it is beside the code, else in the project's metadata, as in an egg."""
    file = Path(ROOT) / "pyproject.toml"
    if file.is_file():
        project = tomllib.loads(file.read_text(encoding="utf-8"))["project"]
        extra = project.get("optional-dependencies", {}).get(POSTGRESQL, ())
        return [*project["dependencies"], *(f"{line}; extra == '{POSTGRESQL}'" for line in extra)]
    try:
        return metadata.requires(PROJECT) or []
    except metadata.PackageNotFoundError:
        return []


def _wanted(lines: Sequence[str], with_postgresql: bool) -> Iterator[Requirement]:
    for line in lines:
        try:
            requirement = Requirement(line)
        except InvalidRequirement:
            continue
        extra = POSTGRESQL if with_postgresql else ""
        if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
            yield requirement


def _wrong(requirement: Requirement) -> str:
    try:
        found = metadata.version(requirement.name)
    except metadata.PackageNotFoundError:
        return f"{requirement.name} is missing"
    fits = requirement.specifier.contains(found, prereleases=True)
    return "" if fits else f"{requirement.name} is {found}, {requirement.specifier} is needed"


def foreign_packages() -> Iterator[Finding]:
    """Check that `spiders`, `models` and so on are this project's, and that no other folder of the path has such packages."""
    foreign = [f"{name} in {place}" for name in OURS for place in _others(name)]
    if foreign:
        yield warning(
            "foreign packages", f"{'; '.join(foreign)} has the name of one of ours",
            "use an environment of its own for this project",
        )  # fmt: skip
        return
    loaded = importlib.util.find_spec("models")
    where = str(loaded.origin) if loaded and loaded.origin else "nowhere"
    if not where.startswith(ROOT):
        yield problem("foreign packages", f"models comes from {where}", "use an environment of its own for this project")
    else:
        yield ok("foreign packages", f"{', '.join(OURS)} are those of {ROOT}")


def _others(name: str) -> Iterator[str]:
    for entry in sys.path:
        folder = Path(entry or ".").resolve()
        if str(folder) != str(Path(ROOT).resolve()) and (
            (folder / name / "__init__.py").is_file() or (folder / f"{name}.py").is_file()
        ):
            yield str(folder)


def dictionaries() -> Iterator[Finding]:
    """Check that the segmenters load and agree."""
    try:
        terms = {
            name: Segmenter(prefer=name).terms(SENTENCE)
            for name in ("jieba", *(["rjieba"] if importlib.util.find_spec("rjieba") else []))
        }
    except (ImportError, OSError, ValueError) as error:
        yield problem("dictionaries", f"the segmenter does not load: {error}", "install jieba and rjieba again: make setup")
        return
    if not terms["jieba"]:
        yield problem("dictionaries", "jieba finds no word in a Chinese sentence", "install jieba again: make setup")
    elif "rjieba" not in terms:
        yield warning("dictionaries", "rjieba is missing: Chinese pages are cut 50 times slower", "install it: make setup")
    elif terms["rjieba"] != terms["jieba"]:
        cuts = f"{' '.join(terms['jieba'])} | {' '.join(terms['rjieba'])}"
        yield problem(
            "dictionaries", f"rjieba and jieba cut a sentence differently ({cuts})",
            "install the versions of constraints.txt: make setup",
        )  # fmt: skip
    else:
        yield ok("dictionaries", f"{Segmenter().name}; rjieba and jieba agree on {len(terms['jieba'])} words")


def suffixes() -> Iterator[Finding]:
    """Check the public suffix list, which decides which hosts are one site."""
    wrong = [f"{host} -> {registered_domain(host)}" for host, site in SITES.items() if registered_domain(host) != site]
    if wrong:
        yield problem("suffix list", f"sites are not told apart: {', '.join(wrong)}", "install tldextract again: make setup")
    else:
        yield ok("suffix list", "the one of tldextract, with private suffixes")


def usable(settings: BaseSettings) -> Iterator[Finding]:
    """Check every setting, as a crawl would read it."""
    try:
        options = read_options(settings)
    except BadInput as error:
        yield problem("settings", str(error), "docs/settings.md lists every setting")
        return
    requests, delay = options.concurrent_requests, options.politeness_delay
    yield ok("settings", f"all can be used; {requests} requests at once, {delay:g} s between two of a host")


def contact(settings: BaseSettings) -> Iterator[Finding]:
    """Check that CONTACT is set, so that owners of sites know whom to write to."""
    value = str(settings.get("CONTACT") or "")
    if value:
        yield ok("contact", value)
    else:
        yield warning("contact", "CONTACT is not set", "say who crawls: -s CONTACT=you@example.org, or in a settings file")


def disk(folder: Path) -> Iterator[Finding]:
    """Check the free space and the free inodes for CRAWLS_DIR."""
    there = next(part for part in (folder.resolve(), *folder.resolve().parents) if part.exists())
    if not os.access(there, os.W_OK):
        yield problem("disk", f"{there} cannot be written to", "change its owner, or set CRAWLS_DIR")
        return
    free, files = shutil.disk_usage(there).free, os.statvfs(there)
    text = f"{free / 1e9:,.1f} GB free at {there}"
    if free < FULL_BYTES:
        yield problem("disk", text, "make room: a crawl waits as soon as it cannot write")
    elif files.f_files and files.f_favail < FEW_INODES:
        yield problem("disk", f"{files.f_favail:,} files can still be made at {there}", "remove files that nobody needs")
    elif free < SCARCE_BYTES:
        yield warning("disk", text, "make room: 100 000 pages take about 2 GB")
    else:
        yield ok("disk", text)


def clock(server: Callable[[], float] | None = None, wall: Callable[[], float] = time.time) -> Iterator[Finding]:
    """Compare the wall clock with the monotonic clock, and with that of the PostgreSQL server if there is one."""
    began, counted = wall(), time.monotonic()
    time.sleep(0.2)
    drift = abs((wall() - began) - (time.monotonic() - counted))
    if began < EARLIEST:
        yield problem("clock", f"it says {time.strftime('%Y-%m-%d', time.gmtime(began))}", "set it, by NTP")
    elif drift > CLOCK_SECONDS:
        yield warning(
            "clock", f"it jumped by {drift:.2f} s within 0.2 s", "let NTP set it; crawls go by a clock that is never set"
        )
    else:
        yield from _against(server, wall)


def _against(server: Callable[[], float] | None, wall: Callable[[], float]) -> Iterator[Finding]:
    if server is None:
        yield ok("clock", f"{time.strftime('%Y-%m-%d %H:%M:%S UTC', time.gmtime(wall()))}, steady")
        return
    before, theirs, after = wall(), server(), wall()
    apart = theirs - (before + after) / 2
    if abs(apart) > SERVER_SECONDS + (after - before):
        yield warning(
            "clock", f"the PostgreSQL server's clock is {abs(apart):.1f} s {'ahead' if apart > 0 else 'behind'}",
            "let NTP set both; the crawl goes by the server's",
        )  # fmt: skip
    else:
        yield ok("clock", f"steady, {abs(apart):.2f} s apart from the PostgreSQL server's")


def open_files(limit: int | None = None) -> Iterator[Finding]:
    """Check the limit of file descriptors. `limit`: the limit; None reads the process's own."""
    if limit is None:
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        limit = 1 << 20 if limit == resource.RLIM_INFINITY else limit
    text = f"{limit:,} may be open"
    if limit < FILES_NEEDED:
        yield problem("open files", text, f"ulimit -n {FILES_WANTED}")
    elif limit < FILES_WANTED:
        yield warning("open files", text, f"ulimit -n {FILES_WANTED}; a crawl of 16 requests takes about 100")
    else:
        yield ok("open files", text)


def name_servers(servers: Sequence[tuple[str, int]]) -> Iterator[Finding]:
    """Check which of these name servers answer: those of DNS_SERVERS, or of the system if it is empty."""
    if not servers:
        yield problem("name servers", "there is none in /etc/resolv.conf", "set DNS_SERVERS")
        return
    silent = [f"{address}:{port}" for address, port in servers if not _answers(address, port)]
    if len(silent) == len(servers):
        yield problem("name servers", f"no answer from {', '.join(silent)}", "check the network, or set DNS_SERVERS")
    elif silent:
        yield warning("name servers", f"no answer from {', '.join(silent)}", "take it out of DNS_SERVERS or /etc/resolv.conf")
    else:
        yield ok("name servers", ", ".join(f"{address}:{port}" for address, port in servers))


def _answers(ip_address: str, port: int) -> bool:
    family = socket.AF_INET6 if ":" in ip_address else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as asked:
            asked.settimeout(DNS_SECONDS)
            asked.connect((ip_address, port))
            asked.send(QUERY)
            return asked.recv(4096)[:2] == QUERY[:2]
    except OSError:
        return False
