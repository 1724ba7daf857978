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

from commandline import ROOT
from planting import books
from planting.registry import fault

START = 90  # seconds that a command may take to come so far
END = 15  # seconds in which all must be gone

# Each tells that it runs, starts a process, and waits.
BUSY = """
import itertools, os, pathlib, subprocess, sys, tempfile, time
FOLDER = pathlib.Path({folder!r})
tempfile.mkdtemp()
subprocess.Popen(["sleep", "600"], start_new_session={detached})
(FOLDER / "runs").touch()
{wait}
"""
SLEEP = "time.sleep(600)"
HOLD = "sum(itertools.repeat(1))"  # which lets no other thread run
OLD_PYTHON = """\
#!{python}
import runpy, sys

if sys.argv[1:3] == ["-m", "onthefly.tools.child"]:
    sys.version_info = 3, 6, 0, "final", 0
    del sys.argv[1:3]
    runpy.run_module("onthefly.tools.child", run_name="__main__")
"""


def _started(folder, name, *arguments, **extra):
    """Start a command, wait until it is busy; return its process."""
    (folder / "tmp").mkdir(exist_ok=True)
    process = subprocess.Popen(
        [sys.executable, ROOT / "scripts" / name, *map(str, arguments)],
        env=books.environment(TMPDIR=str(folder / "tmp"), **extra),
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    _wait_for(folder / "runs", process)
    return process


def _wait_for(path, process):
    """Wait until a file is there; what the process says, if it ends."""
    until = time.monotonic() + START
    while not path.exists():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until, f"no {path.name} in {START} s"
        time.sleep(0.02)


def _end(process, number):
    """Send a signal; return the ended process, when its family is gone."""
    family = psutil.Process(process.pid).children(recursive=True)
    assert family, "it has started nothing"
    process.send_signal(number)
    # A worker that is left would hold the pipes open: no communicate().
    code = process.wait(END)
    until = time.monotonic() + END
    while left := [p for p in family if _runs(p)]:
        assert time.monotonic() < until, left
        time.sleep(0.02)
    said = [stream.read() for stream in (process.stdout, process.stderr)]
    return subprocess.CompletedProcess(process.args, code, *said)


def _runs(process):
    with contextlib.suppress(psutil.NoSuchProcess):
        return process.status() != psutil.STATUS_ZOMBIE
    return False


def _ended(folder, name, *arguments, numbers, **extra):
    """Start a command and end it, once with each signal; return the last."""
    for number in numbers:
        (folder / "runs").unlink(missing_ok=True)
        process = _started(folder, name, *arguments, **extra)
        done = _end(process, number)
        if number == signal.SIGKILL:
            assert done.returncode == -number
            # The next command, whichever, takes away what was left.
            tidied = books.call(
                "tidy.py", "none", folder=folder, TMPDIR=str(folder / "tmp")
            )
            assert tidied.returncode == 2
        else:
            assert done.returncode == 130, done.returncode
            assert len(done.stderr.splitlines()) == 1, done.stderr
            assert "interrupted" in done.stderr
        left = list((folder / "tmp").iterdir())
        assert not left, left
    return done


ALL = signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL


def _busy(folder, detached=True, wait=SLEEP):
    """Return the code; with `detached`, what it starts leaves its session."""
    return BUSY.format(folder=str(folder), detached=detached, wait=wait)


@fault(slow=True)
def ended_run(folder):
    """A run is ended while a kernel cannot answer, in two ways."""
    cell = _busy(folder, detached=False, wait=HOLD)
    books.write_chapter(folder / "notebooks", "10_busy.ipynb", cell)
    arguments = books.command(folder)[2:]
    done = _ended(
        folder, "run.py", *arguments, numbers=(signal.SIGHUP, signal.SIGKILL)
    )
    assert not list((folder / "build" / "executed").iterdir())
    return done


@fault(slow=True)
def ended_report(folder):
    """A report on a user's function is ended, in four ways."""
    body = textwrap.indent(_busy(folder), "    ")
    (folder / "mine.py").write_text(f"def never(n):\n{body}")
    page = folder / "page.html"
    done = _ended(
        folder, "confirm.py", "mine:never", "--html", page, numbers=ALL
    )
    assert not page.exists()
    return done


@fault(slow=True)
def ended_check_of_libraries(folder):
    """The check of the libraries is ended while one hangs, in two ways."""
    (folder / "path" / "numba").mkdir(parents=True)
    (folder / "path" / "numba" / "__init__.py").write_text(_busy(folder))
    paths = f"{folder / 'path'}:{ROOT / 'notebooks'}"
    return _ended(
        folder, "check_env.py", "numba", PYTHONPATH=paths,
        numbers=(signal.SIGINT, signal.SIGKILL),
    )  # fmt: skip


@fault(slow=True)
def ended_making_of_the_old_stack(folder):
    """The making of the stack of 2018 is ended, in two ways."""
    python = folder / "python3.6"
    python.write_text(
        OLD_PYTHON.format(python=sys.executable)
        + f"else:\n{textwrap.indent(_busy(folder), '    ')}"
    )
    python.chmod(0o755)
    return _ended(
        folder, "old_stack.py", ONTHEFLY_PYTHONS=str(python),
        ONTHEFLY_BUILD=str(folder / "build"), PYENV_ROOT=str(folder),
        PYTHONPATH=str(ROOT / "notebooks"),
        numbers=(signal.SIGHUP, signal.SIGKILL),
    )  # fmt: skip


SPUN = """
import sys
from commandline.programs import watched
from commandline import command

@command
def main(argv=None):
    return watched([sys.executable, "busy.py"])

sys.exit(main())
"""


@fault(slow=True)
def ended_command_of_commands(folder):
    """A command that waits for another one is ended, in four ways."""
    silent = "import signal; signal.signal(signal.SIGINT, signal.SIG_DFL)"
    busy = _busy(folder, detached=False)
    (folder / "busy.py").write_text(silent + busy)
    (folder / "spun.py").write_text(SPUN)
    paths = f"{ROOT / 'scripts'}:{ROOT / 'notebooks'}"
    return _ended(folder, folder / "spun.py", numbers=ALL, PYTHONPATH=paths)


@fault(slow=True)
def ended_build(folder):
    """A build of the book is ended: by Ctrl-C, and by a kill."""
    book = books.Book(folder)
    before = book.pretend()
    for number, code in ((signal.SIGINT, 130), (signal.SIGKILL, -9)):
        book.record.parent.mkdir(parents=True, exist_ok=True)
        book.record.touch()
        process = subprocess.Popen(
            [sys.executable, ROOT / "scripts/build_book.py",
             *book.arguments("--force")],
            env=books.environment(), cwd=folder, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        _wait_until_gone(book.record, process)
        time.sleep(0.3)  # Sphinx has begun
        process.send_signal(number)
        said = process.communicate(timeout=END)
        done = subprocess.CompletedProcess(process.args, code, *said)
        assert process.returncode == code, (process.returncode, said)
        assert book.state() == before
        assert len(said[1].splitlines()) == (number == signal.SIGINT), said
    assert book.make().returncode == 0
    assert book.page.exists()
    return done


def _wait_until_gone(path, process):
    until = time.monotonic() + START
    while path.exists():
        assert process.poll() is None and time.monotonic() < until
        time.sleep(0.01)
