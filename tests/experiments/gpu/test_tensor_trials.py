"""What tensors share, and in which order they come."""

import numpy as np

from cases import tensorflow_or_skip, torch_or_skip
from onthefly.experiments.gpu import tensor_trials as trials
from onthefly.measure.quantity import Quantity


def test_conversions_keep_all_and_share_or_copy():
    tf, torch = tensorflow_or_skip(), torch_or_skip()
    trips = {
        name: trials.crosses(*pair)
        for name, pair in trials.trips(tf, torch).items()
    }
    assert all(same for same, _, _ in trips.values())
    assert trips["from_numpy, .cpu().numpy"] == (True, True, True)
    assert not trips["tensor, .cpu().numpy"][1]
    assert trips["convert_to_tensor, .numpy"] == (True, False, False)


def test_a_copy_is_not_taken_for_shared_memory():
    assert not trials.seen(np.zeros(4), np.copy)
    assert trials.seen(np.zeros(4), np.asarray)
    same, shares_in, shares_out = trials.crosses(np.copy, np.copy)
    assert same and not shares_in and not shares_out


def test_the_bridge_holds_on_the_processor():
    checks = trials.bridge(torch_or_skip(), device="cpu")
    assert len(checks) == 5 and all(checks.values())


def test_a_legends_order_is_counted_where_it_is_resolved():
    seconds = {"slow": Quantity(3, 2.5, 3.5, "s"),
               "middle": Quantity(2, 1.8, 2.2, "s"),
               "near": Quantity(1.9, 1.7, 2.1, "s"),
               "fast": Quantity(1, 0.9, 1.1, "s")}  # fmt: skip
    share = trials.in_order(seconds, ["slow", "middle", "fast"])
    assert share.value == 1 and share.unit == "%"
    assert trials.in_order(seconds, ["slow", "fast", "middle"]).value == 0.5
    open_ = trials.in_order(seconds, ["slow", "middle", "near"])
    assert (open_.low, open_.high) == (0.5, 1)
