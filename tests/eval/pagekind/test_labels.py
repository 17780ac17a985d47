"""The labels of the page kind are the ones that the figures in docs/measured.md were measured on."""

from __future__ import annotations

import pytest

from tools.eval.pagekind.labelled import digest, kind_of, labels
from tools.eval.webs.recorded import WEBS


def test_the_labels_are_the_measured_ones() -> None:
    assert len(labels()) == 386
    assert digest() == "4c23c9e6f8d10e64e359b65ecf7f41e6eb3bcb516960933f9cec05d9614d52e0"


@pytest.mark.slow
@pytest.mark.skipif(not (WEBS / "dev.sqlite").exists(), reason="the recorded webs are not here: set FOCUSCRAWL_WEBS")
def test_the_kind_is_right_on_recorded_pages() -> None:
    right = [kind_of(label) == label.kind for label in labels()]
    assert sum(right) / len(right) >= 0.95
