from __future__ import annotations

import pytest

from models.topic.vsm import FLOOR, choose, given, quantile


def test_examples_decide_where_there_are_three() -> None:
    limit = choose([0.2, 0.3, 0.4], noise=[0.01] * 10, made_up=[0.9])
    assert limit.value == pytest.approx(0.7 * 0.3)
    assert limit.explanation == (
        "0.21: 0.7 times the median similarity of the 3 examples, each compared with the topic made of the others (0.300);"
        " 1.5 times what pages about nothing reach (0.010) is less."
    )


def test_made_up_pages_decide_where_examples_are_few() -> None:
    limit = choose([0.9], noise=[0.01], made_up=[0.1, 0.2, 0.3])
    assert limit.value == pytest.approx(0.14)
    assert "3 examples or more from several sites would take the place of made-up pages" in limit.explanation


def test_noise_lifts_the_threshold() -> None:
    limit = choose([0.1, 0.1, 0.1], noise=[0.0] * 50 + [0.2])
    assert limit.value == pytest.approx(0.3)
    assert limit.explanation.startswith("0.3: 1.5 times what pages about nothing reach (0.200); 0.7 times the median")


def test_examples_that_have_nothing_in_common_leave_the_floor() -> None:
    limit = choose([0.0, 0.0, 0.0], noise=[])
    assert limit.value == FLOOR
    assert limit.explanation.startswith("0.02: the least that a threshold may be; ")


def test_the_users_own_is_marked() -> None:
    assert given(0.2).given
    assert given(0.2).explanation == "0.2 was given by the user."


def test_quantiles() -> None:
    assert quantile([], 0.5) == 0.0
    assert quantile([3, 1, 2], 0.0) == 1
    assert quantile([3, 1, 2], 0.99) == 3


def test_one_counter_example_that_speaks_of_the_topic_lifts_nothing() -> None:
    held_out, noise = [0.17, 0.18, 0.2], [0.01] * 10
    plain = choose(held_out, noise)
    assert choose(held_out, noise, negatives=[0.21] + [0.02] * 14).value == plain.value
    assert choose(held_out, noise, negatives=[0.21, 0.22]) == plain
    lifted = choose(held_out, noise, negatives=[0.1, 0.11, 0.12])
    assert lifted.value == pytest.approx(0.165)
    assert "1.5 times the median similarity of the counter-examples (0.110); " in lifted.explanation
