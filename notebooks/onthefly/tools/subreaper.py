"""What stands between a program and this process: it ends all of its kin.

Started in the place of `child`, it runs the program in a copy of itself and
waits.  When the program ends, or who started it, it kills whatever the
program has started, in whatever group or session: what loses its own parent
becomes a child of this one (Linux: a subreaper).
"""

import ctypes
import os
import select
import signal
import sys

from onthefly.tools import child

SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER of prctl(2)


def _end_all():
    """Kill all descendants, and wait for them."""
    import psutil  # late: the program need not have it in its memory

    own = psutil.Process()
    while True:
        for process in own.children(recursive=True):
            process.kill()  # psutil knows one that has just ended
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _end_as(status):
    """End this process as the program did."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status))


def main(module, channel, lifeline):
    """Run the program; arguments as of `child.main`."""
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    program = os.fork()
    if not program:
        os.setpgid(0, 0)  # its group is killed first, and not this one
        child.main(module, channel, lifeline)
    os.close(int(channel))
    ended = os.pidfd_open(program)
    select.select([int(lifeline), ended], [], [])
    status = signal.SIGKILL
    if select.select([ended], [], [], 0)[0]:
        _, status = os.waitpid(program, 0)
    _end_all()
    _end_as(status)


if __name__ == "__main__":
    main(*sys.argv[1:])
