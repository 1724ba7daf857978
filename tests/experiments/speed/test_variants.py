"""Every way side by side: right answers, and who goes on."""

import subprocess
import sys

import pytest

from onthefly import machine
from onthefly.experiments.speed import variants


def test_every_way_estimates_pi():
    found = variants.every(machine.usable_cores())
    assert {"Python", "NumPy", "Numba", "processes", "Dask"} <= set(found)
    off = variants.scores(found, 3000)
    assert set(off) == set(found) and max(off.values()) < 5


def test_a_device_is_used_where_a_library_may():
    found = variants.every(1, lambda library: library == "cupy")
    assert "CuPy" in found and "Numba CUDA" not in found


# JAX warns of each fork, once it runs threads.
AFTER_JAX = """
from onthefly.experiments.speed import variants
found = variants.every(2)
assert 0 <= found["JAX"](10) <= 4 and 0 <= found["processes"](10) <= 4
"""


@pytest.mark.slow  # JAX loads for seconds
def test_worker_processes_may_start_after_a_library_with_threads():
    pytest.importorskip("jax", exc_type=ImportError)
    done = subprocess.run(
        [sys.executable, "-W", "default", "-c", AFTER_JAX],
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_way_that_cannot_win_is_not_measured_at_large_sizes():
    def costs(work):
        return lambda shots: sum(range(work * shots))

    sizes = [1, 10, 300, 3000, 10**5]
    found = variants.contenders({"fast": costs(1), "slow": costs(60)}, sizes)
    assert found == {"fast": sizes, "slow": sizes[:4]}


def test_a_way_that_is_missing_is_left_to_the_stopwatch(monkeypatch):
    def lacking(shots):
        raise ModuleNotFoundError("No module named 'dask'", name="dask")

    monkeypatch.setattr(
        "onthefly.libraries.Library.here", lambda self: self.name != "Dask"
    )
    sizes = [10, 20, 30, 40]
    found = variants.contenders({"Dask": lacking, "sum": sum_to}, sizes)
    assert found["Dask"] == sizes


def sum_to(shots):
    return sum(range(shots))


@pytest.mark.parametrize("error", [ValueError, KeyError])
def test_a_way_that_fails_is_no_missing_library(error):
    def failing(shots):
        raise error("no")

    with pytest.raises(error):
        variants.contenders({"failing": failing}, [1, 2, 3, 4])
