from __future__ import annotations

from datetime import UTC, datetime

import pytest

from focuscrawl.reading.metadata import metadata_of
from focuscrawl.text.document import parse
from focuscrawl.text.head import meta
from tests.linear_time import linear

PROSE = "<p>" + "The old locomotive stood at the end of the platform, and nobody knew how it had come there. " * 2 + "</p>"
TITLE = "<h1>A Locomotive</h1>"
DAY = "2021-03-04"


def published(body: str, head: str = "", language: str = "de", url: str = "http://a.example/locomotive") -> str:
    document = parse(f"<html lang={language}><head><title>A Locomotive | Rails</title>{head}</head><body>{body}</body></html>")
    now = datetime(2026, 1, 2, tzinfo=UTC).timestamp()
    return metadata_of(document, meta(document), url, now).published


@pytest.mark.parametrize(
    "body",
    [
        f"{TITLE}<p>4. März 2021</p>{PROSE}",
        f"<h3>04.03.2021</h3>{TITLE}{PROSE}",
        f"<div>Bonn, 04.03.21</div><div>{TITLE}</div>{PROSE}",
        f"{TITLE}<div>Von <a href=/ada>Ada Birch</a> am <b>4. März 2021</b>, 10:20 Uhr</div>{PROSE}",
        f"{TITLE}<script>x = '2020-01-01'</script><dl><dt>Datum:</dt><dd>04.03.2021</dd></dl>{PROSE}",
        f"{TITLE}<p>Erstellt am 04.03.2021, aktualisiert am 05.03.2021</p>{PROSE}",
        f"{TITLE}<p>Letzte Änderung: 05.03.2021<br>Veröffentlicht: 04.03.2021</p>{PROSE}",
        f"<h1>Rails</h1><h2>Donnerstag, 4. März 2021</h2><h3>A Locomotive</h3>{PROSE}",
        f"<h1>Something Else</h1><p>04.03.2021</p>{PROSE}",
        f"{TITLE}<p>04.03.2021</p>{PROSE}<p>Eva, 05.03.2021:</p>{PROSE}",
        f"<table><tr><td>{TITLE}<p>04.03.2021</p>{PROSE}</td></tr></table>",
        f"{TITLE}<p>Press release - 4 March 2021</p>{PROSE}",
        f"{TITLE}<p>Foundation of Rails, 4 March 2021</p>{PROSE}",
        f"{TITLE}<p>By Jane Osborne, 4 March 2021</p>{PROSE}",
        f"{TITLE}<p>Revista Rieles, 4 de marzo de 2021</p>{PROSE}",
        f"{TITLE}<p>责任编辑：李四 2021-03-04 10:20</p>{PROSE}",
        f"{TITLE}<p><span>编辑：李四</span><span class=time>2021-03-04</span></p>{PROSE}",
    ],
)
def test_the_date_beside_the_title_is_that_of_publication(body: str) -> None:
    assert published(body) == DAY


@pytest.mark.parametrize(
    "body",
    [
        f"{TITLE}{PROSE}<p>04.03.2021</p>",
        f"{TITLE}<p>Stand: 04.03.2021</p>{PROSE}",
        f"{TITLE}<dl><dt>Zuletzt bearbeitet</dt><dd>04.03.2021</dd></dl>{PROSE}",
        f"{TITLE}<p>Version 3.2, 04.03.2021</p>{PROSE}",
        f"{TITLE}<dl><dt>Release</dt><dd>3.2</dd><dt>Datum</dt><dd>04.03.2021</dd></dl>{PROSE}",
        f"{TITLE}<p>Please open the log of the line that nobody remembers at March 4, 2021.</p>{PROSE}",
        f"{TITLE}<p>SOURCE_ID: &quot;2021-03-04 14:49:19 3e0d&quot;</p>{PROSE}",
        f"{TITLE}<p>Geboren am 4. März 2021</p>{PROSE}",
        f"{TITLE}<p>Founded on 4 March 2021</p>{PROSE}",
        f"{TITLE}<p>Born: 4 March 2021</p>{PROSE}",
        f"{TITLE}<p>Last_revised: 4 March 2021</p>{PROSE}",
        f"{TITLE}<p>编辑于 2021-03-04</p>{PROSE}",
        f"{TITLE}<p>2.-4. März 2021, Bonn</p>{PROSE}",
        f"{TITLE}<p>04.03.2021</p><p>05.03.2021</p>{PROSE}",
        f"{TITLE}<p>04.03.2021</p><ul>{'<li><a href=/x>Another</a></li>' * 30}</ul>{PROSE}",
        f"{TITLE}<p>04.03.2021</p><h2><a href=/x>Another</a></h2>{PROSE}",
        f"{TITLE}<table><tr><th>Opened</th></tr><tr><td>Day</td><td>04.03.2021</td></tr></table>{PROSE}",
        f"{TITLE}<figure><figcaption>Photo, 04.03.2021</figcaption></figure>{PROSE}",
        f"<p>04.03.2021</p><p>Home</p><p>Trains</p><p>Engines</p>{TITLE}{PROSE}",
        f"<h1>Rails</h1><h3>Steam</h3><p>01.01.2020</p><h3>A Locomotive</h3><p>04.03.2021</p>{PROSE}",
        f"<h1>Something Else</h1><p>04.03.2021</p><h1>Another</h1>{PROSE}",
        f"<h2>Something Else</h2><p>04.03.2021</p>{PROSE}",
    ],
)
def test_other_dates_are_not(body: str) -> None:
    assert published(body) == ""


def test_a_date_that_the_page_tells_machines_goes_before() -> None:
    head = "<meta name=date content=2021-03-02>"
    assert published(f"{TITLE}<p>04.03.2021</p>{PROSE}", head) == "2021-03-02"


@pytest.mark.parametrize(
    ("shown", "url", "expected"),
    [
        ("Nov 8, 2023", "", "2023-11-08"), ("", "/2023/11/08/x", "2023-11-08"), ("Nov 10, 2023", "", "2023-11-10"),
        ("Nov 11, 2023", "/2023/11/07/x", "2023-11-09"), ("Updated Nov 8, 2023", "", "2023-11-09"),
    ],
)  # fmt: skip
def test_of_a_moment_in_utc_the_day_of_the_author_counts(shown: str, url: str, expected: str) -> None:
    head = "<meta property=article:published_time content=2023-11-09T06:35:29+00:00>"
    assert published(f"{TITLE}<p>{shown}</p>{PROSE}", head, "en-US", f"http://a.example{url}") == expected
    offset = head.replace("+00:00", "-08:00")
    assert published(f"{TITLE}<p>{shown}</p>{PROSE}", offset, "en-US", f"http://a.example{url}") == "2023-11-09"


def test_a_day_of_a_meta_element_that_may_be_a_month_is_not_taken() -> None:
    assert published(f"{TITLE}<p>01.11.2023</p>{PROSE}", "<meta name=date content='11/01/2023 12:43:42'>") == "2023-11-01"
    assert published(TITLE, "<meta name=date content='11/01/2023 12:43:42'>") == ""
    assert published(TITLE, "<meta name=date content='11/13/2023 12:43:42'>") == "2023-11-13"


@pytest.mark.parametrize("piece", ["<b>2021 ", "<br>2021", "<p>2021", "<i></i>", "A Locomotive 2021 "])
def test_hostile_pages_are_read_in_linear_time(piece: str) -> None:
    with linear():
        assert published(f"{TITLE}{piece * (100_000 // len(piece))}") == ""
