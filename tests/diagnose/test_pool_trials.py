"""A user's function as tasks of threads and of processes."""

import pickle
import sys
from concurrent.futures.process import BrokenProcessPool

import pytest

from onthefly.diagnose import pool_trials
from onthefly.diagnose.subject import Calls
from onthefly.diagnose.target import Target
from onthefly.measure.quantity import Quantity

OWN = """
import multiprocessing
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
    if multiprocessing.parent_process():
        os._exit(3)
    return n

def lists(n):
    return [1.0] * n

def add(x):
    return sum(x)
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    path = tmp_path / f"pooled_{tmp_path.name.replace('-', '_')}.py"
    path.write_text(OWN)
    monkeypatch.syspath_prepend(tmp_path)
    yield path
    sys.modules.pop(path.stem, None)


ALONE = {10: 1e-6, 100: 1e-5}


def made(path, name, maker=""):
    target = Target.named(f"{path}:{name}")
    return Calls(target, target.beside(maker) if maker else None)


def in_processes(path, name, maker=""):
    calls = made(path, name, maker)
    return pool_trials.processes(calls, ALONE, [1, 2], 0.2, 0)


def test_calls_are_tasks_of_processes(own):
    trial = in_processes(own, "add", "lists")
    assert set(trial.speeds[2]) <= {10, 100}
    assert trial.handing.value > 0
    assert trial.sent > 100  # the list goes with each task


def test_what_makes_the_arguments_may_lie_in_another_folder(own):
    maker = own.parent / "elsewhere" / "makers.py"
    maker.parent.mkdir()
    maker.write_text("def tens(n):\n    return [10.0] * n\n")
    assert in_processes(own, "add", f"{maker}:tens").handing.value > 0


@pytest.mark.slow
def test_calls_are_tasks_of_threads_as_far_as_the_budget_goes(own):
    calls = made(own, "add", "lists")
    slow = {**ALONE, 1000: 60.0}
    trial = pool_trials.threads(calls, slow, [1, 2, 3], 6.0, 0)
    assert list(trial.best) == [10, 100]
    assert {k: set(v) for k, v in trial.speeds.items()} == {
        2: {10, 100}, 3: {10, 100}}  # fmt: skip
    assert trial.handing.value > 0


def test_a_pool_pays_from_where_no_larger_size_denies_it():
    trial = pool_trials.PoolTrial()
    by_size = {10: 1.5, 100: 0.9, 1000: 1.5, 10_000: 1.8}
    vars(trial)["speeds"] = {
        2: {n: Quantity.exact(x, "×") for n, x in by_size.items()}
    }
    assert trial.pays_from == 1000
    assert not trial.never_pays


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("short", pickle.PicklingError),
        ("locks", TypeError),
        ("leaves", BrokenProcessPool),
    ],
)
def test_what_cannot_run_there_is_raised(own, name, error):
    with pytest.raises(error):
        in_processes(own, name)
