"""One command at a time in a folder."""

import contextlib
import fcntl
import os

from onthefly.errors import UserError
from onthefly.terminal import shown


@contextlib.contextmanager
def alone(build, name=".lock"):
    """Refuse a second run into the same folder: each would spoil the other.

    build  the folder
    name   of the lock's file there: one for each kind of run

    The system drops the lock with the process, however that ends.
    """
    build.mkdir(parents=True, exist_ok=True)
    # Not followed: a link in its place may lead to a file of another's.
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW
    lock = os.open(build / name, flags, 0o644)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(
                f"{shown(build)}: another run uses this folder; wait until "
                "it ends, or name another folder with --build"
            ) from None
        yield
    finally:
        os.close(lock)
