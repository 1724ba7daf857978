"""Programs that may freeze or crash, and are watched."""

import psutil
import pytest

from onthefly.experiments.dask import trials
from onthefly.kernels import sigmas


def test_a_crash_and_a_freeze_are_told_apart():
    before = psutil.Process().children()
    found = trials.trials(
        ["crash", "freeze"], [2], limit={"crash": 60, "freeze": 3}
    )
    assert (found["crash"]["end"], found["crash"]["code"]) == ("SIGSEGV", -11)
    assert (found["freeze"]["end"], found["freeze"]["code"]) == (
        "frozen",
        None,
    )
    assert set(psutil.Process().children()) <= set(before)


def test_a_library_reports_each_thread_count():
    pytest.importorskip("torch")
    found = trials.trials(["torch"], [1, 2], shots=10_000, rounds=2)
    result = found["torch"]
    assert result["end"] in ("completed", "frozen"), result["error"]
    assert result["done"]
    for (_, threads, estimates), expected in zip(
        result["done"], [1, 2], strict=result["end"] == "completed"
    ):
        assert threads == expected
        assert all(sigmas(p, 10_000) < 5 for p in estimates)


def test_a_failure_is_not_taken_for_a_freeze():
    found = trials.trials(["no such library"], [1])
    result = found["no such library"]
    assert result["end"] == "failed"
    assert "KeyError" in result["error"]
