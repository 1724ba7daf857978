"""The stack of 2018: what is said where it cannot be made."""

import os
import pathlib
import subprocess
import sys

import pytest

import old_stack


def test_old_stack_says_what_is_missing(tmp_path):
    """Without a Python 3.6: one line, and a status that is not zero."""
    environment = os.environ | {
        "ONTHEFLY_BUILD": str(tmp_path),
        "ONTHEFLY_PYTHONS": "",
        "PYENV_ROOT": str(tmp_path),
        "PATH": str(tmp_path),
    }
    script = pathlib.Path(old_stack.__file__)
    done = subprocess.run(
        [sys.executable, script],
        env=environment,
        capture_output=True,
        text=True,
    )
    if done.returncode == 0:
        pytest.skip("a Python 3.6 outside the search path")
    assert done.returncode == 2
    assert "Python 3.6" in done.stderr
    assert len(done.stderr.splitlines()) == 1
