"""Is the date of publication right? Ours beside htmldate's, on recorded pages: `python -m tools.eval.metadata.dates`.

- Blogs: the truth is the page's own `article:published_time`, as the day in China, where all three are written. It is read by
  both in the first table; for the second, it and all other metadata are taken out (meta elements, JSON-LD, attributes of
  microdata), so that what is shown must be found.
- Lists of their posts, and manuals: such pages have no date of publication, and whatever is found is wrong.

htmldate runs as trafilatura runs it (`find_date` with `original_date`), with its search of the whole text and without.

`--pages FOLDER --truth FILE` scores pages of your own instead. The file is JSON, a list of objects, or CSV with a header:
`file` (in the folder or below it), `url` and `date`, the day of publication as 2021-03-04, or nothing if the page has none.

An answer that is wrong only because the truth is the day of the page's last change, as the page itself says, counts apart.
"""

from __future__ import annotations

import argparse
import csv
import json
import logging
import random
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from time import process_time

from htmldate import find_date

from focuscrawl.reading.metadata import Metadata, metadata_of
from focuscrawl.text.decode import decode
from focuscrawl.text.document import parse
from focuscrawl.text.head import meta
from tools.eval.webs.recorded import opened

BLOGS = {"dev": ("dunwu.github.io", "q96b.cn", "www.sujx.net")}
MANUALS = {
    "dev": ("www.php.net", "help.libreoffice.org", "debian-handbook.info"),
    "dev-en": ("www.postgresql.org", "docs.python.org", "docs.dask.org", "www.sqlite.org", "httpd.apache.org", "git-scm.com"),
}
PER_HOST = 60
CHINA = timezone(timedelta(hours=8))
NOW = 1_795_305_600.0
"""22 November 2026."""
PUBLISHED = re.compile(r"""<meta[^>]+article:published_time[^>]+content=["']([^"']+)""")
LIST = re.compile(r"/(?:archives|tags|categories|page)/")
METADATA = re.compile(
    r"<meta[^>]*>|<script[^>]+ld\\+json.*?</script>|\s(?:itemprop|itemscope|itemtype|pubdate)(?:=[\"'][^\"']*[\"'])?", re.DOTALL
)
Page = tuple[str, str]


def facts(page: Page) -> Metadata:
    url, html = page
    document = parse(html)
    return metadata_of(document, meta(document), url, NOW)


def ours(page: Page) -> str:
    return facts(page).published


def htmldate(page: Page, extensive: bool) -> str:
    url, html = page
    return find_date(html, url=url, original_date=True, extensive_search=extensive, max_date="2026-11-23") or ""


READERS: dict[str, Callable[[Page], str]] = {
    "ours": ours,
    "htmldate": lambda page: htmldate(page, extensive=True),
    "htmldate, not extensive": lambda page: htmldate(page, extensive=False),
}


def recorded(web: str, host: str) -> list[Page]:
    select = "select url, headers, body from page where status=200 and url like ?"
    with opened(web) as database:
        rows = database.execute(select, (f"http://{host}/%",)).fetchall()
    random.Random(1).shuffle(rows)
    return [
        (url, decode(zlib.decompress(body), json.loads(headers or "{}").get("Content-Type", "")).text)
        for url, headers, body in rows
    ]


def day_in_china(moment: str) -> str:
    """The day of a moment in ISO 8601, without a zone as it is written."""
    parsed = datetime.fromisoformat(moment)
    return (parsed.astimezone(CHINA) if parsed.tzinfo else parsed).strftime("%Y-%m-%d")


def listing(pages: list[Page]) -> list[Page]:
    return [page for page in pages if LIST.search(page[0]) and not PUBLISHED.search(page[1])]


def told(folder: Path, truth: Path) -> Iterator[tuple[Page, str]]:
    """The pages of a folder of which a file tells the date. Those that are not there are passed over."""
    text = truth.read_text(encoding="utf-8")
    rows = json.loads(text) if truth.suffix == ".json" else csv.DictReader(text.splitlines())
    files = {path.name: path for path in folder.rglob("*") if path.is_file()}
    for row in rows:
        path = folder / row["file"]
        if found := path if path.is_file() else files.get(path.name):
            yield (row["url"], decode(found.read_bytes()).text), row["date"] or ""


def judged(page: Page, found: str, truth: str) -> str:
    """What an answer is: right, none, the other date of the two that a page has, or wrong."""
    if found == truth:
        return "right"
    if not found:
        return "none"
    return "change" if truth and truth == facts(page).modified else "wrong"


def table(title: str, pages: list[tuple[Page, str]]) -> None:
    """Each reader's answers against the truth, which is empty for a page without a date."""
    print(f"{title}: {len(pages)} pages")
    print(f"  {'':26} {'right':>6} {'wrong':>6} {'change':>6} {'none':>6} {'CPU ms':>8}")
    for name, reader in READERS.items():
        started = process_time()
        answers = [reader(page) for page, _ in pages]
        spent = 1000 * (process_time() - started) / len(pages)
        found = Counter(judged(page, answer, truth) for (page, truth), answer in zip(pages, answers, strict=True))
        print(f"  {name:26} {found['right']:6} {found['wrong']:6} {found['change']:6} {found['none']:6} {spent:8.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=Path, help="a folder of pages to score instead of the recorded ones")
    parser.add_argument("--truth", type=Path, help="their dates, JSON or CSV")
    asked = parser.parse_args()
    if not asked.pages and not asked.truth:
        of_recorded_webs()
    elif not (asked.pages and asked.truth):
        parser.error("--pages and --truth go together")
    elif pages := [*told(asked.pages, asked.truth)]:
        table(str(asked.truth), pages)
    else:
        parser.error(f"no page of {asked.truth} is in {asked.pages}")


def of_recorded_webs() -> None:
    dated: list[tuple[Page, str]] = []
    for web, hosts in BLOGS.items():
        for host in hosts:
            dates_found = [(page, PUBLISHED.search(page[1])) for page in recorded(web, host)]
            dated += [(page, day_in_china(found[1])) for page, found in dates_found if found][:PER_HOST]
    table("blogs", dated)
    table("blogs, without their metadata", [((url, METADATA.sub("", html)), truth) for (url, html), truth in dated])
    pages = [page for web, hosts in MANUALS.items() for host in hosts for page in recorded(web, host)[:PER_HOST]]
    lists = [page for web, hosts in BLOGS.items() for host in hosts for page in listing(recorded(web, host))[:PER_HOST]]
    table("lists of posts, where none is right", [(page, "") for page in lists])
    table("manuals, where none is right", [(page, "") for page in pages])


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)  # htmldate reports each page that it cannot read
    main()
