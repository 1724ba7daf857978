"""Kernels: a user's own things, too few ports, and starts that fail."""

import json
import os
import sys
import tempfile
import time
from pathlib import Path

from onthefly.provenance import NOTEBOOKS
from planting import books
from planting.registry import fault

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
# Before a kernel starts: the first one never does, the second one ends.
STUB = """
import pathlib, sys, time
here = pathlib.Path(__file__).with_name("started")
if here.exists():
    sys.exit(3)
here.touch()
time.sleep(60)
"""


def _plant_user(folder):
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


def _run(folder, *arguments, **extra):
    """Run the chapters; modules in `folder` come before all others."""
    path = os.pathsep.join([str(folder), str(NOTEBOOKS)])
    return books.run(folder, *arguments, PYTHONPATH=path, **extra)


@fault(slow=True)
def kernel_of_the_users_own(folder):
    """A user's own set-up of IPython and Jupyter would fail any code.

    No port is free, and the kernel must leave nothing behind.
    """
    books.write_chapter(folder / "notebooks", "10_look.ipynb", LOOK)
    user = _plant_user(folder / "user")
    (folder / "sitecustomize.py").write_text(ONE_PORT)
    # Its path is short: the kernel's sockets lie in it.
    with tempfile.TemporaryDirectory(dir="/tmp") as own:
        done = _run(folder, TMPDIR=own, **user)
        assert done.returncode == 0, done.stdout
        assert os.listdir(own) == []
    executed = folder / "build/executed/10_look.ipynb"
    seen = json.loads(books.outputs(executed))
    assert seen["python"] == sys.executable
    assert Path(seen["here"]).is_relative_to(own)
    assert not Path("/dev/shm", seen["block"]).exists()
    return done


@fault(slow=True)
def kernel_without_ports(folder):
    """Too few ports are free, and the folder is too deep for other ways."""
    books.write_chapter(folder / "notebooks", "10_good.ipynb", "1")
    deep = folder / ("deep" * 25)
    deep.mkdir()
    (folder / "sitecustomize.py").write_text(ONE_PORT)
    done = _run(folder, TMPDIR=str(deep))
    assert done.returncode == 1 and "already in use" in done.stdout
    assert books.run(folder, TMPDIR=str(deep)).returncode == 0
    return done


@fault(slow=True)
def kernel_that_does_not_start(folder):
    """A kernel hangs at its start, and the next one ends there."""
    for name in ("10_hangs.ipynb", "20_ends.ipynb"):
        books.write_chapter(folder / "notebooks", name, "1")
    (folder / "ipykernel_launcher.py").write_text(STUB)
    start = time.monotonic()
    done = _run(folder, "--limit", "2")
    assert time.monotonic() - start < 30
    assert done.returncode == 1 and done.stderr == ""
    table = done.stdout[done.stdout.index("\nhangs ") :]
    assert "the kernel did not start within 2 s" in table
    assert "the kernel died with exit code 3" in table
    assert table.count("before its first cell") == 2
    return done
