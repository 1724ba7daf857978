"""PyTorch by threads, and by three clocks on a stand-in for a device."""

import pytest

from cases import torch_or_skip


@pytest.fixture
def torch():
    """PyTorch, or skip the test."""
    return torch_or_skip()


@pytest.fixture
def trials(torch):
    """The module, which loads PyTorch."""
    from onthefly.experiments.gpu import torch_trials

    return torch_trials


def test_threads_are_set_back(torch, trials):
    threads = torch.get_num_threads()
    _, most = trials.by_threads(1000, budget=0.1)
    assert threads == most == torch.get_num_threads()
