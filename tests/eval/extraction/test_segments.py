"""The exam of main text by a few sentences of each page."""

import json
from pathlib import Path

from tools.eval.extraction.segments import line, pages, score

HTML = "<html><body><nav>News Sport</nav><article><p>Crawlers fetch\n<b>pages</b>.</p></article></body></html>"


def test_pages_are_read_and_scored_by_their_sentences(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.html").write_text(HTML, encoding="utf-8")
    told = {
        "http://a.example/": {"file": "a.html", "with": ["fetch pages", "in vain"], "without": ["Sport"]},
        "http://b.example/": {"file": "missing.html", "with": [], "without": []},
    }
    (tmp_path / "told.json").write_text(json.dumps(told), encoding="utf-8")
    (page,) = pages(tmp_path / "told.json", tmp_path / "in")
    assert page.html == HTML
    assert score("Crawlers fetch pages.", page) == {"right": 1, "missed": 1, "wrong": 0}
    found = score("News Sport\nCrawlers  fetch pages.", page)
    assert line("kept", found) == "| kept | 0.500 | 0.500 | 0.500 |"
