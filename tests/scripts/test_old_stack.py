"""The stack of 2018: what is said where it cannot be made."""

import pytest

from small_books import assert_refused, run_script


@pytest.mark.slow
def test_without_a_python_3_6_there_is_one_line(tmp_path):
    done = run_script(
        "old_stack.py", folder=tmp_path, ONTHEFLY_BUILD=str(tmp_path),
        ONTHEFLY_PYTHONS="", PYENV_ROOT=str(tmp_path), PATH=str(tmp_path),
    )  # fmt: skip
    if done.returncode == 0:
        pytest.skip("a Python 3.6 outside the search path")
    assert_refused(done, "Python 3.6")
