"""The HTML pages of documentation packages of Debian: fetched with apt, read from the archive files, never unpacked."""

from __future__ import annotations

import posixpath
import re
import subprocess
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

HTML = re.compile(r"\.x?html?$", re.I)
REGISTERED = "/usr/share/doc-base/"
"""Where packages register their manuals (Debian doc-base manual, section 2.3)."""
FETCHED_AT_ONCE = 40
LARGEST_PAGE = 1 << 20
"""Bytes; of the pages above it (indexes of everything in one page) there are a few in a hundred thousand."""


@dataclass(frozen=True)
class Registered:
    """What a package says of one of its manuals."""

    title: str
    section: str
    """Such as `Programming/Java`."""
    abstract: str
    index: str
    """Path of its first HTML page."""


@dataclass
class Package:
    """A documentation package. Paths are absolute, as on a machine that has it installed."""

    name: str
    section: str
    summary: str
    description: str
    homepage: str
    pages: dict[str, bytes] = field(default_factory=dict)
    symlinks: dict[str, str] = field(default_factory=dict)
    """Path to target, absolute."""
    registered: list[Registered] = field(default_factory=list)


def fetch(names: Sequence[str], folder: Path) -> list[Path]:
    """The packages' archive files, by `apt-get download` where the folder lacks them. What cannot be fetched is left out
    with a line that says so."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [name for name in names if not _archive(folder, name)]
    for start in range(0, len(wanted), FETCHED_AT_ONCE):
        part = wanted[start : start + FETCHED_AT_ONCE]
        if _download(part, folder):
            continue
        for name in part:
            if not _archive(folder, name) and not _download([name], folder):
                print(f"  not to be had: {name}", flush=True)
    return [file for name in names if (file := _archive(folder, name))]


def _download(names: Sequence[str], folder: Path) -> bool:
    command = ["apt-get", "download", "-q", *names]
    return subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0


def _archive(folder: Path, name: str) -> Path | None:
    return max(folder.glob(f"{name}_*.deb"), default=None)


def read(file: Path) -> Package:
    """The package in an archive file."""
    fields = control_fields(_output("dpkg-deb", "-f", str(file)).decode())
    summary, _, description = fields.get("description", "").partition("\n")
    package = Package(fields["package"], fields.get("section", ""), summary, description, fields.get("homepage", ""))
    for path, body in _members(file, package):
        if path.startswith(REGISTERED):
            package.registered += registered(body.decode(errors="replace"))
        else:
            package.pages[path] = body
    return package


def _output(*command: str) -> bytes:
    return subprocess.run(command, capture_output=True, check=True).stdout


def _members(file: Path, package: Package) -> Iterator[tuple[str, bytes]]:
    """Pages and registrations; symbolic links and what is linked hard are noted in the package."""
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(file)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        with tarfile.open(fileobj=process.stdout, mode="r|") as archive:
            for member in archive:
                path = posixpath.normpath("/" + member.name)
                if member.issym():
                    package.symlinks[path] = posixpath.normpath(posixpath.join(posixpath.dirname(path), member.linkname))
                elif member.islnk():
                    package.symlinks[path] = posixpath.normpath("/" + member.linkname)
                elif member.isfile() and (HTML.search(path) or path.startswith(REGISTERED)) and member.size < LARGEST_PAGE:
                    content = archive.extractfile(member)
                    assert content is not None
                    yield path, content.read()


def control_fields(text: str) -> dict[str, str]:
    """Fields of a control paragraph (Debian Policy, section 5.1) by lower-case name; a lone dot is an empty line."""
    fields: dict[str, str] = {}
    name = ""
    for line in text.splitlines():
        if line[:1].isspace():
            fields[name] = f"{fields.get(name, '')}\n{'' if line.strip() == '.' else line.strip()}"
        elif ":" in line:
            name, value = line.split(":", 1)
            name = name.lower()
            fields[name] = value.strip()
    return fields


def registered(text: str) -> list[Registered]:
    """The HTML manual of a doc-base file; none if it registers other formats only."""
    paragraphs = [control_fields(part) for part in re.split(r"\n\s*\n", text)]
    facts = paragraphs[0]
    for paragraph in paragraphs:
        if paragraph.get("format", "").lower() == "html" and (index := paragraph.get("index", "").split()):
            title, section = facts.get("title", ""), facts.get("section", "")
            return [Registered(title, section, facts.get("abstract", "").strip(), index[0])]
    return []
