"""What stands between a run and a kernel: it ends all of the kernel's kin.

    python guard.py LIFELINE COMMAND...

Started in the place of the kernel, it starts the kernel and waits.  When the
kernel ends, it asks whatever the kernel has started to end, in whatever group
or session, and kills what does not; when the run ends, it kills all at once.
What loses its own parent becomes a child of this process (Linux: a
subreaper).  It ends as the kernel did.

LIFELINE is a pipe whose other end the run alone holds.
"""

import contextlib
import ctypes
import os
import select
import signal
import sys

GRACE = 1  # second that what is left has to end by itself
DEATHSIG, SUBREAPER = 1, 36  # options of prctl(2)


def start(command):
    """Start the kernel; return its process's number."""
    kernel = os.fork()
    if kernel:
        return kernel
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    ctypes.CDLL(None).prctl(DEATHSIG, signal.SIGKILL, 0, 0, 0)
    os.execv(command[0], command)


def end_kin(grace):
    """End all descendants: ask them first, if there is time.

    grace  seconds that they have
    """
    import psutil  # late: it takes memory, beside a kernel that is measured

    own = psutil.Process()
    if grace:
        kin = own.children(recursive=True)
        for process in kin:
            with contextlib.suppress(psutil.Error):
                process.terminate()
        psutil.wait_procs(kin, grace)
    while kin := own.children(recursive=True):
        for process in kin:
            with contextlib.suppress(psutil.Error):
                process.kill()
        psutil.wait_procs(kin, GRACE)


def end_as(status):
    """End this process as the kernel did."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status))


def main(lifeline, *command):
    """Guard a kernel; arguments as those of the command line."""
    # The run sends these to the kernel's whole group.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    kernel = start(command)
    ended = os.pidfd_open(kernel)
    select.select([int(lifeline), ended], [], [])
    if select.select([ended], [], [], 0)[0]:
        _, status = os.waitpid(kernel, 0)
        end_kin(GRACE)
    else:
        status = signal.SIGKILL
        end_kin(0)
    end_as(status)


if __name__ == "__main__":
    main(*sys.argv[1:])
