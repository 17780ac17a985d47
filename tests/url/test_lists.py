"""Lists are told by their addresses."""

from __future__ import annotations

import pytest

from focuscrawl.url.lists import names_list


@pytest.mark.parametrize(
    "path",
    ["/tags/git", "/tag/git/", "/tag/git/page/2/", "/questions/tagged/git?tab=votes&page=2", "/category/tech?page=3",
     "/author/jane/", "/2019/", "/blog/2019/03/", "/2019/03/page/2/", "/2019/03/14/"],
)  # fmt: skip
def test_lists(path: str) -> None:
    assert names_list(f"http://a.test{path}")


@pytest.mark.parametrize(
    "path", ["/", "/tags/", "/archives/123", "/authors/jane.html", "/category/tech/a-post/", "/2019/03/14/a-post/", "/2019/13/"]
)
def test_other_addresses(path: str) -> None:
    assert not names_list(f"http://a.test{path}")
