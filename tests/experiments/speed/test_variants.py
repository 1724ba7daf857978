"""Every way side by side, and who goes on."""

import subprocess
import sys

import pytest

from onthefly.experiments.speed import variants

# JAX warns of each fork, once it runs threads.
AFTER_JAX = """
from onthefly.experiments.speed import variants
ways = variants.every(2)
assert 0 <= ways["JAX"](10) <= 4 and 0 <= ways["processes"](10) <= 4
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
    reach = variants.contenders({"fast": costs(1), "slow": costs(60)}, sizes)
    assert reach == {"fast": sizes, "slow": sizes[:4]}


@pytest.mark.parametrize("error", [ValueError, KeyError])
def test_a_way_that_fails_is_no_missing_library(error):
    def failing(shots):
        raise error("no")

    with pytest.raises(error):
        variants.contenders({"failing": failing}, [1, 2, 3, 4])
