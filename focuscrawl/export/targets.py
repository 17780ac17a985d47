"""Destinations of an export: a file, a folder, standard output, or a URL of fsspec such as `s3://bucket/pages.jsonl.gz`.

Invariant: files get their names when all of them are written, or never. If the disk is full or the program is ended, what was
there before is left.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, cast

from focuscrawl.errors import BadInput

PART = ".part"
"""Ending of incomplete files."""
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]+)://", re.IGNORECASE)
LOCAL = "file://"
READ_ONLY = ("http", "https", "ftp")
"""Schemes that fsspec can only read."""
LEVEL_GZIP, LEVEL_ZSTD = 6, 3
"""The defaults of gzip and zstd on the command line."""


class Target(ABC):
    """A place for files. They have names within it, with `/` between folders."""

    def __init__(self) -> None:
        self._removed: set[str] = set()
        """Names of the files of a former export that go once all is written."""

    @abstractmethod
    def create(self, name: str) -> BinaryIO:
        """A new file, which the caller closes."""

    def remove(self, name: str) -> None:
        """Remove a file of a former export, if it exists, once all is written."""
        self._removed.add(name)

    @abstractmethod
    def names(self) -> list[str]:
        """Names of files of former exports beside the new ones."""

    @abstractmethod
    def finish(self) -> None:
        """Give all files their names."""

    @abstractmethod
    def abandon(self) -> None:
        """Leave nothing behind."""


@contextmanager
def writing(target: Target) -> Iterator[Target]:
    """Write all files of the block, or none if it raises."""
    try:
        yield target
        target.finish()
    except BaseException:
        target.abandon()
        raise


def files_beside(destination: str) -> tuple[Target, str]:
    """For a format of single files: the place, and the name of the file in it. Raises BadInput for an unusable destination."""
    if destination == "-":
        return StandardOutput(), "-"
    destination = destination.removeprefix(LOCAL)
    if scheme_of(destination):
        folder, _, name = destination.rpartition("/")
        if not name or folder.endswith("/"):
            raise BadInput(f"{destination!r} names no file; give a URL such as s3://BUCKET/FILE")
        return Remote(folder), name
    path = Path(destination)
    if not path.absolute().parent.is_dir():
        raise BadInput(f"the directory of {destination!r} does not exist")
    if path.is_dir():
        raise BadInput(f"{destination!r} is a directory; name a file")
    if not os.access(path.absolute().parent, os.W_OK) and not path.exists():
        raise BadInput(f"nothing can be written into the directory of {destination!r}; name a file in another")
    return LocalFiles(path.parent), path.name


def folder_at(destination: str, *, ours: Callable[[str], bool], keep: bool = False, replace: bool = True) -> Target:
    """The place for a format of many files. Raises BadInput for an unusable destination.

    Args:
        destination: The folder. Its contents are replaced if they are a former export.
        ours: Whether a file of this name belongs to an export.
        keep: Whether new files are added to those of the former export, as in an export of changes.
        replace: Whether a former export may be replaced; if not, the folder must be new or empty.
    """
    destination = destination.removeprefix(LOCAL)
    if scheme_of(destination):
        return Remote(destination.rstrip("/"), each_at_once=True)
    path = Path(destination)
    if not path.absolute().parent.is_dir():
        raise BadInput(f"the directory of {destination!r} does not exist")
    if path.exists() and not path.is_dir():
        raise BadInput(f"{destination!r} is a file; name a folder")
    if path.is_dir():
        held = _files_below(path)
        foreign = next((name for name in held if not ours(name)), "")
        if foreign:
            raise BadInput(f"{destination!r} holds {foreign!r}, which no export has written; name a new or an empty folder")
        if held and not replace:
            raise BadInput(f"{destination!r} holds a data set, which only changes would replace; name a new or empty folder")
    return LocalFolder(path, keep)


def scheme_of(destination: str) -> str:
    """The scheme of a destination: `s3` of `s3://bucket/file`; empty for a path."""
    found = _SCHEME.match(destination)
    return found[1].lower() if found else ""


class StandardOutput(Target):
    def create(self, name: str) -> BinaryIO:
        return cast(BinaryIO, _Counted(sys.stdout.buffer))

    def names(self) -> list[str]:
        return []

    def finish(self) -> None:
        sys.stdout.buffer.flush()

    def abandon(self) -> None: ...


class _Through(io.BufferedIOBase):
    """Passes bytes on unchanged. Closing it leaves the file open."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out

    def write(self, data: Any) -> int:
        return self._out.write(data)

    def flush(self) -> None:
        self._out.flush()

    def tell(self) -> int:
        return self._out.tell()

    def writable(self) -> bool:
        return True


class _Counted(_Through):
    """The same for standard output, which cannot tell how much was written."""

    def __init__(self, out: BinaryIO) -> None:
        super().__init__(out)
        self._length = 0

    def write(self, data: Any) -> int:
        self._length += len(data)
        return super().write(data)

    def tell(self) -> int:
        return self._length


class LocalFiles(Target):
    """Files of one folder that may hold other files, too. Devices and pipes are written directly."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._made: list[Path] = []

    def create(self, name: str) -> BinaryIO:
        path = self._folder / name
        if path.exists() and not path.is_file():
            return path.open("wb")
        self._made.append(path)
        with _errors_name(path):
            return _part(path).open("wb")

    def names(self) -> list[str]:
        return [path.name for path in self._folder.iterdir() if path.is_file()]

    def finish(self) -> None:
        for path in self._made:
            os.replace(_part(path), path)
        for path in {self._folder / name for name in self._removed} - set(self._made):
            path.unlink(missing_ok=True)

    def abandon(self) -> None:
        for path in self._made:
            _part(path).unlink(missing_ok=True)


class LocalFolder(Target):
    """A folder of the export's own. It is made beside the destination, and then takes its name."""

    def __init__(self, path: Path, keep: bool) -> None:
        super().__init__()
        self._path = path.absolute()
        self._part = _part(self._path)
        self._keep = keep
        shutil.rmtree(self._part, ignore_errors=True)
        with _errors_name(self._path):
            self._part.mkdir()

    def create(self, name: str) -> BinaryIO:
        path = self._part / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("xb")

    def names(self) -> list[str]:
        return _files_below(self._path) if self._keep and self._path.is_dir() else []

    def finish(self) -> None:
        if self._keep and self._path.is_dir():
            self._add()
            return
        former = self._path.with_name(self._path.name + ".former")
        shutil.rmtree(former, ignore_errors=True)
        if self._path.is_dir():
            os.replace(self._path, former)
        os.replace(self._part, self._path)
        shutil.rmtree(former, ignore_errors=True)

    def abandon(self) -> None:
        shutil.rmtree(self._part, ignore_errors=True)

    def _add(self) -> None:
        new = _files_below(self._part)
        for name in new:
            (self._path / name).parent.mkdir(parents=True, exist_ok=True)
            os.replace(self._part / name, self._path / name)
        for name in self._removed - set(new):
            (self._path / name).unlink(missing_ok=True)
        shutil.rmtree(self._part, ignore_errors=True)


class Remote(Target):
    """Objects of a store that fsspec knows. An object gets its name once it is complete."""

    def __init__(self, destination: str, each_at_once: bool = False) -> None:
        """`each_at_once`: whether files, if small and many, get their names one by one instead of all at the end. Raises
        BadInput for an unusable URL, and OSError if the store does not answer."""
        super().__init__()
        self._destination = destination
        self._at_once = each_at_once
        self._files, self._path = _file_system(destination)
        self._open: list[Any] = []
        self._made: list[str] = []
        self._abandoned = False
        with self._as_oserror():
            self._files.exists(self._path)

    def create(self, name: str) -> BinaryIO:
        path = f"{self._path}/{name}"
        with self._as_oserror():
            try:
                file = self._files.open(path, "wb", autocommit=False)
            except FileNotFoundError:  # a server with folders; if we always made them, an object store would make a bucket
                self._files.makedirs(path.rpartition("/")[0], exist_ok=True)
                file = self._files.open(path, "wb", autocommit=False)
        self._open.append(file)
        self._made.append(name)
        return cast(BinaryIO, _Object(file, self))

    def names(self) -> list[str]:
        with self._as_oserror():
            found = self._files.find(self._path) if self._files.exists(self._path) else []
        return [path.removeprefix(self._path).lstrip("/") for path in found]

    def finish(self) -> None:
        with self._as_oserror():
            for file in self._open:
                file.commit()
            self._open.clear()
            for name in self._removed - set(self._made):
                if self._files.exists(f"{self._path}/{name}"):
                    self._files.rm_file(f"{self._path}/{name}")

    def abandon(self) -> None:
        self._abandoned = True
        for file in self._open:
            with suppress(Exception):  # a further error of the store must not hide why the export failed
                file.discard()
            with suppress(AttributeError):
                file.closed = True  # else it sends its buffer when it is deleted

    def closed(self, file: Any) -> None:
        """Note that a file is written completely."""
        if self._abandoned:
            return
        with self._as_oserror():
            file.close()
            if self._at_once:
                file.commit()
                self._open.remove(file)

    @contextmanager
    def _as_oserror(self) -> Iterator[None]:
        """Raise an OSError for any error of a store's client, which may be of many kinds."""
        try:
            yield
        except Exception as error:
            message = " ".join(str(error).split()) or type(error).__name__
            raise OSError(f"{self._destination} cannot be written ({message})") from error


class _Object(io.BufferedIOBase):
    """A file of `Remote`."""

    def __init__(self, file: Any, remote: Remote) -> None:
        self._file = file
        self._remote = remote
        self._length = 0

    def write(self, data: Any) -> int:
        with self._remote._as_oserror():
            self._file.write(data)
        self._length += len(data)
        return len(data)

    def tell(self) -> int:
        return self._length

    def writable(self) -> bool:
        return True

    def close(self) -> None:
        if not self.closed:
            super().close()
            self._remote.closed(self._file)

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            super().close()  # a file that was given up must not become complete


def _file_system(destination: str) -> tuple[Any, str]:
    """fsspec's file system for a destination, and the path in it."""
    scheme = scheme_of(destination)
    if scheme in READ_ONLY:
        raise BadInput(f"nothing can be written to a URL that begins with {scheme}://; use s3://BUCKET/FILE or a path")
    try:
        import fsspec
    except ImportError:
        raise BadInput(f"{scheme}:// needs fsspec, which is not installed: make setup EXTRAS=remote") from None
    try:
        files, path = fsspec.core.url_to_fs(destination)
    except ImportError as error:
        extra = "make setup EXTRAS=remote" if scheme in ("s3", "s3a") else f"install the package of fsspec for it ({error})"
        raise BadInput(f"{scheme}:// needs a package that is not installed: {extra}") from None
    except ValueError as error:
        raise BadInput(f"{destination!r} is not a URL to write to: {error}") from None
    return files, str(path)


def compressed(out: BinaryIO, name: str) -> BinaryIO:
    """A file that compresses into `out` if the name ends with `.gz` or `.zst`. Closing it leaves `out` open."""
    if name.endswith(".gz"):
        import gzip

        return cast(BinaryIO, gzip.GzipFile("", "wb", LEVEL_GZIP, out, mtime=0))
    if name.endswith(".zst"):
        from backports.zstd import ZstdFile  # Scrapy depends on it; from Python 3.14 on it is compression.zstd

        return cast(BinaryIO, ZstdFile(out, "wb", level=LEVEL_ZSTD))
    return cast(BinaryIO, _Through(out))


def _part(path: Path) -> Path:
    return path.with_name(path.name + PART)


@contextmanager
def _errors_name(path: Path) -> Iterator[None]:
    """Let an OSError name the destination, as the user knows it, and not the part that becomes it."""
    try:
        yield
    except OSError as error:
        error.filename = str(path)
        raise


def _files_below(folder: Path) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()]
