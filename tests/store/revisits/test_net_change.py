"""Several changes of one page, taken together."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.store.revisits.change_log import ChangeKind, ChangeSpan, NetChange, net_of, reason_of

N, C, S, G, M, B = ChangeKind.NEW, ChangeKind.CHANGED, ChangeKind.SUSPECT, ChangeKind.GONE, ChangeKind.MOVED, ChangeKind.BACK


def span(*kinds: ChangeKind) -> ChangeSpan:
    return ChangeSpan(kinds[0], kinds[-1], C in kinds)


@pytest.mark.parametrize(
    ("kinds", "net"),
    [
        ([N], NetChange.NEW),
        ([N, C], NetChange.NEW),
        ([N, S], NetChange.NEW),
        ([N, S, G], None),
        ([N, G, B], NetChange.NEW),
        ([C], NetChange.CHANGED),
        ([C, C, S], NetChange.CHANGED),
        ([S], NetChange.SUSPECT),
        ([S, B], None),
        ([S, B, C], NetChange.CHANGED),
        ([C, S, G], NetChange.GONE),
        ([S, G], NetChange.GONE),
        ([M], NetChange.GONE),
        ([G, B], None),
        ([G, B, C], NetChange.CHANGED),
        ([B], NetChange.NEW),
        ([B, C], NetChange.NEW),
        ([B, S, G], None),
    ],
)
def test_what_several_changes_come_to(kinds: list[ChangeKind], net: NetChange | None) -> None:
    assert net_of(span(*kinds)) is net


def test_a_page_that_was_missed_and_is_back_was_never_out() -> None:
    assert net_of(ChangeSpan(B, B, out=False)) is None
    assert net_of(ChangeSpan(B, B, changed=True, out=False)) is NetChange.CHANGED
    assert net_of(ChangeSpan(B, B)) is NetChange.NEW


def test_a_page_that_leaves_the_collection_is_gone_for_its_readers() -> None:
    left = ChangeSpan(C, C, True, left=3, inside=False)
    assert net_of(left) is NetChange.GONE
    assert reason_of(left, NetChange.GONE) == "left"
    joined = ChangeSpan(C, C, True, joined=3)
    assert net_of(joined) is NetChange.NEW
    assert reason_of(joined, NetChange.NEW) == "joined"
    assert net_of(ChangeSpan(C, C, True, left=3, joined=5)) is NetChange.CHANGED
    assert net_of(ChangeSpan(C, C, True, left=5, joined=3, inside=False)) is None
    assert net_of(ChangeSpan(N, C, True, left=5, inside=False)) is None
    assert net_of(ChangeSpan(C, G, True, left=5, inside=False)) is NetChange.GONE


@pytest.mark.parametrize("kinds", [[C], [G], [S], [B]])
def test_what_was_never_in_the_collection_is_not_told(kinds: list[ChangeKind]) -> None:
    assert net_of(ChangeSpan(kinds[0], kinds[-1], True, inside=False)) is None


@pytest.mark.parametrize(
    ("kinds", "net", "reason"),
    [([N], NetChange.NEW, "new"), ([B], NetChange.NEW, "back"), ([C], NetChange.CHANGED, "changed"),
    ([S, G], NetChange.GONE, "gone"),
     ([M], NetChange.GONE, "moved"), ([S], NetChange.SUSPECT, "suspect")],
)  # fmt: skip
def test_the_reason_says_how(kinds: list[ChangeKind], net: NetChange, reason: str) -> None:
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
    kinds: list[ChangeKind] = []
    details: list[bool] = []
    for _ in range(data.draw(st.integers(1, 6))):
        kind, following = data.draw(st.sampled_from(STEPS[state]))
        kinds.append(kind)
        details.append(not state[0])
        state = following
    net = net_of(ChangeSpan(kinds[0], kinds[-1], C in kinds, out=details[0]))
    if start[0] != state[0]:
        assert net is (NetChange.NEW if state[0] else NetChange.GONE)
    elif not state[0]:
        assert net is None
    elif C in kinds:
        assert net is NetChange.CHANGED
    else:
        assert net is (NetChange.SUSPECT if state[1] else None) or (state[1] and kinds[-1] is not S)
