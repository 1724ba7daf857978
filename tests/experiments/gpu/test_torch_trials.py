"""PyTorch by numbers of threads, and by clocks."""

import time

from cases import torch_or_skip


def test_threads_are_set_back():
    torch = torch_or_skip()
    from onthefly.experiments.gpu import torch_trials

    threads = torch.get_num_threads()
    torch_trials.by_threads(1000, budget=0.1)
    assert threads == torch.get_num_threads()


def test_events_stand_behind_longer_work(monkeypatch):
    """The device is a stand-in that works at once, on the processor."""
    torch = torch_or_skip()
    from onthefly.experiments.gpu import torch_trials as trials

    calls, count = [], trials.ways.hits_torch

    class Event:
        def __init__(self, enable_timing):
            assert enable_timing

        def record(self):
            self.calls, self.time = len(calls), time.perf_counter()

        def query(self):
            return self.calls < 3  # idle: the hold was too short

        def synchronize(self):
            pass

        def elapsed_time(self, end):
            assert end.calls == self.calls + 1
            return 1000 * (end.time - self.time)

    def hits(shots, device):
        calls.append(device)
        return count(shots, "cpu")

    monkeypatch.setattr(torch.cuda, "Event", Event)
    monkeypatch.setattr(torch.cuda, "synchronize", lambda: None)
    monkeypatch.setattr(trials.ways, "hits_torch", hits)
    times = trials.stopwatches(1000, rounds=6)
    assert set(times.names) == {"no wait", "wait", "CUDA events"}
    assert set(calls) == {"cuda"} and len(calls) > 3 * 6
