"""Who shares memory with whom, by address."""

import numpy as np
import torch

from cases import needs_gpu
from onthefly.experiments.memory import negative_strides, sharing

CUDA = needs_gpu("torch")


def test_addresses_show_who_shares():
    ways = sharing.on_the_host()
    shared = {name: sharing.shared(*case) for name, case in ways.items()}
    assert shared["torch.from_dlpack(array)"] == "yes"
    assert shared["torch.tensor(array)"] == "no"
    assert shared["np.from_dlpack(tensor, copy=True)"] == "no"
    gradient = shared["np.from_dlpack(tensor with gradient)"]
    assert gradient.startswith("refused")


@CUDA
def test_the_device_shares_too():
    ways = sharing.on_the_device()
    shared = {name: sharing.shared(*case) for name, case in ways.items()}
    assert shared.pop("np.from_dlpack(CUDA tensor)") != "yes"
    assert set(shared.values()) == {"yes"}


def test_a_reversed_array_is_not_shared():
    shared = sharing.shared(torch.from_numpy, np.ones(3)[::-1])
    assert shared == "refused: ValueError"
    ending = negative_strides.ending()
    assert ending.startswith(("refused: ", "the process ended by signal "))
