"""Several changes of one page, taken together."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.store.revisits.changes import Kind, Net, Span, net_of, reason_of

N, C, S, G, M, B = Kind.NEW, Kind.CHANGED, Kind.SUSPECT, Kind.GONE, Kind.MOVED, Kind.BACK


def span(*kinds: Kind) -> Span:
    return Span(kinds[0], kinds[-1], C in kinds)


@pytest.mark.parametrize(
    ("kinds", "net"),
    [
        ([N], Net.NEW),
        ([N, C], Net.NEW),
        ([N, S], Net.NEW),
        ([N, S, G], None),
        ([N, G, B], Net.NEW),
        ([C], Net.CHANGED),
        ([C, C, S], Net.CHANGED),
        ([S], Net.SUSPECT),
        ([S, B], None),
        ([S, B, C], Net.CHANGED),
        ([C, S, G], Net.GONE),
        ([S, G], Net.GONE),
        ([M], Net.GONE),
        ([G, B], None),
        ([G, B, C], Net.CHANGED),
        ([B], Net.NEW),
        ([B, C], Net.NEW),
        ([B, S, G], None),
    ],
)
def test_what_several_changes_come_to(kinds: list[Kind], net: Net | None) -> None:
    assert net_of(span(*kinds)) is net


def test_a_page_that_was_missed_and_is_back_was_never_out() -> None:
    assert net_of(Span(B, B, out=False)) is None
    assert net_of(Span(B, B, changed=True, out=False)) is Net.CHANGED
    assert net_of(Span(B, B)) is Net.NEW


def test_a_page_that_leaves_the_collection_is_gone_for_its_readers() -> None:
    left = Span(C, C, True, left=3, inside=False)
    assert net_of(left) is Net.GONE
    assert reason_of(left, Net.GONE) == "left"
    joined = Span(C, C, True, joined=3)
    assert net_of(joined) is Net.NEW
    assert reason_of(joined, Net.NEW) == "joined"
    assert net_of(Span(C, C, True, left=3, joined=5)) is Net.CHANGED
    assert net_of(Span(C, C, True, left=5, joined=3, inside=False)) is None
    assert net_of(Span(N, C, True, left=5, inside=False)) is None
    assert net_of(Span(C, G, True, left=5, inside=False)) is Net.GONE


@pytest.mark.parametrize("kinds", [[C], [G], [S], [B]])
def test_what_was_never_in_the_collection_is_not_told(kinds: list[Kind]) -> None:
    assert net_of(Span(kinds[0], kinds[-1], True, inside=False)) is None


@pytest.mark.parametrize(
    ("kinds", "net", "reason"),
    [([N], Net.NEW, "new"), ([B], Net.NEW, "back"), ([C], Net.CHANGED, "changed"), ([S, G], Net.GONE, "gone"),
     ([M], Net.GONE, "moved"), ([S], Net.SUSPECT, "suspect")],
)  # fmt: skip
def test_the_reason_says_how(kinds: list[Kind], net: Net, reason: str) -> None:
    assert net_of(span(*kinds)) is net
    assert reason_of(span(*kinds), net) == reason


STEPS = {
    # (there, missed) and what may follow: kind, and the state behind it
    (False, False): ((N, (True, False)), (B, (True, False))),
    (True, False): ((C, (True, False)), (S, (True, True)), (M, (False, False))),
    (True, True): ((B, (True, False)), (G, (False, False)), (M, (False, False))),
}


@pytest.mark.slow
@settings(max_examples=200)
@given(st.data())
def test_any_history_is_told_as_the_difference_of_its_two_ends(data: st.DataObject) -> None:
    """Against a collection that is followed change by change."""
    state = start = data.draw(st.sampled_from(sorted(STEPS)))
    kinds: list[Kind] = []
    details: list[bool] = []
    for _ in range(data.draw(st.integers(1, 6))):
        kind, following = data.draw(st.sampled_from(STEPS[state]))
        kinds.append(kind)
        details.append(not state[0])
        state = following
    net = net_of(Span(kinds[0], kinds[-1], C in kinds, out=details[0]))
    if start[0] != state[0]:
        assert net is (Net.NEW if state[0] else Net.GONE)
    elif not state[0]:
        assert net is None
    elif C in kinds:
        assert net is Net.CHANGED
    else:
        assert net is (Net.SUSPECT if state[1] else None) or (state[1] and kinds[-1] is not S)
