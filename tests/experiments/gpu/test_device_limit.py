"""The ways of the device's limit beside each other."""

import numpy as np

from onthefly.experiments.gpu import device_limit, energy
from onthefly.kernels import pi_device_limit as limit


def test_a_place_that_counts_other_hits_is_known():
    def wrong(way, shots, seed):
        return limit.hits_numpy(way, shots, seed) + (way == "Philox")

    places = {"right": limit.hits_numpy, "wrong": wrong}
    verdicts = device_limit.same_hits(places, [1, 1000], 7)
    assert set(verdicts) == set(limit.WAYS)
    assert all(each["right"] for each in verdicts.values())
    others = [way for way, each in verdicts.items() if not each["wrong"]]
    assert others == ["Philox"]


def test_the_processors_energy_is_counted_by_its_runs(monkeypatch):
    given = {}

    def rounds(loads, joules, share):
        given.update(loads)
        return joules, share

    monkeypatch.setattr(energy, "rounds", rounds)
    assert device_limit.processor_energy("counter", 3, 1, 0.5) == (
        "counter", 0.5,
    )  # fmt: skip
    ((run, shots),) = given.values()
    assert abs(4 * run() / shots - np.pi) < 1e-3
