"""Copies as measurements, on the processor."""

from onthefly.experiments.gpu import copy_trials as trials
from onthefly.experiments.memory import transfers
from onthefly.kernels import copy_torch as copies
from onthefly.quantity import Quantity

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
    work = trials.operations("cpu", [16, 64, 256], **HOW)
    way = transfers.Way(work, laws["pageable"], "FFT",
                        *copies.OPERATIONS["FFT"][2:])  # fmt: skip
    assert [n for n, _ in way.predicted] == [16, 64, 256]
    tried = trials.tried("cpu", {"sort": 100}, **HOW)
    assert tried.names == ["sort, NumPy", "sort, there and back"]
    row, none = transfers.even_rows(
        {"sort": way, "FFT": way},
        {"sort": way.even((16, 16)) or Quantity(50, 40, 60), "FFT": None},
        tried,
        2**26,
    )
    assert "numbers" in row["pays from"] and "×" in list(row.values())[3]
    assert none["pays from"] == "not below 67,108,864"
