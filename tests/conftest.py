"""What tests of several folders share; the book, run and built once."""

import contextlib
import math
import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from hypothesis import settings

from onthefly import clock, page, results
from onthefly.experiments.gpu.simulator import Simulator
from onthefly.quantity import Quantity

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


@pytest.fixture(scope="session")
def sim():
    """A simulator of CUDA for all tests."""
    with Simulator() as process:
        yield process


@pytest.fixture(scope="module")
def loops():
    """Timings of two real candidates."""
    return clock.measure(
        {"sum": lambda n: sum(range(n)), "len": lambda n: len(range(n))},
        sizes=[100, 1000],
        budget=0.5,
    )


@pytest.fixture
def measured(loops):
    """Results of two real candidates."""
    return results.Results(
        "method",
        "S",
        timings={"loops": loops},
        quantities={
            "pi-error-power-law": Quantity(-0.5, -math.inf, 0.1, "", "note")
        },
        reasons={"pi-error-power-law": "because"},
        tables={"rows": [{"a": 1}]},
    )


@pytest.fixture
def shown(tmp_path, monkeypatch):
    """The HTML texts that chapters show."""
    shown = []

    def keep(*things, **_):
        shown.extend(getattr(t, "data", t) for t in things)

    monkeypatch.setattr(page, "display", keep)
    monkeypatch.setenv("ONTHEFLY_BUILD", str(tmp_path))
    return shown
