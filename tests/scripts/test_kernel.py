"""The kernels of run.py: nobody else's, in time, and gone with their run."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from small_book import command, environment, outputs, write_chapter

from conftest import gone
from onthefly.provenance import NOTEBOOKS

pytestmark = pytest.mark.slow


def run_apart(folder, *arguments, **extra):
    """Run run.py to its end in a process, which is returned."""
    return subprocess.run(
        command(folder, *arguments), env=environment(**extra), cwd=folder,
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip


LOOK = """
import json, sys, tempfile
from multiprocessing import shared_memory
assert len("1") == int("1")
block = shared_memory.SharedMemory(create=True, size=1)
print(json.dumps({
    "python": sys.executable,
    "block": block.name,
    "here": tempfile.mkdtemp(),
}))
"""


def plant_user(folder):
    """Give a user whose own things would fail any chapter.

    Returns the variables by which they are found.
    """
    profile = folder / "ipython" / "profile_default"
    (profile / "startup").mkdir(parents=True)
    (profile / "startup" / "mine.py").write_text("print = None")
    lines = "c.InteractiveShellApp.exec_lines = ['len = None']"
    for name in ("ipython_config.py", "ipython_kernel_config.py"):
        (profile / name).write_text(lines)
    (folder / "start.py").write_text("int = None")
    spec = folder / "jupyter" / "kernels" / "python3"
    spec.mkdir(parents=True)
    other = {"argv": ["false"], "display_name": "P", "language": "python"}
    (spec / "kernel.json").write_text(json.dumps(other))
    return {
        "IPYTHONDIR": str(folder / "ipython"),
        "PYTHONSTARTUP": str(folder / "start.py"),
        "JUPYTER_PATH": str(folder / "jupyter"),
    }


# As where all ports but one are taken.
ONE_PORT = """
import socket
class Socket(socket.socket):
    port = 0
    def bind(self, address):
        super().bind((address[0], Socket.port))
        Socket.port = self.getsockname()[1]
socket.socket = Socket
"""


def path_with(folder):
    """Return a PYTHONPATH on which a folder comes before all others."""
    return os.pathsep.join([str(folder), str(NOTEBOOKS)])


def test_a_kernel_is_ours_alone(tmp_path):
    """It reads nothing of the user's, needs no ports, and leaves nothing."""
    write_chapter(tmp_path / "notebooks", "10_look.ipynb", LOOK)
    user = plant_user(tmp_path / "user")
    (tmp_path / "sitecustomize.py").write_text(ONE_PORT)
    user["PYTHONPATH"] = path_with(tmp_path)
    with tempfile.TemporaryDirectory() as folder:
        done = run_apart(tmp_path, TMPDIR=folder, **user)
        assert done.returncode == 0, done.stdout
        assert os.listdir(folder) == []
    seen = json.loads(outputs(tmp_path / "build/executed/10_look.ipynb"))
    assert seen["python"] == sys.executable
    assert Path(seen["here"]).is_relative_to(folder)
    assert not Path("/dev/shm", seen["block"]).exists()


def test_few_free_ports_are_not_searched_for_ever(tmp_path):
    """They are needed where the folder lies too deep for sockets in it."""
    write_chapter(tmp_path / "notebooks", "10_good.ipynb", "1")
    folder = tmp_path / ("deep" * 25)
    folder.mkdir()
    (tmp_path / "sitecustomize.py").write_text(ONE_PORT)
    here, few = {"TMPDIR": str(folder)}, {"PYTHONPATH": path_with(tmp_path)}
    done = run_apart(tmp_path, **here, **few)
    assert done.returncode == 1 and "already in use" in done.stdout
    assert run_apart(tmp_path, **here).returncode == 0


# Before a kernel starts: the first one never does, the second one ends.
STUB = """
import pathlib, sys, time
here = pathlib.Path(__file__).with_name("started")
if here.exists():
    sys.exit(3)
here.touch()
time.sleep(60)
"""


def test_a_kernel_that_does_not_start_costs_its_chapter_only(tmp_path):
    for name in ("10_hangs.ipynb", "20_ends.ipynb"):
        write_chapter(tmp_path / "notebooks", name, "1")
    (tmp_path / "ipykernel_launcher.py").write_text(STUB)
    start = time.monotonic()
    path = path_with(tmp_path)
    done = run_apart(tmp_path, "--limit", "2", PYTHONPATH=path)
    assert time.monotonic() - start < 30
    assert done.returncode == 1 and done.stderr == ""
    table = done.stdout[done.stdout.index("\nhangs ") :]
    assert "the kernel did not start within 2 s" in table
    assert "the kernel died with exit code 3" in table
    assert table.count("before its first cell") == 2


# A worker that waits, and a kernel that lets none of its threads run.
BUSY = """
import itertools, multiprocessing, os, pathlib, signal
worker = multiprocessing.get_context("fork").Process(target=signal.pause)
worker.start()
folder = pathlib.Path(os.environ["ONTHEFLY_BUILD"])
(folder / "new").write_text(f"{os.getpid()} {worker.pid}")
(folder / "new").rename(folder / "pids")
sum(itertools.repeat(1))
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGHUP])
def test_nothing_outlives_a_run_that_is_ended(tmp_path, number):
    write_chapter(tmp_path / "notebooks", "10_busy.ipynb", BUSY)
    process = subprocess.Popen(
        command(tmp_path), env=environment(), cwd=tmp_path,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    told = tmp_path / "build" / "pids"
    end = time.monotonic() + 60
    while not told.exists():
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.05)
    process.send_signal(number)
    process.wait(30)
    assert all(gone(int(pid)) for pid in told.read_text().split())
