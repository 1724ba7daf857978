"""The report on a function of one's own: the command, and the object."""

import json
import subprocess
import sys
import textwrap

import pytest

from conftest import gone
from onthefly import confirm
from onthefly.commands import main
from onthefly.diagnose import pool_trials
from onthefly.diagnose import request as asked
from onthefly.errors import UserError

MINE = """
import asyncio, functools, os, pathlib, random, signal, time
import numpy as np

value = 3

def loop(n):
    total = 0
    for k in range(n):
        total += k * k % 7
    return total

def once(n):
    return sum(k * k % 7 for k in range(n))

def other(n):
    return n

def rand(n):
    return [random.random() for _ in range(n)]

def quiet(n):
    print("noise" * n)

def two(a, b):
    return a + b

def by_name(n, *, scale):
    return n * scale

def ones(n):
    return [1] * n

def pair(n):
    return n, n

def empties(numbers):
    total = 0
    while numbers:
        total += numbers.pop()
    return total

def uses(numbers):
    return sum(numbers)

def lazy(n):
    return (k for k in range(n))

async def later(n):
    return n

def yields(n):
    yield n

@functools.cache
def known(n):
    return sum(k * k for k in range(n))

KEPT = {}
def keeps(n):
    if n not in KEPT:
        KEPT[n] = sum(k * k for k in range(n * 100))
    return KEPT[n]

def small(n):
    if n > 200:
        raise ValueError("n is\\ntoo large")
    return n

def crash(n):
    os.kill(os.getpid(), signal.SIGSEGV)

def never(n):
    pathlib.Path("pid").write_text(str(os.getpid()))
    time.sleep(600)

def sleeps(n):
    time.sleep(0.02)
    return n
"""
QUICK = ["--budget", "1", "--sizes", "100,1000"]


@pytest.fixture
def own(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/random.py").write_text("def f(n): return n\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


# --- what is asked ----------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "counts"),
    [("1:8", [1, 2, 4, 8]), ("2:6", [1, 2, 4, 6]), ("3", [1, 3])],
)
def test_threads(text, counts):
    assert asked.threads_of(text) == counts


REFUSED = [
    ("nothere:f", [], "nothere: its import fails: ModuleNotFoundError"),
    ("none.py:f", [], "none.py: no such file"),
    ("mine.py", [], "'mine.py': no function named; repair: mine.py:loop"),
    ("page.ipynb:f", [], "page.ipynb:f: a notebook; repair: in it, run"),
    (
        "sub/random.py:f",
        [],
        "sub/random.py: a file of this name is imported in",
    ),
    ("mine:lop", [], "mine: no function 'lop' in it; it has loop"),
    ("mine:value", [], "mine:value: not callable"),
    ("mine:two", [], "mine:two(a, b): missing a required argument: 'b'"),
    ("mine:by_name", [], "mine:by_name(n, *, scale): missing a required"),
    ("mine:uses", ["--arg", "pair"], "mine:uses(numbers): too many"),
    ("mine:small", [], "mine:small at size 1000: ValueError: n is too"),
    ("mine:empties", ["--arg", "ones"], "mine:empties at size 100: changes"),
    ("mine:uses", ["--arg", "lazy"], "mine:uses at size 100: changes"),
    ("mine:loop", ["--arg", "small"], "--arg mine:small at size 1000: Val"),
    ("mine:later", [], "mine:later: calling it makes a coroutine"),
    ("mine:yields", [], "mine:yields: calling it makes a generator"),
    ("mine:lazy", [], "mine:lazy: it returns a generator"),
    ("mine:known", [], "mine:known: it keeps its results"),
    ("mine:keeps", [], "mine:keeps: it keeps its results in KEPT"),
    ("mine:crash", [], "mine:crash: its process ended with SIGSEGV"),
    ("mine:loop", ["--sizes", "1e4:1e2"], "--sizes 1e4:1e2: 10000 is not"),
    ("mine:loop", ["--sizes", "0:9"], "--sizes: 0 is below 1"),
    ("mine:loop", ["--threads", "1"], "--threads 1: compared"),
    ("mine:loop", ["--budget", "0"], "--budget 0: give seconds above 0"),
    ("mine:loop", ["--html", "no/a.html"], "--html no/a.html: no file"),
]


@pytest.mark.parametrize(("target", "options", "said"), REFUSED)
def test_what_cannot_be_measured_is_one_line(
    own, capsys, target, options, said
):
    page = own / "page.html"
    page.write_text("before")
    code = main(["confirm", target, "--html", str(page), *QUICK, *options])
    out, err = capsys.readouterr()
    lines = [x for x in err.splitlines() if x.startswith("onthefly")]
    assert (code, out) == (2, "")
    assert len(lines) == 1
    assert lines[0].startswith(f"onthefly confirm: {said}")
    assert page.read_text() == "before"


# --- the report -------------------------------------------------------------


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """The report on a loop, as the object that `confirm` returns."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "mine.py").write_text(MINE)
    return confirm(f"{folder}/mine.py:loop", sizes="100,1000,10000", budget=2)


@pytest.mark.slow
def test_a_loop_of_python_gains_by_numba(report):
    assert report.gains("numba.njit")[10_000].value > 5
    assert report.tried["numba.njit"].first_difference is None
    assert "numba" in report.winner(10_000)
    assert "Write @numba.njit" in dict(json_of(report)["findings"])["How"]


def json_of(report):
    from onthefly.diagnose import showing

    return json.loads(showing.as_json(report))


@pytest.mark.slow
def test_its_json_has_an_interval_behind_every_number(report):
    methods = {m["name"]: m for m in json_of(report)["methods"]}
    for ends in methods["numba.njit"]["gain"].values():
        value, low, high = ends
        # Beside busy programs there may be too few samples for an upper end.
        assert low <= value and (high is None or value <= high)


@pytest.mark.slow
def test_in_a_notebook_it_is_a_picture_and_words(report):
    shown = report._repr_html_()
    assert "<svg" in shown and "Verdict" in shown
    assert max(map(len, str(report).splitlines())) <= 80


@pytest.mark.slow
def test_two_of_ones_own_are_compared_in_turns(own, capsys):
    names = ["mine:loop", "mine:once", "mine:other"]
    code = main(["confirm", *names, "--json", *QUICK])
    out, err = capsys.readouterr()
    told = json.loads(out)
    assert code == 0
    assert [m["name"] for m in told["methods"]] == names
    assert set(told["methods"][1]["gain"]) == {"100", "1000"}
    assert [bool(m["differs"]) for m in told["methods"]] == [0, 0, 1]
    assert "OTHER RESULTS" in told["verdict"]
    assert "measuring 3 methods at n = 100" in err


@pytest.mark.slow
def test_versions_in_files_of_the_same_name_are_two(tmp_path, capsys):
    """Each with a module of its own that it imports, again of one name."""
    for folder, step in (("old", 1), ("new", 2)):
        home = tmp_path / folder
        home.mkdir()
        (home / "steps.py").write_text(f"STEP = {step}\n")
        (home / "program.py").write_text(
            "import steps\n\n\n"
            "def last(n):\n"
            "    return list(range(0, n, steps.STEP))[-1]\n"
        )
    names = [
        f"{tmp_path}/{folder}/program.py:last" for folder in ("old", "new")
    ]
    assert main(["confirm", *names, "--json", *QUICK]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [bool(m["differs"]) for m in told["methods"]] == [0, 1]


@pytest.mark.slow
def test_a_function_that_waits_is_told_so():
    def sleeps(n):
        import time

        time.sleep(0.02)
        return n

    report = confirm(sleeps, sizes=[1, 2], budget=0.5)
    assert "It waits for" in str(report)


def test_what_is_no_function_is_refused():
    with pytest.raises(UserError, match="changes its inputs"):
        confirm(list.pop, sizes=[3], arg=lambda n: [1] * n, budget=0.2)


@pytest.mark.slow
def test_what_it_prints_stays_out(own, capsys):
    assert main(["confirm", "mine:quiet", *QUICK]) == 0
    out, err = capsys.readouterr()
    assert "noise" not in out + err
    assert "Not compared: it returns nothing." in out


@pytest.mark.slow
def test_the_limit_ends_it(own, capsys):
    assert main(["confirm", "mine:never", "--limit", "2"]) == 2
    assert "mine:never: not done after 2 s" in capsys.readouterr().err
    assert gone(int((own / "pid").read_text()))


def test_results_that_threads_spoil():
    """A function that counts its calls, as no other thread's do."""
    calls = iter([1, 1, *range(100)])
    said = pool_trials.in_threads(lambda _: next(calls), 10, 2, 0.0)
    assert said.startswith("NOT SAFE") and "7 of 8 calls" in said


# --- in a notebook ----------------------------------------------------------

NOTEBOOK = """
    from IPython.testing.globalipapp import start_ipython
    shell = start_ipython()
    shell.run_line_magic("load_ext", "onthefly")
    loop = "    for i in range(n):\\n        s += i % 7\\n"
    shell.run_cell(f"def f(n):\\n    s = 0\\n{loop}    return s")
    short = "--sizes 100,1000 --budget 0.5"
    report = shell.run_line_magic("confirm", f"f {short}")
    print("LINE", report.others)
    shell.run_cell("numbers = [1.5] * 1000")
    cell = "total = 0.0\\nfor v in numbers:\\n    total += v * v"
    report = shell.run_cell_magic("confirm", "--budget 0.5", cell)
    print("CELL", report.tried["numba.njit on arrays"].error or "right")
    shell.run_cell("get_ipython().run_line_magic('confirm', 'nothing')")
"""


@pytest.mark.slow
def test_the_magic(tmp_path):
    script = tmp_path / "notebook.py"
    script.write_text(textwrap.dedent(NOTEBOOK))
    done = subprocess.run(
        [sys.executable, script],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=tmp_path,
    )
    assert "LINE ['" in done.stdout
    assert "CELL right" in done.stdout
    assert "confirm: nothing: NameError" in done.stdout + done.stderr
