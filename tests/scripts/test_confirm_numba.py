"""A user's function, compiled by Numba as it is."""

import importlib
import sys

import pytest

from confirming import isolation, numba_trial, request
from confirming.calls import Calls
from onthefly.errors import UserError

# Lists are what some users have; Numba warns of them.
pytestmark = pytest.mark.filterwarnings(
    "ignore::numba.core.errors.NumbaPendingDeprecationWarning"
)

OWN = """
import ctypes
import math
import numpy as np
import numba

limit = 3

def loop(n):
    total = 0
    for k in range(n):
        total += k * k
    return total

def square(x):
    return x * x

def cube(x):
    return square(x) * x

def cubes(n):
    total = 0.0
    for k in range(n):
        total += cube(k / 7)
    return total

def power(n):
    total = 1
    for k in range(n):
        total = total * 3 + k
    return total

def text(n):
    return "n is " + n

def opens(n):
    with open("nowhere") as file:
        return n

def helps(n):
    return unsupported(n)

def unsupported(n):
    return sorted([n], key=lambda k: -k) + [eval("n")]

def beyond(n):
    array = np.zeros(3)
    return array[n] if n < 3 else 0.0

@numba.njit
def ready(n):
    return n + limit

def double(x):
    return [2.0 * v for v in x]

def numbers(n):
    return [float(k) for k in range(n)]

def spoils(x):
    x[0] += 1
    return x[0]

def sorted_copy(x):
    y = x[:]
    y.sort()
    return y[0]

def backwards(n):
    return list(range(n, 0, -1))

def draws(rng, n):
    total = 0.0
    for k in range(n):
        total += rng.random()
    return total

def generator(n):
    return np.random.default_rng(3), n

def checks(n):
    try:
        found = math.exp(n)
    except Exception:
        return 0.0
    if found > 1e300:
        raise ValueError("no such number")
    return found

def grows(n):
    return math.exp(n)
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    """The module's file; its name is its own in each test."""
    path = tmp_path / f"compiled_{tmp_path.name.replace('-', '_')}.py"
    path.write_text(OWN)
    monkeypatch.syspath_prepend(tmp_path)
    yield path
    sys.modules.pop(path.stem, None)


def tried(path, name, sizes=(10, 40), maker=""):
    calls = Calls(f"{path}:{name}", maker)
    return numba_trial.measure(calls, list(sizes), 0.1, 0)


def test_a_loop_is_compiled_and_gets_the_same(own):
    trial = tried(own, "loop")
    assert not trial.error and not trial.helpers
    assert trial.results == {10: "same", 40: "same"}
    assert set(trial.gains) == {10, 40}
    assert trial.first > 10 * trial.times.seconds(numba_trial.NJIT, 40).value


def test_helpers_are_named_and_compiled(own):
    trial = tried(own, "cubes")
    assert trial.helpers == ("cube", "square")
    line = OWN.split("\n").index("        total += cube(k / 7)") + 1
    assert trial.alone.startswith(f"{own.name}:{line}: ")
    assert "'cube'" in trial.alone
    assert set(trial.results.values()) == {"same"}
    # The user's module is as it was.
    module = importlib.import_module(own.stem)
    assert module.cube(2.0) == 8.0 and not hasattr(module.cube, "py_func")


@pytest.mark.parametrize(
    ("name", "line", "says"),
    [
        ("text", '    return "n is " + n', "No implementation of"),
        ("opens", "def opens(n):", "with"),
        ("helps", "def unsupported(n):", ""),
    ],
)
def test_what_numba_refuses_is_one_line(own, name, line, says, monkeypatch):
    calls = Calls(f"{own}:loop")
    calls.function = getattr(importlib.import_module(own.stem), name)
    trial = numba_trial.measure(calls, [10], 0.1, 0)
    first = OWN.split("\n").index(line) + 1
    file, place, said = trial.error.split(":", 2)
    assert file == own.name and "\n" not in trial.error
    assert first <= int(place) <= first + 1
    assert says in said and len(said) > 5
    assert not trial.gains


def test_an_integer_that_wraps_is_no_gain(own):
    trial = tried(own, "power", sizes=(10, 60))
    assert trial.results[10] == "same"
    assert trial.differs == 60
    assert "64 bits" in trial.results[60]


def test_what_is_compiled_already_has_a_plain_one(own):
    trial = tried(own, "ready")
    assert trial.already and trial.results[10] == "same"


def test_a_list_is_tried_as_an_array(own):
    trial = tried(own, "double", maker="numbers")
    assert not trial.error
    assert set(trial.array_gains) == {10, 40}


def test_arrays_that_it_would_change_are_not_tried(own):
    """x[:] copies a list, and is a view of an array."""
    trial = tried(own, "sorted_copy", maker="backwards")
    assert not trial.error and set(trial.gains) == {10, 40}
    assert not trial.array_gains


def test_inputs_are_made_once_and_watched(own):
    calls = Calls(f"{own}:spoils", "numbers")
    assert calls.inputs(10) is calls.inputs(10)
    with pytest.raises(
        UserError, match="spoils at size 10: changes its input"
    ):
        calls.first(10)


def test_a_generator_moves_on_and_is_no_changed_input(own):
    Calls(f"{own}:draws", "generator").first(10)
    trial = tried(own, "draws", maker="generator")
    assert set(trial.results.values()) == {"same"}


def test_what_the_compiled_one_alone_raises_is_told(own):
    """Compiled, a number that is too large is infinite, and no error."""
    trial = tried(own, "checks", sizes=(10, 1000))
    assert "compiled, it raises ValueError: no such number" in trial.error
    assert "at size 1000" in trial.error


def test_what_the_plain_one_raises_is_not_put_on_numba(own):
    with pytest.raises(OverflowError):
        tried(own, "grows", sizes=(10, 1000))


@pytest.mark.slow
def test_the_report_stands_where_the_compiled_one_crashes(own, tmp_path):
    """Numba checks no index: what Python refuses may end the process."""
    path = tmp_path / "crashing_here.py"
    path.write_text(
        "import numpy as np\n"
        "def f(n):\n"
        "    a = np.zeros(4)\n"
        "    try:\n"
        "        for k in range(n):\n"
        "            a[k * 10**9] = 1.0\n"
        "    except Exception:\n"
        "        return n\n"
        "    return n\n"
    )
    asked = request.Request(f"{path}:f", (10, 20, 30), (1, 2), 0.5, 0)
    measurement = isolation.measured(asked, 60)
    assert measurement.sizes == [10, 20, 30]
    assert "SIGSEGV" in measurement.numba.error
    assert measurement.processes.speeds
