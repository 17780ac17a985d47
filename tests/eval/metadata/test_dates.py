from __future__ import annotations

from pathlib import Path

import pytest

from tools.eval.metadata.dates import judged, main, told

PAGE = "<title>Rails</title><meta property=article:modified_time content=2021-03-05><p>Words.</p>"
URL = "http://a.example/rails"


@pytest.mark.parametrize(
    ("name", "truth"),
    [
        (
            "truth.json",
            f'[{{"file": "b.html", "url": "{URL}", "date": "2021-03-04"}}, {{"file": "c.html", "url": "", "date": null}}]',
        ),
        ("truth.csv", f"file,url,date\nb.html,{URL},2021-03-04\nc.html,,\nmissing.html,,\n"),
    ],
)
def test_the_pages_of_a_folder_are_told_with_their_dates(tmp_path: Path, name: str, truth: str) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "below/b.html").write_text("<p>B", encoding="utf-8")
    (tmp_path / "c.html").write_bytes("<p>Fünf".encode("latin-1"))
    (tmp_path / name).write_text(truth, encoding="utf-8")
    pages = [*told(tmp_path, tmp_path / name)]
    assert pages == [((URL, "<p>B"), "2021-03-04"), (("", "<p>Fünf"), "")]


@pytest.mark.parametrize(
    ("found", "truth", "verdict"),
    [
        ("2021-03-04", "2021-03-04", "right"), ("", "2021-03-04", "none"), ("2021-03-03", "2021-03-04", "wrong"),
        ("2021-03-04", "2021-03-05", "change"), ("2021-03-04", "", "wrong"), ("", "", "right"),
    ],
)  # fmt: skip
def test_an_answer_is_judged_by_the_two_dates_of_a_page(found: str, truth: str, verdict: str) -> None:
    assert judged((URL, PAGE), found, truth) == verdict


@pytest.mark.parametrize("told_of", [["--pages", "."], ["--truth", "truth.csv"], ["--pages", ".", "--truth", "truth.csv"]])
def test_a_folder_without_its_dates_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], told_of: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "truth.csv").write_text("file,url,date\nmissing.html,,\n", encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["dates", *told_of])
    with pytest.raises(SystemExit):
        main()
    assert "go together" in (said := capsys.readouterr().err) or "no page of truth.csv is in ." in said
