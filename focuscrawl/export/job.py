"""Runs one export: writes a selection of pages in a format to a place, all of it or nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from focuscrawl.errors import BadInput
from focuscrawl.export.bulk import Bulk, mapping
from focuscrawl.export.card import Origin, card
from focuscrawl.export.formats import CommaSeparated, JsonLines, OpenWriter, TableOptions, pyarrow
from focuscrawl.export.markdown_folder import OURS as MARKDOWN_FILES
from focuscrawl.export.markdown_folder import write_markdown
from focuscrawl.export.parquet import Parquet
from focuscrawl.export.rows import CHANGE, FIELDS
from focuscrawl.export.selection import Selected, Selection
from focuscrawl.export.tables import OURS as DATASET_FILES
from focuscrawl.export.tables import stem, write_dataset, write_table
from focuscrawl.export.targets import StandardOutput, Target, files_beside, folder_at, writing
from focuscrawl.report.plain import plural
from focuscrawl.whole_files import naming

TABLES: dict[str, OpenWriter] = {"jsonl": JsonLines, "csv": CommaSeparated, "parquet": Parquet, "bulk": Bulk}
"""Formats that write row after row, into one file or several."""
FOLDERS = ("markdown", "dataset")
FORMATS = (*TABLES, *FOLDERS, "wacz")
COMPRESSED = (".gz", ".zst")
BY_ENDING = {".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".parquet": "parquet", ".wacz": "wacz"}
MAPPING = ".mapping.json"
"""Ending of the file beside a bulk file that says how its fields are indexed."""


@dataclass(slots=True, frozen=True)
class ExportJob:
    """What is to be written, and where.

    Args:
        form: One of `FORMATS`, checked.
        destination: A file or folder, a URL of fsspec, or `-`.
        title: Name of the collection.
        archive: Folder of the crawl's WARC files.
        columns: The columns that were chosen; empty: those of the format.
        with_change: Whether every row says if its page is new, changed or gone.
        shard_bytes: Size of a file; 0: one file.
        origin: Returns how the pages were gathered, for the card.
        conditions: The options that chose the pages, for the card.
    """

    form: str
    destination: str
    title: str
    archive: Path
    columns: tuple[str, ...] = ()
    with_change: bool = False
    shard_bytes: int = 0
    bom: bool = False
    origin: Callable[[], Origin] = lambda: Origin(crawl="")
    conditions: str = ""


@dataclass(slots=True)
class Written:
    """The result of an export. `missing`, `problem`: as in `focuscrawl.export.wacz.Archived`."""

    count: int = 0
    changes: Counter[str] = field(default_factory=Counter)
    missing: int = 0
    problem: str = ""


def checked_format(name: str, destination: str) -> str:
    """The format `name`, or if that is empty, the one of the destination's ending. Raises BadInput if it cannot be written
    there."""
    endings = _endings(destination)
    if not name and unknown_ending(destination) == ".warc":
        raise BadInput("the crawl's WARC files lie in its folder, in warc/; a name such as pages.wacz packs the exported pages")
    form = name or _named_by(endings) or "jsonl"
    if form not in FORMATS:
        raise BadInput(f"unknown format {form!r}: use one of {', '.join(FORMATS)}")
    if form in (*FOLDERS, "wacz") and destination == "-":
        raise BadInput(f"{form} is not text for standard output; name a {'folder' if form in FOLDERS else 'file'} with -o")
    if endings and endings[-1] in COMPRESSED and form not in ("jsonl", "csv", "bulk"):
        raise BadInput(f"{form} is not compressed again; leave {endings[-1]} out of {destination!r}")
    if form in ("parquet", "dataset"):
        pyarrow()
    return form


def unknown_ending(destination: str) -> str:
    """The ending of a file's name if it says nothing of the format, as `.xlsx`; "" if there is none."""
    endings = _endings(destination)
    unknown = [ending for ending in endings if ending not in COMPRESSED]
    return unknown[-1] if unknown and not _named_by(endings) else ""


def _endings(destination: str) -> list[str]:
    return [ending.lower() for ending in PurePosixPath(destination).suffixes]


def _named_by(endings: Sequence[str]) -> str:
    """The format that one of the last two endings names (`.csv.gz`); "" if none does."""
    return next((BY_ENDING[ending] for ending in endings[-2:] if ending in BY_ENDING), "")


def run(job: ExportJob, selection: Selection) -> Written:
    """Write the export. Raises BadInput for a place that cannot be used, OSError if writing fails; then nothing is left
    behind."""
    if job.bom and job.form != "csv":
        raise BadInput(f"--bom is for csv, which Excel opens; leave it out for {job.form}")
    if job.shard_bytes and (job.form in ("markdown", "wacz") or job.destination == "-"):
        what = "standard output" if job.destination == "-" else job.form
        raise BadInput(f"--shard-size does not go with {what}")
    if job.columns and job.form == "wacz":
        raise BadInput("--columns does not go with wacz, which has no columns; leave one of them out")
    written = Written()
    pages = _counted(selection, written)
    with naming("standard output" if job.destination == "-" else job.destination):
        if job.form in FOLDERS:
            _write_folder(job, pages, selection)
        else:
            _write_files(job, pages, written)
    return written


def _write_folder(job: ExportJob, pages: Iterable[Selected], selection: Selection) -> None:
    if job.form == "markdown":
        folder = folder_at(job.destination, ours=lambda name: bool(MARKDOWN_FILES.fullmatch(name)), keep=job.with_change)
        with writing(folder) as target:
            write_markdown(pages, target, job.columns)
        return

    folder = folder_at(job.destination, ours=lambda name: bool(DATASET_FILES.fullmatch(name)), replace=not job.with_change)
    columns = _columns(job)
    with writing(folder) as target:
        write_dataset(
            pages, target, columns, job.shard_bytes,
            lambda tally: card(tally, selection.left_out, job.origin(), columns, job.conditions),
        )  # fmt: skip


def _write_files(job: ExportJob, pages: Iterable[Selected], written: Written) -> None:
    place, name = files_beside(job.destination)
    with writing(place) as target:
        if job.form == "wacz":
            from focuscrawl.export.wacz import write_wacz

            with target.create(name) as out:
                done = write_wacz(pages, out, job.archive, job.title)
            if done.missing and not done.count:
                missing = plural(done.missing, "page is", "pages are")
                raise OSError(f"no page could be written: {missing} not whole in {job.archive} ({done.problem})")
            written.count, written.missing, written.problem = done.count, done.missing, done.problem
            return
        options = TableOptions(_columns(job), job.bom)
        if job.form == "bulk":
            options = TableOptions(tuple(dict.fromkeys(("url", *options.columns))))
            _write_mapping(target, name, options)
        write_table(pages, target, name, TABLES[job.form], options, job.shard_bytes)


def _write_mapping(target: Target, name: str, options: TableOptions) -> None:
    if not isinstance(target, StandardOutput):
        with target.create(stem(name) + MAPPING) as out:
            out.write(mapping(options))


def _columns(job: ExportJob) -> tuple[str, ...]:
    columns = job.columns or tuple(FIELDS)
    return (*columns, CHANGE) if job.with_change else columns


def _counted(pages: Iterable[Selected], written: Written) -> Iterator[Selected]:
    for each in pages:
        yield each
        written.count += 1
        written.changes[each.change] += 1
