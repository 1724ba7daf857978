"""A cluster of processes, and what its end leaves."""

import os
import subprocess
import sys

import pytest

from onthefly.page.checkout import NOTEBOOKS

ENDING = """
import sys
import psutil
from onthefly.experiments.dask import clusters
from onthefly.kernels.pi import pi_dask

if __name__ == "__main__":
    try:
        with clusters.cluster(2) as client:
            print(client.submit(pi_dask.task, 0, 1000).result() > 0)
            {failure}
    except ZeroDivisionError:
        print("failed")
    left = psutil.Process().children(recursive=True)
    helper = "from multiprocessing.resource_tracker import main"
    left = [p for p in left if helper not in " ".join(p.cmdline())]
    print(left, clusters.listening())
"""


@pytest.mark.parametrize("failure", ["pass", "1 / 0"])
def test_the_end_leaves_nothing(tmp_path, failure):
    """From another folder, and without a line on stderr.

    The run is over when no process holds its output: the helper of
    multiprocessing has ended, too.
    """
    script = tmp_path / "ending.py"
    script.write_text(ENDING.format(failure=failure))
    done = subprocess.run(
        [sys.executable, script],
        cwd=tmp_path,
        env={
            **os.environ,
            "PYTHONPATH": str(NOTEBOOKS),
            "TMPDIR": str(tmp_path),
        },
        capture_output=True,
        text=True,
        timeout=120,
    )
    lines = done.stdout.split("\n")
    assert lines[0] == "True"
    assert lines[-2] == "[] set()"
    assert ("failed" in lines) == (failure != "pass")
    assert (done.returncode, done.stderr) == (0, "")
    assert [p.name for p in tmp_path.iterdir()] == ["ending.py"]
