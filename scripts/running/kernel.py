"""The kernel of one chapter: the same for everyone, and gone with its run.

It is this Python, whatever the user has installed as "python3"; it reads
nothing of the user's IPython; and neither it nor what it starts outlives the
process that runs it, however that ends.
"""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys

import psutil
from jupyter_client import AsyncKernelManager
from jupyter_client.kernelspec import KernelSpecManager

from onthefly.measure import clock
from onthefly.page import dependencies, source
from running import guard

SOCKET = 80  # characters of a folder in which a socket's name still fits


def environment(folder, build, results, lab, times=True, again=()):
    """Return the variables of a kernel.

    folder   takes its temporary files, and stands for the user's IPython
    build    where a chapter's files go
    results  where a chapter's measurements go
    lab      the folder of the lab that it imports, whatever PYTHONPATH says:
             IPython looks there before it looks beside the notebook
    times    whether it may measure
    again    names of what is measured once more
    """
    paths = [str(lab.parent), os.environ.get("PYTHONPATH", "")]
    # Not as a library has set them in this process, as its OMP_NUM_THREADS;
    # what a worker has taken out of its own environment stays out.
    started = dependencies.settings()
    given = {
        name: started.get(name, value)
        for name, value in os.environ.items()
        if name in started or not dependencies.chooses_code(name)
    }
    variables = {
        **given,
        "TMPDIR": str(folder),
        "IPYTHONDIR": str(folder / "ipython"),
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "ONTHEFLY_BUILD": str(build),
        "ONTHEFLY_RESULTS": str(results),
        source.AGAIN: json.dumps(again),
    }
    variables |= _home(folder)
    # Another user's, as su leaves it, cannot be looked through.
    pyenv = variables.get("PYENV_ROOT")
    if pyenv and not os.access(pyenv, os.R_OK | os.X_OK):
        del variables["PYENV_ROOT"]
    # Its programs print what no other encoding holds: ×, µ.
    for name in ("PYTHONSTARTUP", "PYTHONIOENCODING", clock.NOTHING):
        variables.pop(name, None)
    if not times:
        variables[clock.NOTHING] = "1"
    return variables


def _home(folder):
    """Return {"HOME": folder} where this user has none, or {}.

    folder  of the page's temporary files
    """
    try:
        pathlib.Path.home()
    except RuntimeError:
        return {"HOME": str(folder)}
    return {}


def _signal(group, number):
    """Send a signal to a group, which may have gone."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, number)


def _wait(process, seconds):
    """Wait so long for the end of a process."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(seconds)


def _memory_kills():
    """Return how many processes the system has ended for want of memory."""
    with contextlib.suppress(OSError):
        for line in pathlib.Path("/proc/vmstat").read_text().splitlines():
            if line.startswith("oom_kill "):
                return int(line.split()[1])
    return 0


class Kernel(AsyncKernelManager):
    """jupyter_client's manager of a kernel, for one kernel and one start.

    folder  for the sockets by which one reaches it, in the place of ports
    status  of its process, where that ended before it was asked to: below
            zero the signal that ended it
    """

    def __init__(self, folder):
        super().__init__(
            kernel_name="python3",
            kernel_spec_manager=KernelSpecManager(kernel_dirs=[]),
            connection_file=str(folder / "kernel.json"),
            transport="ipc" if len(str(folder)) <= SOCKET else "tcp",
            cache_ports=False,  # which tries for ever where few are free
        )
        self.status = self._gone = self._lifeline = None
        self._kills = _memory_kills()

    async def start_kernel(self, **options):
        """Start the kernel behind its guard; it ends with this process."""
        self._gone, self._lifeline = os.pipe()
        try:
            await super().start_kernel(pass_fds=[self._gone], **options)
        finally:
            os.close(self._gone)

    def format_kernel_cmd(self, extra_arguments=None):
        """Return the command that starts the kernel, behind its guard."""
        command = super().format_kernel_cmd(extra_arguments)
        start = [sys.executable, guard.__file__, str(self._gone)]
        return [*start, *command]

    async def shutdown_kernel(self, now=False, restart=False):
        """End the kernel; it is never asked, for that takes seconds."""
        self.end()

    def end(self):
        """End the kernel and its kin: workers would disturb what follows.

        SIGTERM comes first: multiprocessing's resource tracker outlives it,
        and so can free what the workers shared.  The guard then has time to
        end what has left the group; without the lifeline it kills.
        """
        if self._lifeline is None:  # it never started, or has been ended
            return
        process = self.provisioner and self.provisioner.process
        if process:
            self.status = process.poll()
            _signal(process.pid, signal.SIGTERM)
            _wait(process, 2 * guard.GRACE)
        os.close(self._lifeline)
        self._lifeline = None
        if process:
            _wait(process, guard.GRACE)  # a driver may hold it longer
            _signal(process.pid, signal.SIGKILL)

    @property
    def death(self):
        """How its process ended, in words."""
        if self.status is None or self.status >= 0:
            code = f" with exit code {self.status}" if self.status else ""
            return f"the kernel died{code}"
        name = signal.Signals(-self.status).name
        how = f"the kernel died of signal {-self.status} ({name})"
        if self.status != -signal.SIGKILL:
            return how
        if _memory_kills() > self._kills:
            why = "the system ran out of memory"
        else:
            why = "often because the system ran out of memory"
        free = psutil.virtual_memory()
        return (
            f"{how}: {why}; {free.available / 2**30:.1f} of "
            f"{free.total / 2**30:.1f} GiB are available now"
        )
