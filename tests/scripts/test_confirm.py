"""The report on a user's own function."""

import os
import re
import subprocess
import sys
import types

import pytest

import confirm
from confirming import comparison, gains, isolation, request
from confirming.findings import findings
from confirming.numba_trial import NumbaTrial
from confirming.pool_trials import PoolTrial
from conftest import ROOT, gone
from onthefly import machine
from onthefly.experiments.gil import nogil
from onthefly.quantity import Quantity

SCRIPT = ROOT / "scripts" / "confirm.py"
OWN = '''
import hashlib, os, pathlib, random, signal, sys, time

BLOCK = bytes(2**14)
value = 3

def loop(n):
    """A pure Python loop."""
    total = 0
    for k in range(n):
        total += k * k
    return total

def digest(n):
    """SHA-256 of n blocks, which runs without the GIL."""
    found = hashlib.sha256()
    for _ in range(n // 100):
        found.update(BLOCK * 100)
    return found.digest()

def rand(n):
    return [random.random() for _ in range(n)]

def quiet(n):
    print("noise" * n)

def two(a, b):
    return a + b

def ones(n):
    return [1] * n

def empties(numbers):
    total = 0
    while numbers:
        total += numbers.pop()
    return total

def lazy(n):
    return (k for k in range(n))

def small(n):
    if n > 200:
        raise ValueError("n is\\ntoo large")
    return n

def crash(n):
    os.kill(os.getpid(), signal.SIGSEGV)

def never(n):
    pathlib.Path("pid").write_text(str(os.getpid()))
    time.sleep(600)
'''


@pytest.fixture
def own(tmp_path):
    (tmp_path / "mine.py").write_text(OWN)
    return tmp_path


def command(*arguments):
    return [sys.executable, SCRIPT, *map(str, arguments)]


def run(folder, *arguments):
    """Run confirm.py in `folder` and return the finished process."""
    return subprocess.run(
        command(*arguments),
        cwd=folder,
        env=os.environ | {"COLUMNS": "80"},
        capture_output=True,
        text=True,
        timeout=120,
    )


# What is asked


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("1e2:1e6",
         [100, 316, 1000, 3162, 10000, 31623, 100000, 316228, 1000000]),
        ("1:1e6", [1, 10, 100, 1000, 10000, 100000, 1000000]),
        ("1:3", [1, 2, 3]),
        ("1000,100", [100, 1000]),
        ("7", [7]),
    ],
)  # fmt: skip
def test_sizes(text, sizes):
    assert request.sizes_of(text) == sizes


@pytest.mark.parametrize(
    ("text", "counts"),
    [("1:8", [1, 2, 4, 8]), ("2:6", [1, 2, 4, 6]), ("3", [1, 3])],
)
def test_threads(text, counts):
    assert request.threads_of(text) == counts


REFUSED = [
    ("nothere:f", [], "nothere: no module 'nothere'"),
    ("none.py:f", [], "none.py: no such file"),
    ("mine:lop", [], "mine: no function 'lop' in it; it has loop"),
    ("mine:value", [], "mine:value: not callable"),
    ("mine:two", [], "mine:two(a, b): must be callable with one"),
    ("mine:small", [], "mine:small at size 316: ValueError: n is too large"),
    ("mine:empties", ["--arg", "ones"], "mine:empties at size 100: changes"),
    ("mine:loop", ["--arg", "lazy"], "--arg lazy: makes a generator"),
    ("mine:loop", ["--arg", "small"], "--arg small at size 316: ValueError"),
    ("mine:crash", [], "mine:crash: its process ended with SIGSEGV"),
    ("broken:f", [], "broken: its import fails: KeyError"),
    ("mine:loop", ["--sizes", "1e4:1e2"], "--sizes 1e4:1e2: 10000 is not"),
    ("mine:loop", ["--sizes", "x"], "--sizes: 'x' is not a whole number"),
    ("mine:loop", ["--sizes", "0:9"], "--sizes: 0 is below 1"),
    ("mine:loop", ["--threads", "1"], "--threads 1: nothing to compare"),
    ("mine:loop", ["--budget", "0"], "--budget 0: give seconds above 0"),
    ("mine:loop", ["--html", "no/a.html"], "--html no/a.html: no folder no"),
]


@pytest.mark.parametrize(("target", "options", "said"), REFUSED)
def test_bad_input_is_one_line(
    own, monkeypatch, capsys, target, options, said
):
    (own / "broken.py").write_text("{}['key']")
    page = own / "page.html"
    page.write_text("before")
    monkeypatch.chdir(own)
    code = confirm.main([target, "--html", str(page), *options])
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith(f"confirm.py: {said}")
    assert page.read_text() == "before"


# The report


@pytest.mark.alone
def test_a_python_loop_gains_nothing(own):
    page = own / "page.html"
    done = run(
        own, "mine.py:loop", "--sizes", "1e3:1e5", "--budget", "3",
        "--threads", "1,2", "--html", page,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert max(map(len, done.stdout.splitlines())) <= 80
    said = " ".join(done.stdout.split())
    assert "Threads threads pay" not in said
    assert "Verdict most gains numba.njit" in said
    assert "the same results at every size" in said
    assert "the same in one and in many threads" in said
    assert "Nogil releases" not in said
    assert "it predicts their times within" in said
    text = page.read_text()
    assert not re.search(r"(src|href)=\"(?!#)", text)
    assert "url(http" not in text and "<script" not in text
    assert text.count("<figure") == text.count("</figure>") == 3
    assert len(re.findall(r'role="img" aria-label="[^"]{30,}"', text)) == 3
    assert machine.cpu_model() in text
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))


def measured(target, sizes, budget=2.5, maker=""):
    """Measure in a child, as the command does; return the Measurement."""
    asked = request.Request(target, sizes, (1, 2), budget, 0, maker)
    return isolation.measured(asked, 60)


@pytest.mark.alone
def test_a_hash_gains_where_the_machine_allows(own):
    digest = measured(f"{own}/mine.py:digest", (100, 300, 1000, 3000))
    assert digest.main.verdict in (nogil.RELEASES, nogil.UNKNOWN)
    assert digest.comparison.kind == "same"
    assert digest.sizes == [100, 300, 1000, 3000]
    assert list(digest.errors) == [300]


@pytest.mark.alone
def test_arrays_of_the_users_making(own):
    (own / "arrays.py").write_text(
        "import numpy as np\n"
        "def total(x, y):\n"
        "    found = 0.0\n"
        "    for k in range(len(x)):\n"
        "        found += x[k] * y[k]\n"
        "    return found\n"
        "def pair(n):\n"
        "    return np.ones(n), np.ones(n)\n"
    )
    total = measured(f"{own}/arrays.py:total", (100, 300, 900), maker="pair")
    assert set(total.numba.results.values()) == {"same"}
    assert total.numba.gains[900].low > 3
    assert not total.processes.error and total.processes.sent > 14 * 100
    assert total.comparison.kind == "same"
    names = {name for name, _ in findings(total)}
    assert {"Verdict", "Numba", "Processes", "Cost"} <= names


def tried(held=False, **by_size):
    """A measurement of gains without noise, as far as a verdict needs it."""
    exact = {
        what: {n: Quantity.exact(x, "×") for n, x in some.items()}
        for what, some in by_size.items()
    }
    numba, threads, processes = NumbaTrial(), PoolTrial(), PoolTrial()
    vars(numba)["gains"] = exact["numba"]
    vars(threads)["best"] = {n: (2, q) for n, q in exact["threads"].items()}
    vars(processes)["best"] = {
        n: (4, q) for n, q in exact["processes"].items()
    }
    return types.SimpleNamespace(
        numba=numba, threads=threads, processes=processes, held=held
    )


def test_what_was_tried_is_compared_at_one_size():
    """Numba is ahead at its own largest, and not where all were tried."""
    said = gains.verdict(
        tried(
            numba={10: 1.2, 100: 1.3, 1000: 40.0},
            threads={10: 0.3, 100: 1.9},
            processes={100: 1.6, 1000: 3.0},
        )
    )
    order = [said.index(k) for k in ("2 threads", "4 processes", "numba")]
    assert order == sorted(order)
    assert said.count("n = 100") == 3 and "1,000" not in said


@pytest.mark.parametrize("held", [False, True])
def test_threads_that_took_turns_gain_nothing(held):
    """A gain that the GIL rules out is the machine's."""
    said = gains.verdict(
        tried(held, numba={100: 1.2}, threads={100: 1.9}, processes={})
    )
    assert said.startswith("not resolved" if held else "most gains 2 threads")


def test_random_results_are_not_compared(own):
    draws = measured(f"{own}/mine.py:rand", (100, 1000), 0.2)
    assert draws.comparison.kind == "random"
    assert draws.fit is None


@pytest.mark.slow
def test_what_it_prints_stays_out(own):
    done = run(own, "mine:quiet", "--sizes", "9,10", "--budget", "0.2")
    assert (done.returncode, done.stderr) == (0, "")
    assert "noise" not in done.stdout
    assert "returns nothing: not comparable" in " ".join(done.stdout.split())


def test_same():
    numpy = pytest.importorskip("numpy")
    array = numpy.array([1.0, numpy.nan])
    assert comparison.same(array, array.copy()) is True
    assert comparison.same(array, array[:1]) is False
    assert comparison.same(float("nan"), float("nan")) is True
    assert comparison.same(1, 1.0) is False
    assert comparison.same({1: [2]}, {1: [2]}) is True
    assert comparison.same(iter([]), open) is False
    assert comparison.same((x for x in ()), (x for x in ())) is None


# A function that does not return


@pytest.mark.slow
def test_the_limit_ends_it(own):
    done = run(own, "mine:never", "--limit", "2")
    assert done.returncode == 2
    assert done.stderr.startswith(
        "confirm.py: mine:never: not done after 2 s"
    )
    assert "in size 100" in done.stderr
    assert gone(int((own / "pid").read_text()))


def test_the_users_module_comes_before_the_books(own, monkeypatch):
    """`claims` and `run` are also commands of the book."""
    (own / "claims.py").write_text("def f(n):\n    return n\n")
    monkeypatch.chdir(own)
    assert measured("claims:f", (10, 20), 0.2).comparison.kind == "same"
