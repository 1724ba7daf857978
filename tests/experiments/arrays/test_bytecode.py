"""Bytecode instructions of a call."""

import numpy as np

from onthefly.experiments.arrays.bytecode import instructions


def loop(n):
    total = 0
    for k in range(n):
        total += abs(k)
    return total


def through_a_frame(n):
    return loop(n)


def test_a_loop_runs_more_of_them_and_an_array_does_not():
    few, many = (instructions(loop, n) for n in (10, 110))
    assert (many - few) % 100 == 0 and many > few
    assert instructions(np.ones, 10) == instructions(np.ones, 10_000)


def test_frames_within_are_counted_too():
    assert instructions(through_a_frame, 10) > instructions(loop, 10)
