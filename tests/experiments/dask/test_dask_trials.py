"""Programs that may freeze or crash, and are watched."""

import time

import pytest

from onthefly.experiments.dask import trials, trials_2018
from onthefly.kernels import z_score
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


@pytest.mark.slow
def test_the_software_of_2018_ends_somehow():
    found = trials_2018.tensorflow(1, [1, 2], shots=10_000, rounds=2)
    if not found:
        pytest.skip("no Dask of 2018")
    assert len(found) == len(trials_2018.FORMS)
    for run in found:
        assert run["end"] in ("completed", "SIGSEGV", "SIGABRT", "frozen")
        for *_, estimates in run["done"]:
            assert all(z_score(pi, 10_000) < 6 for pi in estimates)


def test_without_the_software_of_2018_nothing_is_run(monkeypatch):
    monkeypatch.setattr(trials_2018.environments, "made", lambda prefix: {})
    assert trials_2018.tensorflow(1, [1]) == []
