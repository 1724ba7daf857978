"""Programs that may freeze or crash, and are watched."""

import time

import psutil
import pytest

from onthefly.experiments.dask import trials
from onthefly.kernels import z_score
from onthefly.tools import processes


def test_a_crash_is_no_freeze():
    before = psutil.Process().children()
    results = trials.trials(
        ["crash", "freeze"], [2], limit={"crash": 60, "freeze": 3}
    )
    assert results["crash"]["end"] == "SIGSEGV"
    assert results["freeze"]["end"] == "frozen"
    assert set(psutil.Process().children()) <= set(before)


def test_a_library_reports_each_thread_count():
    pytest.importorskip("torch")
    result = trials.trials(["torch"], [1, 2], shots=10_000, rounds=2)["torch"]
    assert result["end"] in ("completed", "frozen"), result["error"]
    cells = [(way, threads) for way, threads, _ in result["done"]]
    if result["end"] == "completed":
        assert cells == [("PyTorch", 1), ("PyTorch", 2)]
    for *_, estimates in result["done"]:
        assert len(estimates) == 2
        assert all(z_score(p, 10_000) < 5 for p in estimates)


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
