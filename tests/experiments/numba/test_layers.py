"""Numba's threading layers, tried in processes of their own."""

from onthefly.experiments.numba import layers


def test_the_layer_that_is_always_there_obeys():
    tried = layers.tried({"workqueue": 3, "no such layer": 2})
    layer = tried["workqueue"]
    assert layer["threads"] == 3 and layer["fork"] == 0
    assert layer["twice"] < 0  # it lets one thread in, and aborts
    assert tried["no such layer"] == {}


def test_a_process_that_hangs_is_ended():
    assert layers.tried({"workqueue": 2}, limit=0.01) == {"workqueue": {}}
