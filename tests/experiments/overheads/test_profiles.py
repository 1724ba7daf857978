"""The parts of a call, read off traces."""

import pytest

from onthefly.experiments.overheads import profiles
from onthefly.kernels.trips import trips_tensorflow as add

tf = add.tf


def together(profile):
    """Return the sum of a profile's parts."""
    return sum(profile.parts.values())


def test_own_times_leave_out_what_lies_inside():
    events = [(0, 10, "a"), (1, 4, "b"), (2, 3, "c"), (5, 6, "b"),
              (20, 21, "a")]  # fmt: skip
    assert profiles.own_times(events) == [
        ("a", 6), ("b", 2), ("c", 1), ("b", 1), ("a", 1)]  # fmt: skip


def test_a_trace_counts_the_operations_of_a_call():
    x = tf.constant([1.0, 2.0])
    profile = profiles.tensorflow(lambda: tf.raw_ops.AddV2(x=x, y=x), 10)
    assert profiles.operations(profile) == {"AddV2": 1}
    assert tuple(profile.parts) == profiles.PARTS
    assert together(profile) == pytest.approx(profile.wall)
    assert min(profile.parts.values()) >= 0
    shares = [q.value for q in profile.shares().values()]
    assert sum(shares) == pytest.approx(1)


def test_a_hand_over_shorter_than_its_stamps_is_not_resolved():
    own = {"dispatch": 1.0, "run": 4.0, "here": 0.5}
    for away, expected in {
        3.0: (4.5, 1.0, 1.0, 3.5),
        0.0: (4.5, 1.0, 0.0, 4.5),  # on the caller's thread
        5.0: (4.5, 1.0, 0.0, 4.5),
    }.items():
        parts, unresolved = profiles.divided(10.0, own, away)
        assert parts == expected
        assert unresolved == (profiles.PARTS[2:3] if away > 4 else ())


def test_python_functions_are_counted():
    def inner():
        return 1

    assert profiles.python_calls(lambda: None) == 0
    assert profiles.python_calls(lambda: inner() + inner()) == 2
