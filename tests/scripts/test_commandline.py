"""What all commands share: refusals, signals, and the look for the lab."""

import errno
import os
import shutil
import signal
import subprocess
import sys
import time
import weakref

import pytest

from commandline import (
    Interrupted,
    command,
)
from conftest import ROOT
from onthefly.errors import UserError


@pytest.mark.parametrize(
    ("error", "code", "lines"),
    [
        (UserError("a: b; c\nd: e; f"), 2, ["a: b; c", "d: e; f"]),
        (Interrupted("interrupted in x"), 130, ["interrupted in x"]),
        (KeyboardInterrupt(), 130, ["interrupted"]),
        (OSError(errno.ENOSPC, "No room", "a/b"), 2,
         ["a/b: No room; make room there"]),
        (OSError(errno.EXDEV, "Other disk", "a", None, "b"), 2,
         ["b: Other disk; mend that, then start again"]),
    ],
)  # fmt: skip
def test_each_end_has_its_lines_and_code(capsys, error, code, lines):
    @command
    def main(argv=None):
        raise error

    assert main() == code
    name = "test_commandline.py"
    said = capsys.readouterr().err.splitlines()
    assert said == [f"{name}: {line}" for line in lines]


@pytest.mark.parametrize("number", [1, 2, 15])
def test_a_polite_signal_is_ctrl_c(capsys, number):
    before = signal.getsignal(number)

    @command
    def main(argv=None):
        # To this thread: another one's would not end a wait of this one.
        signal.raise_signal(number)

    assert main() == 130
    assert signal.getsignal(number) == before


def test_an_interrupt_that_python_would_lose_comes_again():
    class Thing:
        pass

    @command
    def main(argv=None):
        thing = Thing()
        end = weakref.ref(thing, lambda _: signal.raise_signal(signal.SIGINT))
        del thing  # Python prints what a callback raises, and goes on
        time.sleep(10)
        return end

    started = time.monotonic()
    assert main() == 130
    assert time.monotonic() - started < 5


def test_what_nohup_ignores_stays_ignored(monkeypatch):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)

    @command
    def main(argv=None):
        signal.raise_signal(signal.SIGHUP)
        return 0

    try:
        assert main() == 0
    finally:
        signal.signal(signal.SIGHUP, before)


def plan(scripts, lab):
    """Run run.py --plan with the lab's folder on the path; return it."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    if lab:
        environment["PYTHONPATH"] = str(lab)
    # -S: without site-packages, so that no install counts
    return subprocess.run(
        [sys.executable, "-S", scripts / "run.py", "--plan"],
        env=environment, capture_output=True, text=True,
    )  # fmt: skip


def test_without_the_lab_there_is_one_line():
    done = plan(ROOT / "scripts", None)
    (line,) = done.stderr.splitlines()
    assert done.returncode == 2 and done.stdout == ""
    assert line.startswith("run.py: ") and f"{ROOT / 'notebooks'}" in line


def test_the_lab_of_another_checkout_is_refused(tmp_path):
    """It would read and write that checkout's results."""
    scripts = tmp_path / "scripts"
    shutil.copytree(ROOT / "scripts/commandline", scripts / "commandline")
    shutil.copy(ROOT / "scripts/run.py", scripts)
    done = plan(scripts, ROOT / "notebooks")
    (line,) = done.stderr.splitlines()
    assert done.returncode == 2 and str(ROOT / "notebooks") in line
