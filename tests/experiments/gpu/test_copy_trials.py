"""Copies as measurements, on the processor."""

import torch

from onthefly.experiments.gpu import copy_trials as trials
from onthefly.experiments.memory import transfers
from onthefly.kernels import copy_torch as copies

HOW = {"budget": 0.2, "rounds": 7, "min_sample": 1e-4}


def test_the_trials_have_the_series_that_the_page_asks_for():
    sizes = [1024, 4096, 2**14]
    times = trials.both_ways("cpu", sizes, **HOW)
    assert set(times.names) == {
        f"{way}, {memory}"
        for way in transfers.DIRECTIONS
        for memory in trials.MEMORIES
    }
    laws = {m: transfers.lines(times, m) for m in trials.MEMORIES}
    rows = transfers.constants(laws, 1e9)
    assert [row["copy"] for row in rows] == [
        "in, pageable", "out, pageable", "in, pinned", "out, pinned"
    ]  # fmt: skip
    waits = trials.without_waiting("cpu", 1000, rounds=6, budget=9)
    assert len(waits) == 9
    assert all(len(series.values) == 6 for series in waits)
    work = trials.operations("cpu", [16, 64, 256], **HOW)
    way = transfers.Way(work, laws["pageable"], "FFT",
                        *copies.OPERATIONS["FFT"][2:])  # fmt: skip
    assert [n for n, _ in way.predicted] == [16, 64, 256]
    tried = trials.tried("cpu", {"sort": 100}, **HOW)
    assert tried.names == ["sort, NumPy", "sort, there and back"]


class Pinned:
    """A tensor's pinned copies, kept in a pool as PyTorch keeps them."""

    def __init__(self):
        self.pool, self.locked = 0, 0

    def pin_memory(self):
        self.locked += not self.pool
        self.pool = 1
        return self

    def to(self, *_, **__):
        return self

    def empty(self):
        self.pool = 0


def test_each_sample_locks_its_pages_anew(monkeypatch):
    given = Pinned()
    monkeypatch.setattr(torch.cuda, "synchronize", lambda _: None)
    monkeypatch.setattr(
        torch._C, "_host_emptyCache", given.empty, raising=False
    )
    for _ in range(3):
        assert trials._on_the_way(given, "cuda") > 0
    assert given.locked == 3


def test_a_pipeline_is_timed_whole_and_in_parts():
    pipe = trials.Pipeline("cpu", 4000)
    assert torch.allclose(pipe.run(2), pipe.expected())
    assert len(pipe.overlap(**HOW)) == 7
    line = pipe.timeline(rounds=6, budget=9)
    assert line.sizes("two streams, end") == [1, 2, 3, 4]
    assert all(len(series.values) == 6 for series in line)
    ends = line.seconds("one stream, end", 4).value
    assert ends >= line.seconds("one stream, in", 4).value > 0


def test_on_one_memory_nothing_is_read_too_early():
    here, there = copies.pair(1000, "cpu")
    there.fill_(7)
    assert not copies.too_early(there, here)
    assert here.eq(7).all()
    rows = trials.read_too_early("cpu", 1000, 3)
    assert [row["last byte old"] for row in rows] == ["0 of 3"] * 2
