"""A user's function as tasks of processes."""

import os
import sys

import pytest

from confirming import inputs, pooled

OWN = """
import os
import threading

def loop(n):
    total = 0
    for k in range(n):
        total += k
    return total

short = lambda n: n + 1

def locks(n):
    return threading.Lock()

def leaves(n):
    if os.getpid() != MAIN:
        os._exit(3)
    return n

MAIN = THE_TEST

def lists(n):
    return [1.0] * n

def add(x):
    return sum(x)
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    path = tmp_path / f"pooled_{tmp_path.name.replace('-', '_')}.py"
    path.write_text(OWN.replace("THE_TEST", str(os.getpid())))
    monkeypatch.syspath_prepend(tmp_path)
    yield path
    sys.modules.pop(path.stem, None)


def tried(path, name, maker=""):
    calls = inputs.Calls(f"{path}:{name}", maker)
    return pooled.tried(calls, {10: 1e-6, 100: 1e-5}, [2], 0.2, 0)


def test_calls_are_tasks_of_processes(own):
    found = tried(own, "add", "lists")
    assert not found.error
    assert set(found.speeds([2])[2]) <= {10, 100}
    assert found.handing.value > 0 and found.begin > 0
    assert found.sent > 100  # the list goes with each task


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("short", "cannot be sent to another process"),
        ("locks", "pickle"),
        ("leaves", "a process of the pool ended"),
    ],
)
def test_what_cannot_run_there_is_one_line(own, name, says):
    found = tried(own, name)
    assert says in found.error and "\n" not in found.error
    assert found.speeds([2]) == {}
