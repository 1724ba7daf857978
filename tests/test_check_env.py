"""The environment check: what works, what is broken, what is not there."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import check_env

SCRIPT = Path(check_env.__file__)


def run(*args, path=""):
    """Run the command; `path` is searched for modules before all others."""
    return subprocess.run(
        [sys.executable, SCRIPT, *args],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(path)},
    )


def rows(done):
    """Return {name: result} of a run with --json."""
    return {row["name"]: row for row in json.loads(done.stdout)}


def broken(folder, module, body):
    """Put a package called `module` that runs `body` into `folder`."""
    (folder / module).mkdir()
    (folder / module / "__init__.py").write_text(body)


def test_all_that_is_required_works_here():
    done = run("--json")
    required = [row for row in rows(done).values() if row["required"]]
    assert [r["name"] for r in required if r["state"] != "OK"] == []
    assert {"numba", "tensorflow", "torch", "dask", "papermill"} <= {
        row["name"] for row in required
    }
    assert all(row["version"] and row["detail"] for row in required)
    assert done.returncode == 0
    assert done.stderr == ""


CRASH = "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"
FAULTS = {
    "not there": (
        "raise ModuleNotFoundError(\"No module named 'numba'\")",
        "missing",
        "No module named 'numba'",
    ),
    "broken": (
        "raise ImportError('no libllvm\\nand more')",
        "FAIL",
        "ImportError: no libllvm",
    ),
    "wrong": (
        "njit = lambda f: lambda n: 0",
        "FAIL",
        "AssertionError",
    ),
    "crashes": (CRASH, "FAIL", "ended by SIGSEGV"),
    "exits": ("import os; os._exit(0)", "FAIL", "it ended without a word"),
}


@pytest.mark.parametrize("body, state, detail", FAULTS.values(), ids=FAULTS)
def test_a_fault_is_named_and_harms_no_other(tmp_path, body, state, detail):
    broken(tmp_path, "numba", body)
    done = run("numba", "numpy", path=tmp_path)
    lines = done.stdout.splitlines()
    assert lines[1].split()[:2] == [state, "numba"]
    assert f"{detail}; lost: the Numba measurements" in lines[1]
    assert lines[2].split()[:2] == ["OK", "numpy"]
    assert "required, but not working: numba; repair:" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.returncode == 1


def test_a_library_that_hangs_is_ended(tmp_path, monkeypatch):
    broken(tmp_path, "numba", "import threading; threading.Event().wait()")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(check_env, "TIME_LIMIT", 1)
    result = check_env.run_apart("numba")
    assert (result.state, result.detail) == ("FAIL", "no answer in 1 s")


def test_what_is_optional_may_be_missing(tmp_path):
    broken(tmp_path, "cupy", "raise ModuleNotFoundError('no cupy')")
    done = run("cupy", path=tmp_path)
    assert done.stdout.splitlines()[1].startswith("missing cupy")
    assert "recorded results are shown" in done.stdout
    assert (done.returncode, done.stderr) == (0, "")


def test_an_unknown_name_is_refused():
    done = run("nunba")
    assert done.returncode == 2
    assert done.stdout == ""
    assert "no library 'nunba'; repair: one of numpy," in done.stderr
