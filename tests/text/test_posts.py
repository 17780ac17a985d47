"""What stands around the posts of a thread is no text of the page."""

from __future__ import annotations

import pytest

from tests.text.pages import fast

SAID = "The night train to the north keeps its old carriages for one more winter, says the timetable of the station."


def thread(post: str, count: int = 3) -> list[str]:
    posts = "".join(post.format(at=at, said=SAID) for at in range(count))
    return fast(f"<title>Night trains - Forum</title><h1>Night trains</h1><div id=list>{posts}</div>").split("\n")


BOX = "<dl class=author><dt><a>driver{at}</a></dt><dd>Joined: Jan {at}, 2018</dd><dd>Posts: 1{at}2</dd></dl>"


@pytest.mark.parametrize(
    "name", ["class=post", "class='message js-post'", "id=post_{at}", "class=topic-body", "class=AnswerItem"]
)
def test_the_box_of_an_author_is_no_text(name: str) -> None:
    post = f"<div {name}>{BOX}<div class=content>{{said}} ({{at}})<br>Yes.</div><div class=buttons><a>Quote</a></div></div>"
    assert thread(post) == ["Night trains", f"{SAID} (0)", "Yes.", f"{SAID} (1)", "Yes.", f"{SAID} (2)", "Yes."]


def test_a_wrapper_without_a_name_is_as_good_as_the_post_in_it() -> None:
    said = "<td class=c><p>{said}</p><ul><li>One</li></ul></td>"
    post = f"<div><table id=pid{{at}} class=post><tr><td>{BOX}</td>{said}</tr></table></div>"
    assert thread(post, 2) == ["Night trains", SAID, "One", SAID, "One"]


def test_signatures_and_the_title_once_more_are_no_text() -> None:
    post = (
        "<div class=post><h3>Re: Night trains</h3><p>by driver{at}, 2021-03-0{at}</p><div class=content>{said}</div>"
        "<div class='signature'>Mind the gap between the train and the platform, all {at} of you who read this.</div></div>"
    )
    assert thread(post) == ["Night trains", "Re: Night trains", SAID, SAID, SAID]


def test_the_posts_of_an_index_keep_their_titles() -> None:
    post = "<div class=post><h2><a>Title {at}</a></h2><div>on 2021-03-0{at}</div><div class=entry><p>{said}</p></div></div>"
    assert [line for line in thread(post) if line.startswith("Title")] == ["Title 0", "Title 1", "Title 2"]
    assert not any("2021" in line for line in thread(post))


@pytest.mark.parametrize("post", [
    "<div class=function><div>f{at}(a, b)</div><div>since 2021-03-0{at}</div><div class=content>{said}</div></div>",
    "<div class=post><div>POST /f{at}</div><div class=content>{said}</div></div>",
    "<div class=post><div>Driver {at}</div><pre>from 2021-03-0{at}</pre><div class=content>{said}</div></div>",
])  # fmt: skip
def test_parts_stay_of_what_is_not_called_a_post_or_has_no_date(post: str) -> None:
    assert len(thread(post)) == 1 + 3 * post.count("<div>") + 3 * post.count("<pre>") + 3


def test_code_beside_the_prose_is_text() -> None:
    post = "<div class=post><p>2021-03-0{at}</p><div class=a>{said}</div><div class=code><pre>run({at})</pre></div></div>"
    assert thread(post) == ["Night trains", SAID, "run(0)", SAID, "run(1)", SAID, "run(2)"]


def test_a_second_part_with_prose_is_text() -> None:
    post = "<div class=post><div class=date>2021-03-0{at}</div><div class=a>{said}</div><div class=b>{said} Ah.</div></div>"
    assert thread(post).count(f"{SAID} Ah.") == 3


@pytest.mark.parametrize("name", ["{}", "<div class=cell>{}</div>"])
def test_what_few_posts_have_beside_the_prose_is_text(name: str) -> None:
    author, said = name.format("<p class=a>driver{at}, 2021-03-0{at}</p>"), "<div>{said}</div>"
    posts = [
        f"<div class=post>{author}{name.format(f'<div class=text>{said}{more}</div>')}</div>" for more in ("", TABLE, "", "")
    ]
    assert thread("".join(posts), 1) == ["Night trains", SAID, SAID, "Line Late", "Two 5", SAID, SAID]


TABLE = "<table><tr><td>Line</td><td>Late</td></tr><tr><td>Two</td><td>5</td></tr></table>"
