"""Cython, Pythran and mypyc beside Numba: builds, first calls, limits."""

import pathlib
import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from onthefly.kernels import ahead, ahead_child, collatz
from onthefly.measure import clock
from onthefly.tools.processes import Failed, answer

WAYS = {"Cython": "cython", "Pythran": "pythran", "mypyc": "mypyc"}
NUMBA = "Numba"

# Functions without arguments, each a module of its own, and what they try.
LIMITS = {
    "a number beyond 64 bits": """\
def limit():
    product = 1
    for k in range(1, 26):
        product *= k
    return product
""",
    "a class": """\
class Counter:
    def __init__(self):
        self.count = 0

    def add(self):
        self.count += 1


def limit():
    counter = Counter()
    for _ in range(10):
        counter.add()
    return counter.count
""",
    "values of two types in a dict": """\
def limit():
    run = {"name": "pi", "shots": 100}
    return len(run["name"]) + run["shots"]
""",
    "a KeyError, caught": """\
def limit():
    counts = {"a": 1}
    try:
        return counts["b"]
    except KeyError:
        return 0
""",
    "a module of Python's own": """\
import json


def limit():
    return len(json.dumps([1, 2, 3]))
""",
}
AS_PYTHON, REFUSED = "as Python", "refused"
_asked = partial(answer, ahead_child.__name__)


class Listing(str):
    """A text in Python or Cython, which a page shows as code."""

    def _repr_markdown_(self):
        return f"```python\n{self}\n```"


def listing(function):
    """Return the Listing of a function that is compiled ahead.

    function  its name, as "collatz_cython"
    """
    path = ahead.source(function.rpartition("_")[2])
    whole = rf"^(# pythran [^\n]*\n)?def {function}\(.*?(?=\n\n\n|\Z)"
    text = re.search(whole, path.read_text(), re.M | re.S)[0]
    return Listing(re.sub(r' *"""[^"]*"""\n', "", text, count=1).rstrip())


def here():
    """Tell whether this machine can build all of them."""
    return not any(map(ahead.missing, WAYS.values()))


def builds(budget, rounds, seed=0):
    """Time how long each takes to compile all eight problems; Samples."""
    return clock.sample(
        {name: partial(_build, way) for name, way in WAYS.items()},
        budget=budget,
        least=1,
        rounds=rounds,
        first="unknown",
        seed=seed,
    )


def _build(way):
    with tempfile.TemporaryDirectory(prefix="ahead") as folder:
        return ahead.build(way, folder)[0]


def sizes():
    """Return {way: bytes of its extension}, for a look."""
    return {
        name: ahead.library(way).stat().st_size for name, way in WAYS.items()
    }


def firsts(n, budget, seed=0):
    """Time the import and the first call of each, in new processes; Samples.

    n  numbers whose steps to 1 are counted
    """
    (starts,) = collatz.data(n, seed)
    samplers = {NUMBA: partial(_asked, "first_numba", starts)}
    for name, way in WAYS.items():
        given = starts.tolist() if way == "mypyc" else starts
        library = str(ahead.library(way))
        samplers[name] = partial(
            _asked, "first", library, f"collatz_{way}", given
        )
    return clock.sample(samplers, budget=budget, first="unknown", seed=seed)


def limits():
    """Return {what: {way: AS_PYTHON, REFUSED, or another result}}."""
    tried = [(what, way) for what in LIMITS for way in (NUMBA, *WAYS)]
    with ThreadPoolExecutor(2) as pool:
        said = pool.map(lambda pair: _limit(LIMITS[pair[0]], pair[1]), tried)
        outcomes = dict(zip(tried, said, strict=True))
    return {
        what: {way: outcomes[what, way] for way in (NUMBA, *WAYS)}
        for what in LIMITS
    }


def _limit(text, way):
    """Return what a way makes of a text of LIMITS."""
    with tempfile.TemporaryDirectory(prefix="ahead") as folder:
        plain = pathlib.Path(folder, "limit.py")
        plain.write_text(f"# pythran export limit()\n{text}")
        expected = _asked("called", str(plain), "limit")
        try:
            if way == NUMBA:
                found = _asked("called", str(plain), "limit", True)
            else:
                made = pathlib.Path(folder, "made")
                made.mkdir()
                _, library = _asked("build", WAYS[way], str(plain), str(made))
                found = _asked("called", library, "limit")
        except Failed:
            return REFUSED
    return AS_PYTHON if found == expected else f"{found:,}"
