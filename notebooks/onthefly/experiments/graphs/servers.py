"""Servers of TensorFlow in processes of their own, on loopback only.

A server listens on all addresses of a machine, so a small library stands
before its ``bind`` (preload.c).  Without a C compiler there is no such
library, and no server.  The processes end with this one, however it ends.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

import psutil

from onthefly.experiments.graphs.counting_wire import Wire
from onthefly.tools import cpp
from onthefly.tools.processes import ProcessError, Program

SOURCE = pathlib.Path(__file__).with_name("preload.c")
LIMIT = 120  # seconds to import TensorFlow and to start, on a busy machine


def missing():
    """Return what servers lack on this machine, or an empty text."""
    if not sys.platform.startswith("linux"):
        return "no LD_PRELOAD: not Linux"
    if lack := cpp.missing("C"):
        return lack
    try:
        with tempfile.TemporaryDirectory() as folder:
            build(folder)
    except subprocess.CalledProcessError:
        return "a C compiler that cannot build a library"
    return ""


def build(folder):
    """Build the library in `folder`; return its path.

    Raises CalledProcessError where the compiler refuses.
    """
    library = pathlib.Path(folder) / "preload.so"
    return cpp.build(SOURCE, library, ["-O2"], ["-ldl"])


def avoid_proxies():
    """Tell gRPC, here and in children, to reach loopback directly.

    It takes ``http_proxy`` even for 127.0.0.1, and then waits in vain.
    """
    ours = "no_grpc_proxy"  # gRPC knows it in small letters only
    known = os.environ.get(ours, os.environ.get("no_proxy", ""))
    names = [*filter(None, known.split(",")), "127.0.0.1", "localhost"]
    os.environ[ours] = ",".join(dict.fromkeys(names))


class Process(Program):
    """A process with TensorFlow behind the library: see server_child.

    name     as errors call it
    library  what ``build`` made
    """

    def __init__(self, name, library):
        super().__init__(
            "onthefly.experiments.graphs.server_child",
            environment={
                "LD_PRELOAD": str(library),
                "CUDA_VISIBLE_DEVICES": "",  # one GPU is not for three
            },
        )
        self.name = name


class Servers:
    """Some tasks of a cluster, a process each.

    tasks   number of servers
    client  whether one more process is started, as `client`, which listens
            to nobody: `fork` copies it

    The processes start at once and import TensorFlow; ``listen`` waits for
    them.  A context manager; ``close`` ends all.  Raises libraries.Missing
    where there is no C compiler, or no Linux.
    """

    def __init__(self, tasks=2, client=False):
        if lack := missing():
            raise cpp.lacking(lack)
        avoid_proxies()
        self._folder = tempfile.TemporaryDirectory(prefix="servers")
        library = build(self._folder.name)
        self.tasks = [Process(f"task {k}", library) for k in range(tasks)]
        self.client = Process("client", library) if client else None
        self._processes = [*self.tasks, *filter(None, [self.client])]
        self._forks = []
        self.ports, self.wires = [], {}

    def listen(self):
        """Start the servers, on ports that the system gives, and wires.

        Returns where they listen, as `sockets` does.  Raises
        libraries.Missing where one cannot start, as without the guard; all
        processes have ended then.
        """
        try:
            for task in self.tasks:
                self.ports.append(task.ask("listen", limit=LIMIT))
            if self.client:
                self.client.ask("guarded", limit=LIMIT)
        except ProcessError as error:
            self.close()
            raise cpp.lacking(f"server on loopback ({error})") from error
        self._folder.cleanup()
        self.wires = {
            task.name: Wire(port)
            for task, port in zip(self.tasks, self.ports, strict=True)
        }
        return self.sockets()

    def fork(self):
        """Return a copy of the client, whose TensorFlow has run nothing."""
        self._forks.append(self.client.fork())
        return self._forks[-1]

    def led(self):
        """Return how many calls of `bind` were led to loopback."""
        return sum(process.ask("guarded") for process in self._processes)

    def addresses(self, wired=True):
        """Return the tasks' addresses: through the wires, or direct."""
        if wired:
            return [wire.address for wire in self.wires.values()]
        return [f"127.0.0.1:{port}" for port in self.ports]

    def sockets(self):
        """Return {process: [addresses on which it listens]}."""
        return {
            process.name: [
                each.laddr.ip
                for each in psutil.Process(process.pid).net_connections()
                if each.status == psutil.CONN_LISTEN
            ]
            for process in self._processes
        }

    def check(self, patience=0.0):
        """Raise processes.Ended if a task has ended.

        patience  seconds to wait for that: a process that dies closes its
                  connections before it has ended
        """
        until = time.monotonic() + patience
        while True:
            for task in self.tasks:
                if ended := task.ended():
                    raise ended
            if time.monotonic() >= until:
                return
            time.sleep(0.01)

    def close(self):
        """End all processes and wires."""
        for process in (*self._forks, *self._processes):
            process.close()
        for wire in self.wires.values():
            wire.close()
        self._folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
