"""Is the date of publication right? Ours beside htmldate's, on recorded pages: `python -m tools.eval.metadata.dates`.

- Blogs: the truth is the page's own `article:published_time`, as the day in China, where all three are written. It is read by
  both in the first table; for the second, it and all other metadata are taken out (meta elements, JSON-LD, attributes of
  microdata), so that what is shown must be found.
- Lists of their posts, and manuals: such pages have no date of publication, and whatever is found is wrong.

htmldate runs as trafilatura runs it (`find_date` with `original_date`), with its search of the whole text and without.
"""

from __future__ import annotations

import argparse
import json
import logging
import random
import re
import zlib
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from time import process_time

from htmldate import find_date

from focuscrawl.reading.metadata import metadata_of
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


def ours(page: Page) -> str:
    url, html = page
    document = parse(html)
    return metadata_of(document, meta(document), url, NOW).published


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


def table(title: str, pages: list[tuple[Page, str]]) -> None:
    """Each reader's answers against the truth, which is empty for a page without a date."""
    print(f"{title}: {len(pages)} pages")
    print(f"  {'':26} {'right':>6} {'wrong':>6} {'none':>6} {'CPU ms':>8}")
    for name, reader in READERS.items():
        started, found = process_time(), Counter[str]()
        for page, truth in pages:
            dates_found = reader(page)
            found["right" if dates_found == truth else "wrong" if dates_found else "none"] += 1
        spent = 1000 * (process_time() - started) / len(pages)
        print(f"  {name:26} {found['right']:6} {found['wrong']:6} {found['none']:6} {spent:8.2f}")


def main() -> None:
    logging.disable(logging.CRITICAL)
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
    argparse.ArgumentParser(description=__doc__).parse_args()
    main()
