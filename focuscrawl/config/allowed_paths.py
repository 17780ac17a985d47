"""Below which folders may a crawl read and write? A person's anywhere; a job of Scrapyd below those that its operator names."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from focuscrawl.errors import BadInput, quoted

ROOTS = "FOCUSCRAWL_JOB_ROOTS"
"""The variable of Scrapyd's environment that names the folders, separated by colons."""


@dataclass(frozen=True, slots=True)
class Roots:
    """The folders that a crawl may use."""

    folders: tuple[Path, ...] | None = None
    """Real paths, without links; None: anywhere."""

    @classmethod
    def of(cls, value: str) -> Roots:
        """The folders that a value of FOCUSCRAWL_JOB_ROOTS names.

        Raises:
            BadInput: it names no folder, or something that is not one.
        """
        names = [name for name in value.split(":") if name.strip()]
        if not names:
            raise BadInput(
                f"Scrapyd jobs may not use any file yet: set {ROOTS} in Scrapyd's environment to the folders of seed files"
                " and crawls, such as /srv/focuscrawl."
            )
        return cls(tuple(dict.fromkeys(_folder(name.strip()) for name in names)))

    def check(self, path: Path, what: str) -> None:
        """Refuse a path that, with all links followed, does not lead below one of the folders.

        Args:
            what: what the path is to the user, for the message, which does not disclose whether anything is there.

        Raises:
            BadInput: it lies outside, or cannot be followed.
        """
        if not self._holds(path):
            raise BadInput(f"{what} {quoted(str(path))} lies outside the folders of {ROOTS}.")

    def check_crawl(self, directory: Path) -> None:
        """Check the directory of a crawl as `check` does, and the targets of the links in it. Raises BadInput."""
        if self.folders is None:
            return
        what = "The crawl's directory"
        self.check(directory, what)
        try:
            entries = list(os.scandir(directory))
        except FileNotFoundError:
            return
        except OSError as error:
            raise BadInput(f"{what} {quoted(str(directory))} cannot be read: {error.strerror or error}.") from None
        for entry in entries:
            if entry.is_symlink() and not self._holds(Path(entry.path)):
                raise BadInput(f"{what} holds the link {quoted(entry.name)}, which leads out of the folders of {ROOTS}.")

    def _holds(self, path: Path) -> bool:
        if self.folders is None:
            return True
        try:
            real = Path(os.path.realpath(path))
        except (OSError, ValueError):
            return False
        return any(real.is_relative_to(folder) for folder in self.folders)


ANYWHERE = Roots()


def _folder(name: str) -> Path:
    if not os.path.isabs(name) or not os.path.isdir(name):
        raise BadInput(f"{ROOTS}: {quoted(name)} is not the absolute path of a folder.")
    return Path(os.path.realpath(name))
