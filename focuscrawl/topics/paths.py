"""The files of a topic: NAME.toml is the topic itself, and what is known of it lies beside it.

NAME.toml             what the user has written; `scrapy crawl topic -a seeds=` takes it
NAME.labels.tsv       pages that the user judged, one per line
NAME.pages.jsonl      the texts of the pages that were found, picked or judged
NAME.json             the trained topic, and NAME.page_model.json the trained page model
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from focuscrawl.config.arguments import check_name
from focuscrawl.errors import BadInput, close_match, quoted


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
        return self.folder / f"{self.name}.json"

    @property
    def page_model(self) -> Path:
        return self.folder / f"{self.name}.page_model.json"


def topic_names(folder: Path) -> list[str]:
    """The sorted names of the topics in a folder."""
    return sorted(path.stem for path in folder.glob("*.toml")) if folder.is_dir() else []


def existing(folder: Path, name: str) -> TopicPaths:
    """The topic with this name or this path of its file. Raises BadInput, which gives the nearest name, if there is none."""
    if name.endswith(".toml") and Path(name).is_file():
        folder, name = Path(name).parent, Path(name).stem
    paths = TopicPaths(folder, check_name(name, "The topic's name"))
    if paths.toml.is_file():
        return paths
    names = topic_names(folder)
    if near := close_match(name, names):
        raise BadInput(f"There is no topic {quoted(name)} in {folder}; did you mean {near}?")
    known = f"known are {', '.join(names[:8])}" if names else "`scrapy topic new` makes one"
    raise BadInput(f"There is no topic {quoted(name)} in {folder}; {known}.")


def replace_text(path: Path, text: str) -> None:
    """Write a file, which gets its name only once it is complete. Raises BadInput if it cannot be written."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(text, "utf-8")
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        raise BadInput(f"{path} cannot be written: {error.strerror or error}.") from None
