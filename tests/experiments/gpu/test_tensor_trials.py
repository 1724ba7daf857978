"""Where tensors live, what shares their memory, and what waits."""

import random

import numpy as np
import pytest

from cases import tensorflow_or_skip, torch_or_skip
from onthefly import machine
from onthefly.experiments.gpu import tensor_trials as trials
from onthefly.quantity import Quantity


def test_creation_alone_has_to_be_told():
    found = trials.places(torch_or_skip())
    assert found["rand(3)"] == "cpu"
    assert found["x * rand(3)"].startswith("refused")
    told = ("x * x", "ones_like(x)", "with device: rand(3)")
    assert {found[text] for text in told} == {"meta"}


@pytest.mark.skipif(machine.has_cuda(), reason="there is a GPU")
def test_a_missing_gpu_is_silent_or_refused():
    tf = tensorflow_or_skip()
    assert trials.gpu_block(tf, soft=True) == ["CPU:0", "CPU:0"]
    assert trials.gpu_block(tf, soft=False) == ["refused", "refused"]
    assert tf.config.get_soft_device_placement()


def test_eager_makes_arrays_and_the_compiler_does_not():
    torch = torch_or_skip()
    from onthefly.kernels import pi_torch_device as ways

    count, taken = trials.made(torch, lambda: ways.hits_torch(1000))
    assert count >= 7 and taken == 41 * 1000 + 8
    if not ways.missing():
        ways.pi_torch_compiled(1000)
        call = ways.compiled("cpu")
        few, many = (
            trials.made(torch, lambda n=n: call(n, "cpu"))[1]
            for n in (1000, 2000)
        )
        assert few == many < 1000


def test_conversions_keep_all_and_say_what_they_share():
    tf, torch = tensorflow_or_skip(), torch_or_skip()
    found = {
        name: trials.crosses(*pair)
        for name, pair in trials.trips(tf, torch).items()
    }
    assert all(same for same, _, _ in found.values())
    assert found["from_numpy, .cpu().numpy"] == (True, True, True)
    assert not found["tensor, .cpu().numpy"][1]
    assert found["convert_to_tensor, .numpy"] == (True, False, False)


def test_a_copy_is_not_taken_for_shared_memory():
    assert not trials.seen(np.zeros(4), np.copy)
    assert trials.seen(np.zeros(4), np.asarray)
    same, shares_in, shares_out = trials.crosses(np.copy, np.copy)
    assert same and not shares_in and not shares_out


def test_dlpack_hands_over_without_a_copy():
    found = trials.handovers(tensorflow_or_skip(), torch_or_skip())
    assert len(found) == 4 and all(found.values())


def test_the_bridge_holds_on_the_processor():
    checks = trials.bridge(torch_or_skip(), device="cpu")
    assert len(checks) == 5 and all(checks.values())


def test_a_wrong_estimate_is_not_measured():
    with pytest.raises(ValueError, match="wrong: π = 3"):
        trials.checked({"wrong": lambda shots: 3.0}, [10**6])


def test_names_that_a_library_lacks():
    assert trials.absent(np) == []
    assert trials.absent(random, ["random", "random.rand"]) == ["random.rand"]


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
