"""Python, the packages that the project needs, and packages of others that would be taken for ours."""

from __future__ import annotations

import importlib.util
import platform
import sys
import tomllib
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement

from focuscrawl.commands.checks.finding import Finding, ok, problem, warning
from focuscrawl.config.environment import OURS, ROOT

PROJECT = "focuscrawl"
LEAST_PYTHON = (3, 11)
POSTGRESQL = "postgresql"
"""The extra that a PostgreSQL store needs."""
MOST_NAMED = 6


def python() -> Iterator[Finding]:
    """The interpreter's version."""
    text = f"{platform.python_implementation()} {platform.python_version()}"
    if sys.version_info < LEAST_PYTHON:
        yield problem("python", text, "use Python 3.11 or newer")
    else:
        yield ok("python", text)


def packages(with_postgresql: bool, required: Sequence[str] | None = None) -> Iterator[Finding]:
    """Every package in the version that the project asks for. `required`: as in the project's metadata."""
    wanted = list(_wanted(_requirements() if required is None else required, with_postgresql))
    if not wanted:
        yield warning("packages", "the project's own metadata is not installed", "install the project: make setup")
        return
    wrong = [told for requirement in wanted if (told := _wrong(requirement))]
    if wrong:
        extra = f" EXTRAS={POSTGRESQL}" if with_postgresql else ""
        more = f", and {len(wrong) - MOST_NAMED} more" if len(wrong) > MOST_NAMED else ""
        yield problem("packages", "; ".join(wrong[:MOST_NAMED]) + more, f"install them again: make setup{extra}")
    else:
        yield ok("packages", f"{len(wanted)} in versions that fit; Scrapy {metadata.version('scrapy')}")


def _requirements() -> list[str]:
    """Of the project's file where it lies beside the code, else of its metadata, as in an egg."""
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


def foreign_packages(root: str = ROOT) -> Iterator[Finding]:
    """Whether `spiders`, `models`, … are this project's, whichever folder is asked first."""
    foreign = [f"{name} in {place}" for name in OURS for place in _others(name, root)]
    if foreign:
        yield warning(
            "foreign packages", f"{'; '.join(foreign)} has the name of one of ours",
            "use an environment of its own for this project",
        )  # fmt: skip
        return
    loaded = importlib.util.find_spec("models")
    where = str(loaded.origin) if loaded and loaded.origin else "nowhere"
    if not where.startswith(root):
        yield problem("foreign packages", f"models comes from {where}", "use an environment of its own for this project")
    else:
        yield ok("foreign packages", f"{', '.join(OURS)} are those of {root}")


def _others(name: str, root: str) -> Iterator[str]:
    for entry in sys.path:
        folder = Path(entry or ".").resolve()
        if str(folder) != str(Path(root).resolve()) and (
            (folder / name / "__init__.py").is_file() or (folder / f"{name}.py").is_file()
        ):
            yield str(folder)
