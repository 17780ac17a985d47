"""The files of a topic: NAME.toml is the topic itself, and what is known of it lies beside it.

NAME.toml             what the user has written; `scrapy crawl topic -a seeds=` takes it
NAME.labels.tsv       pages that the user judged, one per line
NAME.pages.jsonl      the texts of the pages that were found, picked or judged
NAME.json             the trained topic, and NAME.page_model.json the trained page model
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from focuscrawl.config.arguments import check_name
from focuscrawl.config.topic_file import PAGE_MODEL, TRAINED
from focuscrawl.errors import NO_ROOM, BadInput, DiskFull, close_match, quoted
from focuscrawl.whole_files import write_whole

Stamp = tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class TopicPaths:
    """Paths of the files of one topic, in one folder."""

    folder: Path
    name: str

    @property
    def toml(self) -> Path:
        return self.folder / f"{self.name}.toml"

    @property
    def labels(self) -> Path:
        return self.folder / f"{self.name}.labels.tsv"

    @property
    def pages(self) -> Path:
        return self.folder / f"{self.name}.pages.jsonl"

    @property
    def trained(self) -> Path:
        return self.folder / f"{self.name}{TRAINED}"

    @property
    def page_model(self) -> Path:
        return self.folder / f"{self.name}{PAGE_MODEL}"

    def trained_digest(self, digest: str) -> str:
        """What a crawl notes of the topic as it was trained: another text whenever it is trained otherwise. `digest`: that of
        its words and seeds (`focuscrawl.config.topic_file.topic_digest`)."""
        content = self.trained.read_bytes() + (self.page_model.read_bytes() if self.page_model.is_file() else b"")
        return f"{digest} {hashlib.blake2b(content, digest_size=16).hexdigest()}"

    def stamp(self) -> Stamp:
        """Number, time and size of the files that people change: another value if one was changed or replaced."""
        stats = []
        for path in (self.toml, self.labels, self.pages):
            with suppress(OSError):
                found = path.stat()
                stats.append((found.st_ino, found.st_mtime_ns, found.st_size))
        return tuple(stats)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Wait until no other process changes topics of the folder, and keep them from it. It is `flock` on the folder, so that
        no file is left over. Without effect where the file system has no locks."""
        try:
            folder = os.open(self.folder, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            yield
            return
        try:
            with suppress(OSError):
                fcntl.flock(folder, fcntl.LOCK_EX)
            yield
        finally:
            os.close(folder)


def topic_names(folder: Path) -> list[str]:
    """The sorted names of the topics in a folder."""
    return sorted(path.stem for path in folder.glob("*.toml") if path.is_file()) if folder.is_dir() else []


def existing(folder: Path, name: str) -> TopicPaths:
    """The topic with this name or this path of its file. Raises BadInput, which gives the nearest name, if there is none."""
    if name.endswith(".toml") and Path(name).is_file():
        folder, name = Path(name).parent, Path(name).stem
    elif name.endswith(".toml") and "/" in name:
        raise BadInput(f"There is no topic file {quoted(name)}.")
    paths = TopicPaths(folder, check_name(name, "The topic's name"))
    if paths.toml.is_file():
        return paths
    names = topic_names(folder)
    if near := close_match(name, names):
        raise BadInput(f"There is no topic {quoted(name)} in {folder}; did you mean {near}?")
    known = f"known are {', '.join(names[:8])}" if names else "`scrapy topic new` makes one"
    raise BadInput(f"There is no topic {quoted(name)} in {folder}; {known}.")


def replace_text(path: Path, text: str) -> None:
    """Write a file, which gets its name only once it is complete. Raises BadInput if it cannot be written, DiskFull where there
    is no room."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
    except OSError as error:
        kind = DiskFull if error.errno in NO_ROOM else BadInput
        raise kind(f"{path} cannot be written: {error.strerror or error}.") from None
