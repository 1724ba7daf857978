"""Who shares memory with whom, by address."""

import numpy as np
import pytest
import torch

from onthefly.experiments.memory import negative_strides, sharing

CUDA = pytest.mark.skipif(
    not torch.cuda.is_available(), reason="PyTorch sees no GPU"
)


def test_addresses_tell_who_shares():
    found = {k: sharing.shared(*v) for k, v in sharing.on_the_host().items()}
    assert found["torch.from_dlpack(array)"] == "yes"
    assert found["torch.tensor(array)"] == "no"
    assert found["np.from_dlpack(tensor, copy=True)"] == "no"
    assert found["np.from_dlpack(tensor with gradient)"].startswith("refused")
    assert "changed" in sharing.written(np.ones(3))
    assert sharing.written(np.ones(3), torch.tensor).startswith("it has not")
    refused = sharing.written(sharing.read_only(3), lambda a: a)
    assert refused == "refused: ValueError"


@CUDA
def test_the_device_shares_too():
    ways = sharing.on_the_device()
    found = {name: sharing.shared(*case) for name, case in ways.items()}
    assert found.pop("np.from_dlpack(CUDA tensor)") != "yes"
    assert set(found.values()) == {"yes"}


def test_a_reversed_array_is_not_shared():
    found = sharing.shared(torch.from_numpy, np.ones(3)[::-1])
    assert found == "refused: ValueError"
    told = negative_strides.ending()
    assert told.startswith(("refused: ", "the process ended by signal "))
