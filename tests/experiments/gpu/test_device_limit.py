"""The ways of the device's limit beside each other."""

from onthefly.experiments.gpu import device_limit
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
