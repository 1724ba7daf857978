"""A user's function, compiled by Numba as it is."""

import importlib
import sys

import pytest

from onthefly.diagnose.request import Request
from onthefly.diagnose.subject import Calls
from onthefly.diagnose.target import Target
from onthefly.diagnose.trials import Work
from onthefly.errors import UserError

# Lists are what some users have; Numba warns of them.
pytestmark = pytest.mark.filterwarnings(
    "ignore::numba.core.errors.NumbaPendingDeprecationWarning"
)

OWN = """
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

def opens(n):
    with open(__file__) as file:
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

def sorted_in_place(x):
    x.sort()
    return x[0]

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
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    """The module's file; its name is its own in each test."""
    path = tmp_path / f"compiled_{tmp_path.name.replace('-', '_')}.py"
    path.write_text(OWN)
    monkeypatch.syspath_prepend(tmp_path)
    yield path
    sys.modules.pop(path.stem, None)


def calls(path, name, maker=""):
    target = Target.named(f"{path}:{name}")
    return Calls(target, target.beside(maker) if maker else None)


def tried(path, name, sizes=(10, 40), maker="", method="numba.njit"):
    """Return what the first call of a method says."""
    target = Target.named(f"{path}:{name}")
    made = target.beside(maker) if maker else None
    work = Work(Request.of([target], sizes, [1, 2], 2.0, None, made))
    return work.prepare(method)


def test_a_loop_is_compiled_and_gets_the_same(own):
    prepared = tried(own, "loop")
    assert not prepared.error and not prepared.helpers
    assert not prepared.differs
    assert prepared.first > 10 * prepared.seconds


def test_helpers_are_named_and_compiled(own):
    prepared = tried(own, "cubes")
    assert prepared.helpers == ("cube", "square")
    assert not prepared.differs
    # The user's module is as it was.
    module = importlib.import_module(own.stem)
    assert module.cube(2.0) == 8.0 and not hasattr(module.cube, "py_func")


@pytest.mark.parametrize(
    ("name", "line", "says"),
    [
        ("opens", "def opens(n):", "with"),
        ("helps", "def unsupported(n):", ""),
    ],
)
def test_what_numba_refuses_is_one_line(own, name, line, says):
    prepared = tried(own, name)
    file, place, said = prepared.error.split(":", 2)
    first = OWN.split("\n").index(line) + 1
    assert file == own.name and "\n" not in said
    assert first <= int(place) <= first + 1
    assert says in said and len(said) > 5


def test_an_integer_that_wraps_is_no_gain(own):
    prepared = tried(own, "power", sizes=(10, 60))
    assert list(prepared.differs) == [60]
    assert "64 bits" in prepared.differs[60]


def test_what_is_compiled_already_is_timed_as_it_is_given(own):
    assert tried(own, "ready", method="as given").error == ""
    assert tried(own, "ready", method="numba.njit").error == ""


def test_inputs_are_made_once_and_watched_at_every_size(own):
    """One element is sorted already."""
    asked = calls(own, "sorted_in_place", "backwards")
    assert asked.inputs(10) is asked.inputs(10)
    asked.first(1)
    with pytest.raises(UserError, match="at size 10: changes its inputs"):
        asked.first(10)


def test_a_generator_moves_on_and_is_no_changed_input(own):
    calls(own, "draws", "generator").first(10)
    assert not tried(own, "draws", maker="generator").differs


def test_what_the_compiled_one_alone_raises_is_told(own):
    """Compiled, a number that is too large is infinite, and no error."""
    prepared = tried(own, "checks", sizes=(10, 1000))
    assert prepared.differs[1000] == "it raises ValueError: no such number"
