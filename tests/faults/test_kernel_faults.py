"""Kernels: a user's own things, too few ports, bad starts, sudden ends."""

import json
import os
import sys
import tempfile
import time
from pathlib import Path

import pytest

import small_books
from onthefly.page.checkout import NOTEBOOKS
from small_books import outputs, write_chapter

pytestmark = pytest.mark.slow

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
LAUNCHER = """
import pathlib, sys, time
here = pathlib.Path(__file__).with_name("started")
if here.exists():
    sys.exit(3)
here.touch()
time.sleep(60)
"""
OTHER_KERNEL = {"argv": ["false"], "display_name": "P", "language": "python"}
USER = {
    "ipython/profile_default/startup/mine.py": "print = None",
    **{
        f"ipython/profile_default/{name}_config.py":
            "c.InteractiveShellApp.exec_lines = ['len = None']"
        for name in ("ipython", "ipython_kernel")
    },
    "start.py": "int = None",
    "jupyter/kernels/python3/kernel.json": json.dumps(OTHER_KERNEL),
}  # fmt: skip


def run(folder, *arguments, **extra):
    """Run the chapters; modules in `folder` come before all others."""
    path = os.pathsep.join([str(folder), str(NOTEBOOKS)])
    return small_books.run(folder, *arguments, PYTHONPATH=path, **extra)


@pytest.fixture
def user(tmp_path):
    """Variables that lead to a user's own set-up, which fails any code."""
    for name, text in USER.items():
        path = tmp_path / "user" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    places = {
        "IPYTHONDIR": "ipython",
        "PYTHONSTARTUP": "start.py",
        "JUPYTER_PATH": "jupyter",
    }
    return {k: str(tmp_path / "user" / v) for k, v in places.items()}


def test_a_kernel_is_the_books_own_and_leaves_nothing(tmp_path, user):
    write_chapter(tmp_path / "notebooks", "a/look.ipynb", LOOK)
    (tmp_path / "sitecustomize.py").write_text(ONE_PORT)
    # Its path is short: the kernel's sockets lie in it.
    with tempfile.TemporaryDirectory(dir="/tmp") as own:
        done = run(tmp_path, TMPDIR=own, **user)
        assert done.returncode == 0, done.stdout
        assert os.listdir(own) == []
    seen = json.loads(outputs(tmp_path / "build/executed/a/look.ipynb"))
    assert seen["python"] == sys.executable
    assert Path(seen["here"]).is_relative_to(own)
    assert not Path("/dev/shm", seen["block"]).exists()


def test_a_kernel_that_hangs_or_ends_at_its_start_is_named(tmp_path):
    for name in ("a/hangs.ipynb", "b/ends.ipynb"):
        write_chapter(tmp_path / "notebooks", name, "1")
    (tmp_path / "ipykernel_launcher.py").write_text(LAUNCHER)
    start = time.monotonic()
    done = run(tmp_path, "--limit", "2")
    assert time.monotonic() - start < 30
    assert done.returncode == 1 and done.stderr == ""
    table = done.stdout[done.stdout.index("\nhangs ") :]
    assert "the kernel did not start within 2 s" in table
    assert "the kernel died with exit code 3" in table
    assert table.count("before its first cell") == 2


BROKEN = {
    "import": "raise ImportError('libm.so.7: cannot open it')",
    "crash": "import os, signal\nos.kill(os.getpid(), signal.SIGILL)",
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_library_that_does_not_work_is_left_out(tmp_path, fault):
    broken = tmp_path / "numexpr.py"
    broken.write_text(BROKEN[fault])
    uses = "import numexpr\nprint(numexpr.evaluate('1'))"
    for name in ("a/one.ipynb", "a/two.ipynb"):
        write_chapter(
            tmp_path / "notebooks", name, uses, tags=["needs-numexpr"]
        )
    done = run(tmp_path)
    assert done.returncode == 0, done.stdout
    (line,) = (x for x in done.stdout.splitlines() if "does not work" in x)
    assert "NumExpr" in line
    assert {"import": "cannot open it", "crash": "SIGILL"}[fault] in line
    pages = [tmp_path / f"build/executed/a/{x}.ipynb" for x in ("one", "two")]
    assert all("NumExpr is missing" in page.read_text() for page in pages)
    broken.unlink()
    assert run(tmp_path).returncode == 0
    assert [outputs(page).strip() for page in pages] == ["1", "1"]


FAULTS_OF_C = {
    "int f(void) { return nowhere; }": ["error", "nowhere", "undeclared"],
    "#include <Python.h>": ["Python.h: No such file", "python3-dev"],
}


@pytest.mark.parametrize("source", FAULTS_OF_C)
def test_a_failed_build_says_the_compilers_own_words(tmp_path, source):
    cell = (
        f"from onthefly.tools import cpp\ncpp.function({source!r}, 'f', [])"
    )
    write_chapter(tmp_path / "notebooks", "a/one.ipynb", cell)
    done = run(tmp_path)
    assert done.returncode == 1
    line = next(x for x in done.stdout.splitlines() if "CalledProcess" in x)
    assert all(word in line for word in FAULTS_OF_C[source]), line
