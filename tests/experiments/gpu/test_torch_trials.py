"""PyTorch by threads, and by three clocks on a stand-in for a device."""

import time

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


class Event:
    """A device's event, on a device that does all at once."""

    def __init__(self, enable_timing):
        assert enable_timing

    def record(self):
        self.time = time.perf_counter()

    def elapsed_time(self, end):
        return 1e3 * (end.time - self.time)


def test_three_clocks_time_the_same_calls(torch, trials, monkeypatch):
    counted = []
    monkeypatch.setattr(torch.cuda, "Event", Event)
    monkeypatch.setattr(torch.cuda, "synchronize", lambda: time.sleep(1e-4))
    monkeypatch.setattr(
        trials.ways, "hits_torch", lambda *a: counted.append(a)
    )
    times = trials.stopwatches(7, rounds=8)
    assert counted == [(7, "cuda")] * 9  # one is the first call
    rounds = zip(*(s.values for s in times), strict=True)
    assert all(wait > quick >= events for quick, wait, events in rounds)
    assert times.first("wait").value > 1e-4
