"""From which similarity on is a page relevant? Chosen from the topic's own texts, and explained in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

HELD_OUT_FACTOR = 0.7
"""Examples are chosen as clear cases, so other relevant pages lie lower: a threshold at this part of their median."""
NOISE_FACTOR = 1.5
"""Distance kept from pages about nothing."""
FLOOR = 0.02
MIN_HELD_OUT = 3
MIN_NEGATIVES = 3
"""Fewer counter-examples say nothing about the threshold (they count in the topic's vector all the same)."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """A similarity in (0, 1] and why it was chosen."""

    value: float
    explanation: str
    given: bool = False


def given(value: float) -> Threshold:
    """The user's own."""
    return Threshold(value, f"{value:g} was given by the user.", given=True)


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which this share of the values lies (nearest rank); 0 for no values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def choose(
    held_out: Sequence[float], noise: Sequence[float], made_up: Sequence[float] = (), negatives: Sequence[float] = ()
) -> Threshold:
    """Threshold from similarities.

    `held_out`: each example to the topic made of the other examples. `noise`: pages about nothing, of which nearly all
    are to stay below. `made_up`: made-up pages that speak of the topic, used where fewer than three examples exist.
    `negatives`: counter-examples, of which the median counts: a page on the topic that somebody rejected for another
    reason, or by mistake, must not lift the threshold above the examples.
    """
    enough = len(held_out) >= MIN_HELD_OUT
    middle = median(held_out if enough else made_up) if (enough or made_up) else 0.0
    about_nothing = quantile(noise, 0.99)
    rejected = median(negatives) if len(negatives) >= MIN_NEGATIVES else 0.0
    loudest = max(about_nothing, rejected)
    low, high = HELD_OUT_FACTOR * middle, NOISE_FACTOR * loudest
    other = "noise of other pages" if about_nothing >= rejected else "median of the counter-examples"
    value = round(max(low, high, FLOOR), 4)
    source = (
        f"the {len(held_out)} examples, each left out once, have a median similarity of {middle:.3f}"
        if enough
        else f"there are fewer than {MIN_HELD_OUT} examples; made-up pages on the topic have a median of {middle:.3f}"
    )
    if value == round(low, 4):
        reason = f"{HELD_OUT_FACTOR:g} of that is above the {other} ({loudest:.3f})"
    elif value == round(high, 4):
        reason = f"{NOISE_FACTOR:g} times the {other} ({loudest:.3f}) is above that"
    else:
        reason = f"neither that nor the {other} reaches the least threshold of {FLOOR:g}"
    return Threshold(value, f"{value:g}: {source}; {reason}.")
