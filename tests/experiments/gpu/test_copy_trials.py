"""Copies as measurements, on the processor."""

from onthefly.experiments.gpu import copy_trials as trials
from onthefly.experiments.memory import transfers
from onthefly.kernels.copy import copy_torch as copies
from onthefly.measure.timings import Timings

HOW = {"budget": 0.2, "rounds": 7, "min_sample": 1e-4}


def test_copies_and_operations_give_what_a_way_needs():
    times = Timings.of(trials.both_ways("cpu", [1024, 4096, 2**14], **HOW))
    laws = {m: transfers.lines(times, m) for m in trials.MEMORIES}
    assert len(transfers.constants(laws, 1e9)) == 4
    work = Timings.of(trials.operations("cpu", [16, 64, 256], **HOW))
    way = transfers.Way(work, laws["pageable"], "FFT",
                        *copies.OPERATIONS["FFT"][2:])  # fmt: skip
    assert [n for n, _ in way.predicted] == [16, 64, 256]
    tried = trials.tried("cpu", {"sort": 100}, **HOW)
    assert tried.names == ["sort, NumPy", "sort, there and back"]
