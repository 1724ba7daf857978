"""A folder for a command's temporary files, which goes when it ends.

What a killed command has left goes at the start of the next one: nobody
holds the lock on its folder any more.
"""

import contextlib
import fcntl
import os
import pathlib
import shutil
import tempfile

# No folder that a person makes has such a name.
PREFIX, SUFFIX = "onthefly-", ".scratch"


@contextlib.contextmanager
def folder():
    """Give this process, and those that it starts, such a folder.

    It is the one of `tempfile`, and TMPDIR.  Returns its path.  A command
    that another one runs has that one's: sockets fit into short paths only.
    """
    outer = pathlib.Path(tempfile.gettempdir())
    if outer.name.startswith(PREFIX) and outer.suffix == SUFFIX:
        yield outer
        return
    _sweep(outer)
    before = os.environ.get("TMPDIR"), tempfile.tempdir
    path, lock = _made()
    os.environ["TMPDIR"] = tempfile.tempdir = path
    try:
        yield pathlib.Path(path)
    finally:
        os.environ["TMPDIR"], tempfile.tempdir = before[0] or "", before[1]
        if before[0] is None:
            del os.environ["TMPDIR"]
        shutil.rmtree(path, ignore_errors=True)
        os.close(lock)


def _made():
    """Return (path, its lock) of a new folder."""
    while True:
        path = tempfile.mkdtemp(SUFFIX, PREFIX)
        # Another command may have swept it away before it was locked.
        with contextlib.suppress(FileNotFoundError):
            lock = os.open(path, os.O_RDONLY)
            fcntl.flock(lock, fcntl.LOCK_EX)
            if os.path.isdir(path):
                return path, lock
            os.close(lock)


def _sweep(root):
    """Remove the folders that no command holds."""
    for path in root.glob(f"{PREFIX}{8 * '?'}{SUFFIX}"):
        with contextlib.suppress(OSError):  # it has gone, or is not ours
            lock = os.open(path, os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(path, ignore_errors=True)
            finally:
                os.close(lock)
