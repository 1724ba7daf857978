"""The report on a user's own function."""

import os
import re
import subprocess
import sys
import types

import numpy as np
import pytest

import confirm
from conftest import ROOT, gone
from onthefly.diagnose import comparison, findings, measurement, request
from onthefly.diagnose.numba_trial import NumbaTrial
from onthefly.diagnose.pool_trials import OWN, PoolTrial, ThreadTrial
from onthefly.measure import nogil
from onthefly.measure.quantity import Quantity

SCRIPT = ROOT / "scripts" / "confirm.py"
MINE = """
import os, pathlib, random, signal, time

value = 3

def loop(n):
    total = 0
    for k in range(n):
        total += k * k
    return total

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

def uses(numbers):
    return sum(numbers)

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
"""


@pytest.fixture
def own(tmp_path):
    (tmp_path / "mine.py").write_text(MINE)
    # The book has modules and commands of this name, too.
    (tmp_path / "claims.py").write_text("def mine(n):\n    return n\n")
    return tmp_path


def run(folder, *arguments):
    """Run confirm.py in `folder` and return the finished process."""
    return subprocess.run(
        [sys.executable, SCRIPT, *map(str, arguments)],
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
        ("1000,100", [100, 1000]),
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
    ("nothere:f", [], "nothere: its import fails: ModuleNotFoundError"),
    ("none.py:f", [], "none.py: no such file"),
    ("mine:lop", [], "mine: no function 'lop' in it; it has loop"),
    ("claims:min", [], "claims: no function 'min' in it; it has mine"),
    ("mine:value", [], "mine:value: not callable"),
    ("mine:two", [], "mine:two at size 100: TypeError: two() missing"),
    ("mine:small", [], "mine:small at size 316: ValueError: n is too large"),
    ("mine:empties", ["--arg", "ones"], "mine:empties at size 100: changes"),
    ("mine:uses", ["--arg", "lazy"], "mine:uses at size 100: changes"),
    ("mine:loop", ["--arg", "small"], "--arg small at size 316: ValueError"),
    ("mine:crash", [], "mine:crash: its process ended with SIGSEGV"),
    ("mine:loop", ["--sizes", "1e4:1e2"], "--sizes 1e4:1e2: 10000 is not"),
    ("mine:loop", ["--sizes", "x"], "--sizes: 'x' is not a whole number"),
    ("mine:loop", ["--sizes", "0:9"], "--sizes: 0 is below 1"),
    ("mine:loop", ["--threads", "1"], "--threads 1: compared"),
    ("mine:loop", ["--budget", "0"], "--budget 0: give seconds above 0"),
    ("mine:loop", ["--html", "no/a.html"], "--html no/a.html: no file"),
]


@pytest.mark.parametrize(("target", "options", "said"), REFUSED)
def test_bad_input_is_one_line(
    own, monkeypatch, capsys, target, options, said
):
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
def test_a_python_loop_gains_by_numba_alone(own):
    page = own / "page.html"
    done = run(
        own, "mine.py:loop", "--sizes", "1e3:1e5", "--budget", "3",
        "--threads", "1,2", "--html", page,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    said = " ".join(done.stdout.split())
    assert "Threads pay" not in said
    assert "the same results at every size" in said
    assert "the same in one and in many threads" in said
    assert "Nogil releases" not in said
    assert "it predicts their times within" in said
    text = page.read_text()
    assert not re.search(r"(src|href)=\"(?!#)", text)
    assert "url(http" not in text and "<script" not in text
    assert len(re.findall(r'role="img" aria-label="[^"]{30,}"', text)) == 3
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))


def measured(target, sizes, budget=0.2, maker=""):
    """Measure in children, as the command does; return the Measurement."""
    return measurement.measured(
        request.Request(target, sizes, (1, 2), budget, 60, maker=maker)
    )


@pytest.mark.slow
def test_arrays_of_the_users_making(own):
    (own / "arrays.py").write_text(
        "import numpy as np\n"
        "def dot(x, y):\n"
        "    return x @ y\n"
        "def pair(n):\n"
        "    return np.ones(n), np.ones(n)\n"
    )
    dot = measured(
        f"{own}/arrays.py:dot", (10, 30, 100, 200, 900), maker="pair"
    )
    assert dot.sizes == [10, 30, 100, 200, 900]
    assert list(dot.unseen) == [30, 200]
    assert set(dot.numba.gains) == {*dot.sizes}
    assert set(dot.threads.speeds) == set(dot.processes.speeds) == {2}
    assert dot.processes.sent > 14 * max(dot.processes.best)
    assert set(dot.threads.reports) == {OWN, nogil.FREE, nogil.HELD}


@pytest.mark.slow
def test_a_crash_in_a_trial_leaves_the_others(own):
    """Numba checks no index: what Python refuses may end the process."""
    (own / "crashing.py").write_text(
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
    crashed = measured(f"{own}/crashing.py:f", (10, 20))
    assert "SIGSEGV" in crashed.numba.error
    assert crashed.threads.speeds and crashed.processes.speeds
    assert {"Verdict", "Numba", "Threads"} <= dict(
        findings.findings(crashed)
    ).keys()


def pools(kind, gains, **fields):
    """Return a trial of two workers with gains that have no noise."""
    trial = kind(**fields)
    exact = {n: Quantity.exact(x, "×") for n, x in gains.items()}
    vars(trial)["speeds"] = {2: exact} if gains else {}
    return trial


def verdict(numba, threads, processes):
    fast = NumbaTrial()
    vars(fast)["gains"] = {
        n: Quantity.exact(x, "×") for n, x in numba.items()
    }
    return findings.verdict(
        measurement.Measurement(None, {}, None, threads, fast, processes)
    )


def test_what_was_tried_is_compared_at_one_size():
    """Numba is ahead at its own largest, and not where all were tried."""
    said = verdict(
        {10: 1.2, 100: 1.3, 1000: 40.0},
        pools(ThreadTrial, {10: 0.3, 100: 1.9}),
        pools(PoolTrial, {100: 1.6, 1000: 3.0}),
    )
    order = [said.index(k) for k in ("2 threads", "2 processes", "numba")]
    assert order == sorted(order)
    assert said.count("n = 100") == 3 and "1,000" not in said


@pytest.mark.parametrize(("gain", "open_"), [(1.9, True), (2.0, False)])
def test_of_two_that_gain_alike_none_is_the_winner(gain, open_):
    processes = pools(PoolTrial, {100: 1.9})
    said = verdict({100: gain}, pools(ThreadTrial, {}), processes)
    assert said.startswith("most gains")
    assert ("which of the first two gains more" in said) == open_


def test_what_is_slower_is_not_among_what_gains():
    processes = pools(PoolTrial, {100: 0.8})
    said = verdict({100: 1.9}, pools(ThreadTrial, {}), processes)
    assert said.startswith("most gains numba")
    assert said.endswith(
        "slower than one after the other: 2 processes (0.800×)"
    )


@pytest.mark.parametrize(
    ("gil", "start"), [(nogil.RELEASES, 100), (nogil.HOLDS, None)]
)
def test_threads_that_took_turns_gain_nothing(gil, start):
    """Though as tasks they seem to: the cores were not alike."""
    report = types.SimpleNamespace(verdict=gil, why="")
    threads = pools(ThreadTrial, {100: 1.9, 1000: 1.9}, reports={OWN: report})
    assert threads.pays_from == start
    assert ("another core" in findings.threads(threads)) == (start is None)
    said = verdict({100: 1.2}, threads, pools(PoolTrial, {}))
    assert said.startswith(
        "most gains 2 threads" if start else "not resolved"
    )


@pytest.mark.slow
def test_random_results_are_not_compared(own):
    draws = measured(f"{own}/mine.py:rand", (100, 1000))
    assert "not comparable" in draws.threads.comparison
    assert draws.fit is None


def test_results_that_threads_spoil():
    """A function that counts its calls, as no other thread's do."""
    calls = iter([1, 1, *range(100)])
    said = comparison.in_threads(lambda _: next(calls), 10, 2, 0.0)
    assert said.startswith("NOT SAFE") and "7 of 8 calls" in said


@pytest.mark.slow
def test_what_it_prints_stays_out(own):
    done = run(own, "mine:quiet", "--sizes", "9,10", "--budget", "0.2")
    assert (done.returncode, done.stderr) == (0, "")
    assert "noise" not in done.stdout
    assert "returns nothing: not comparable" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("result", "expected", "how"),
    [
        (np.array([1, np.nan]), np.array([1, np.nan]), comparison.SAME),
        ({1: [2]}, {1: [2]}, comparison.SAME),
        (0.1 + 0.2, 0.3, comparison.CLOSE),
        ([1, 2], [1], "[1, 2] in place of [1]"),
    ],
)
def test_difference(result, expected, how):
    assert comparison.difference(result, expected) == how


# A function that does not return


@pytest.mark.slow
def test_the_limit_ends_it(own):
    done = run(own, "mine:never", "--limit", "2")
    assert done.returncode == 2
    assert done.stderr.startswith(
        "confirm.py: mine:never: not done after 2 s"
    )
    assert gone(int((own / "pid").read_text()))
