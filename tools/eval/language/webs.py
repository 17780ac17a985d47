"""How often is the language of a recorded page wrong? `python -m tools.eval.language.webs`.

Labels come from the sites: all hosts of the English web write English, the blogs of the Chinese one write Chinese. Three sites
of the Chinese web are manuals translated in part; there the label is that of the page's own main element without code: `zh`
from 60 % Han, `en` below 15 %, between them both are right and only a third language is wrong. A page whose `html lang` is
neither English nor Chinese is left out: it is a translation that strayed in.

The hosts of `TUNED` were looked at when the thresholds were set; the others were not.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from resiliparse.parse.lang import detect_fast
from selectolax.lexbor import LexborHTMLParser

from focuscrawl.items import whole_text
from focuscrawl.text.decode import decode
from focuscrawl.text.document import parse
from focuscrawl.text.extract import fast_text
from focuscrawl.text.head import meta
from focuscrawl.text.language import SAMPLE, Habits, guess
from focuscrawl.text.language_labels import code
from tools.eval.webs.recorded import WEBS, body_of, opened, urls_of

SITES = {"dev": "zh", "dev-en": "en"}
PER_HOST = {"dev": 100, "dev-en": 25}
TUNED = frozenset({
    "www.php.net", "www.sujx.net", "docs.dask.org", "docs.scrapy.org", "docs.twisted.org", "docs.sqlalchemy.org",
    "www.gnutls.org", "www.gnupg.org", "xmlsoft.org", "docs.xarray.dev", "www.debian.org",
})  # fmt: skip
MAIN = {
    "www.php.net": "#layout-content",
    "help.libreoffice.org": "#DisplayArea, main, #content",
    "debian-handbook.info": "body",
}
"""The main element of the sites that are translated in part."""
CODE = ", ".join([
    "pre", "code", "kbd", "samp", "tt", "var", "script", "style", ".methodsynopsis", ".phpcode", ".nav", ".edittoolbar",
    "#usernotes", ".programlisting", ".screen", "select", "button",
])  # fmt: skip
_HAN = re.compile("[\u3400-\u9fff]")
_LATIN = re.compile("[A-Za-z]")


@dataclass(slots=True, frozen=True)
class Labelled:
    """A page and the languages that are right for it."""

    url: str
    host: str
    right: frozenset[str]
    html_lang: str
    text: str
    """Title and fast main text, as the crawl reads them."""


def sample(web: Path, seed: int = 2) -> Iterator[Labelled]:
    """The same pages for the same seed, host by host."""
    hosts: defaultdict[str, list[str]] = defaultdict(list)
    with opened(web) as database:
        for url in urls_of(database):
            hosts[url.split("/")[2]].append(url)
        for host, urls in sorted(hosts.items()):
            random.Random(seed).shuffle(urls)
            for url in urls[: PER_HOST[web.stem]]:
                page = _labelled(url, host, SITES[web.stem], body_of(database, url))
                if page is not None:
                    yield page


def _labelled(url: str, host: str, site: str, body: bytes) -> Labelled | None:
    html = decode(body, "text/html").text
    document = parse(html)
    head = meta(document)
    if code(head.language) not in ("", "en", "zh"):
        return None
    right = _translated(html, MAIN[host]) if site == "zh" and host in MAIN else frozenset({site})
    return Labelled(url, host, right, head.language, whole_text(head.title, fast_text(document))) if right else None


def _translated(html: str, selector: str) -> frozenset[str]:
    main = LexborHTMLParser(html).css_first(selector)
    if main is None:
        return frozenset()
    for node in main.css(CODE):
        node.decompose()
    text = main.text(separator=" ")
    han, latin = 3 * len(_HAN.findall(text)), len(_LATIN.findall(text))
    share = han / max(han + latin, 1)
    return frozenset({"zh"} if share >= 0.6 else {"en"} if share <= 0.15 else {"zh", "en"})


def wrong(pages: list[Labelled], answer: Callable[[Labelled], str]) -> list[tuple[Labelled, str]]:
    """The pages with the languages that were wrong for them."""
    answers = [(page, answer(page)) for page in pages]
    return [(page, found) for page, found in answers if found not in page.right]


def as_crawled() -> Callable[[Labelled], str]:
    """With the page's label and the habit of its host so far."""
    habits = Habits()

    def answer(page: Labelled) -> str:
        found = guess(page.text, page.html_lang, habits.of(page.host))
        habits.note(page.host, found)
        return found.language

    return answer


def main() -> None:
    """Print errors by way of answering, the wrong pages, and the cost."""
    webs = [web for web in sorted(WEBS.glob("*.sqlite")) if web.stem in SITES]
    if not webs:
        print(f"no recorded webs in {WEBS}: set FOCUSCRAWL_WEBS")
        return
    pages = [page for web in webs for page in sample(web)]
    random.Random(1).shuffle(pages)
    held_out = [page for page in pages if page.host not in TUNED]
    print(f"{len(pages)} pages, {len(held_out)} of them of sites that were left out of tuning;"
          f" right: {json.dumps(Counter('+'.join(sorted(page.right)) for page in pages))}")  # fmt: skip
    ways: tuple[tuple[str, Callable[[Labelled], str]], ...] = (
        ("resiliparse alone", lambda page: detect_fast(page.text[:SAMPLE])[0]),
        ("text alone", lambda page: guess(page.text).language),
        ("text and label", lambda page: guess(page.text, page.html_lang).language),
        ("text, label and habit", as_crawled()),
    )
    for name, answer in ways:
        start = time.process_time()
        errors = wrong(pages, answer)
        spent = 1000 * (time.process_time() - start) / len(pages)
        apart = [page for page, _ in errors if page.host not in TUNED]
        print(f"{name:22} {len(errors):3} wrong ({100 * len(errors) / len(pages):.2f} %), sites left out"
              f" {len(apart):3} ({100 * len(apart) / len(held_out):.2f} %), {spent:.3f} ms a page")  # fmt: skip
    for page, found in errors:
        print(f"  {found or '(none)':6} for {'/'.join(sorted(page.right))}: {page.url}")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    main()
