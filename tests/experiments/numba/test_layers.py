"""Numba's threading layers, tried in processes of their own."""

import pytest

from onthefly.experiments.numba import layers


def test_the_layer_that_is_always_there_obeys():
    every = layers.tried({"workqueue": 3, "no such layer": 2})
    said = every["workqueue"]
    assert said["threads"] == 3 and min(said["entry"]) > 0
    assert said["fork"] == 0 and layers.outcome(0) == "works"
    assert said["twice"] < 0  # it lets one thread in, and aborts
    assert every["no such layer"] == {}


def test_a_process_that_hangs_is_ended():
    assert layers.tried({"workqueue": 2}, limit=0.01) == {"workqueue": {}}


@pytest.mark.parametrize(
    ("status", "words"),
    [(None, "not tried"), (layers.HANGS, "hangs"), (-6, "ended by SIGABRT"),
     (3, "fails (3)")],
)  # fmt: skip
def test_an_outcome_is_said_in_words(status, words):
    assert layers.outcome(status) == words
