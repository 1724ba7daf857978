"""Commands that are ended: by Ctrl-C, a closed terminal, or a kill.

What they have started must be gone soon after, and so must temporary files:
those of a killed command at the start of the next one.
"""

import contextlib
import signal
import subprocess
import sys
import textwrap
import time

import psutil
import pytest

from commandline import ROOT
from conftest import gone
from small_books import (
    assert_refused,
    command,
    environment,
    run_script,
    write_chapter,
)

pytestmark = pytest.mark.slow

START = 90  # seconds that a command may take to come so far
END = 15  # seconds in which all must be gone
ALL = signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL

# Each says that it runs, starts a process, and waits.
BUSY = """
import itertools, os, pathlib, subprocess, sys, tempfile, time
tempfile.mkdtemp()
subprocess.Popen(["sleep", "600"], start_new_session=True)
pathlib.Path({folder!r}, "runs").touch()
{wait}
"""
SLEEP = "time.sleep(600)"
HOLD = "sum(itertools.repeat(1))"  # which lets no other thread run


def busy(folder, wait=SLEEP, indent=""):
    """Return the code; what it starts leaves its session."""
    code = BUSY.format(folder=str(folder), wait=wait)
    return textwrap.indent(code, indent)


# Each makes a command busy: its line, after Python, and its environment.


def run(folder):
    """A run whose kernel cannot answer."""
    cell = busy(folder, wait=HOLD)
    write_chapter(folder / "notebooks", "a/busy.ipynb", cell)
    return command(folder)[1:], {}


def confirm(folder):
    """A report on a function that never ends."""
    code = f"def never(n):\n{busy(folder, indent='    ')}"
    (folder / "mine.py").write_text(code)
    return [
        "-m",
        "onthefly",
        "confirm",
        "mine:never",
        "--html",
        folder / "made",
    ], {}


def env(folder):
    """A check of a library whose import hangs."""
    package = folder / "path" / "numba"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(busy(folder))
    paths = f"{package.parent}:{ROOT / 'notebooks'}"
    return ["-m", "onthefly", "env", "numba"], {"PYTHONPATH": paths}


CASES = {
    run: (signal.SIGHUP, signal.SIGKILL),
    confirm: ALL,
    env: (signal.SIGINT, signal.SIGKILL),
}


@contextlib.contextmanager
def started(folder, make_busy):
    """Start a command in `folder`; give its process once it is busy."""
    (folder / "tmp").mkdir()
    line, variables = make_busy(folder)
    process = subprocess.Popen(
        [sys.executable, *map(str, line)],
        env=environment(TMPDIR=str(folder / "tmp"), **variables),
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    until = time.monotonic() + START
    with process:
        while not (folder / "runs").exists():
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < until, "it is not busy"
            time.sleep(0.02)
        yield process


@pytest.mark.parametrize(
    ("make_busy", "number"),
    [
        pytest.param(make, number, id=f"{make.__name__}-{number.name}")
        for make, numbers in CASES.items()
        for number in numbers
    ],
)
def test_what_a_command_started_ends_with_it(tmp_path, make_busy, number):
    with started(tmp_path, make_busy) as process:
        family = psutil.Process(process.pid).children(recursive=True)
        assert family, "it has started nothing"
        process.send_signal(number)
        # A worker that is left would hold the pipes open: no communicate().
        code = process.wait(END)
        assert all(gone(member.pid, END) for member in family)
        errors = process.stderr.read()
    if number == signal.SIGKILL:
        assert code == -number
        # The next command, whichever, takes away what was left.
        temporary = str(tmp_path / "tmp")
        done = run_script("run.py", "none", folder=tmp_path, TMPDIR=temporary)
        assert_refused(done, "'none'")
    else:
        assert code == 130
        *_, line = errors.splitlines()  # behind its progress
        assert "interrupted" in line
    assert not list((tmp_path / "tmp").iterdir())
    assert not list(tmp_path.glob("build/executed/*/*"))
    assert not (tmp_path / "made").exists()


def test_what_a_page_started_ends_with_the_page(tmp_path):
    """Also what left its group, and lost the process that started it."""
    start = (
        "import subprocess; "
        "print(subprocess.Popen(['sleep', '600'], start_new_session=True, "
        "stdout=subprocess.DEVNULL).pid)"
    )
    orphan = (
        "import pathlib, subprocess, sys\n"
        f"pid = subprocess.check_output([sys.executable, '-c', {start!r}])\n"
        f"pathlib.Path({str(tmp_path / 'pid')!r}).write_bytes(pid)"
    )
    write_chapter(tmp_path / "notebooks", "a/done.ipynb", orphan)
    line = command(tmp_path)[2:]
    done = run_script("run.py", *line, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert gone(int((tmp_path / "pid").read_text()), END)


def two_pages(folder):
    """A run of two pages at once, whose cells wait."""
    cell = busy(folder)
    for name in ("one", "two"):
        write_chapter(folder / "notebooks", f"a/{name}.ipynb", cell)
    return [*command(folder)[1:], "--jobs", "2"], {}


@pytest.mark.parametrize("gap", [0.002, 0.01])
def test_a_second_signal_right_after_the_first_changes_nothing(tmp_path, gap):
    """As timeout sends it: to the process, and to its group."""
    with started(tmp_path, two_pages) as process:
        family = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGINT)
        time.sleep(gap)
        process.send_signal(signal.SIGINT)
        assert process.wait(END) == 130
        assert all(gone(member.pid, END) for member in family)
        *_, line = process.stderr.read().splitlines()
    assert "interrupted in one and two" in line
