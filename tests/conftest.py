"""The book of this checkout, run and built once for all tests."""

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]


# An example's first call imports libraries, and machines differ in speed.
settings.register_profile("book", deadline=None)
settings.load_profile("book")


def script(name, *arguments):
    """Run a script of the project and return the finished process."""
    return subprocess.run(
        [sys.executable, ROOT / "scripts" / name, *arguments],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "100"},
        capture_output=True,
        text=True,
    )


def gone(pid, seconds=15):
    """Tell whether a process ends within so long; a zombie has ended."""
    end = time.monotonic() + seconds
    with contextlib.suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        while process.status() != psutil.STATUS_ZOMBIE:
            if time.monotonic() > end:
                return False
            time.sleep(0.02)
    return True


@pytest.fixture(scope="session")
def executed():
    """The folder of executed chapters at preset S; runs what is stale."""
    done = script("run.py", "--preset", "S")
    assert done.returncode == 0, done.stdout + done.stderr
    return ROOT / "_build" / "executed"


@pytest.fixture(scope="session")
def html(executed):
    """The folder of the built book."""
    done = script("build_book.py")
    assert done.returncode == 0, done.stdout + done.stderr
    return ROOT / "_build" / "html"
