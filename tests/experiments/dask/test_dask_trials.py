"""Programs that may freeze or crash, and are watched."""

import time

import pytest

from onthefly.experiments.dask import trials
from onthefly.tools import processes


def test_a_failure_is_not_taken_for_a_freeze():
    result = trials.trials(["crash"], [1], shots=0)["crash"]
    assert result["end"] == "failed"
    assert "ValueError" in result["error"]


def test_what_was_done_before_the_end_is_kept():
    pytest.importorskip("torch")
    with processes.Program(trials.__name__ + "_child") as program:
        cells = [("PyTorch", 1), ("PyTorch", 2), ("freeze", 1)]
        program.ask("estimates", "PyTorch", 1000, 2, 1)  # loads the library
        for way, count in cells:
            program.send("estimates", way, 1000, 2, count)
        result = trials.watched(program, cells, time.monotonic() + 5)
    cells = [["PyTorch", 1], ["PyTorch", 2]]
    assert [cell[:2] for cell in result["done"]] == cells
    assert result["end"] == "frozen"
