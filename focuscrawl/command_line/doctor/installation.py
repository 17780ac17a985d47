"""Checks Python, the packages and dictionaries that the project needs, foreign packages that shadow ours, and the settings."""

from __future__ import annotations

import importlib.util
import platform
import sys
import tomllib
from collections.abc import Iterator, Sequence
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
        yield problem(
            "dictionaries", f"rjieba and jieba cut a sentence differently ({_difference(terms['jieba'], terms['rjieba'])})",
            "install the versions of constraints.txt: make setup",
        )  # fmt: skip
    else:
        yield ok("dictionaries", f"{Segmenter().name}; rjieba and jieba agree on {len(terms['jieba'])} words")


def _difference(one: list[str], other: list[str]) -> str:
    return f"{' '.join(one)} | {' '.join(other)}"


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
