"""Numba's threading layers, tried in processes of their own."""

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
