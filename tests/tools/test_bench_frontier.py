"""What the benchmark of the frontier says to results that it cannot show."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools.bench import frontier


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "argument --table: {file} cannot be read: No such file or directory"),
        ("{", "argument --table: {file} holds no results: give the results.json that a measurement has written"),
        ("[]", "argument --table: {file} holds no results: give the results.json that a measurement has written"),
    ],
)
def test_a_table_without_results(
    content: str | None, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "results.json"
    if content is not None:
        file.write_text(content)
    monkeypatch.setattr("sys.argv", ["frontier", "--table", str(file)])
    with pytest.raises(SystemExit) as ended:
        frontier.main()
    said = capsys.readouterr()
    assert (ended.value.code, said.out) == (2, "")
    assert said.err.splitlines()[-1].endswith(told.format(file=file))


def test_a_table_of_stored_results(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "results.json"
    file.write_text(json.dumps({"machine": "two cores", "runs": {}}))
    monkeypatch.setattr("sys.argv", ["frontier", "--table", str(file)])
    assert frontier.main() == 0
    assert capsys.readouterr().out.startswith("two cores.\n")
