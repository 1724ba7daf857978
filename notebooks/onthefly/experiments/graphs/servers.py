"""Servers of TensorFlow in processes of their own, on loopback only.

A server listens on all addresses of a machine, so a small library stands
before its ``bind`` (tensorflow_preload.c).  Without a C compiler there is no
such library, and no server.  The processes end with this one, however it
ends: they leave at the end of their standard input.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

from onthefly.experiments.graphs.counting_wire import Wire
from onthefly.tools import cpp
from onthefly.tools.processes import Child

HERE = pathlib.Path(__file__).parent
SOURCE = HERE / "preload.c"
LIMIT = 120  # seconds to import TensorFlow and to start, on a busy machine


class ServerError(RuntimeError):
    """A server that cannot start, or has ended: one line."""


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


def excerpt(start, end):
    """Return the part of the C source from one text to another."""
    text = SOURCE.read_text()
    first = text.index(start)
    return text[first : text.index(end, first) + len(end)].rstrip()


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


class Process(Child):
    """A process with TensorFlow behind the library: see tensorflow_child.

    library  what ``build`` made

    What it writes on its standard error is kept for the day that it ends
    with an error; TensorFlow warns there of each step that it tidies up.
    """

    def __init__(self, library):
        # Read by ``end``; closed and gone with this object.
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115
        super().__init__(
            [sys.executable, HERE / "server_child.py"],
            {
                **os.environ,
                "LD_PRELOAD": str(library),
                "PYTHONPATH": str(HERE.parents[2]),
                "CUDA_VISIBLE_DEVICES": "",  # one GPU is not for three
            },
            self._errors,
        )

    def ask(self, *question, limit=LIMIT):
        """Return the answer; raises ServerError where it cannot answer."""
        answer = super().ask(*question, limit=limit)
        if "error" in answer:
            raise ServerError(answer["error"])
        return answer["answer"]

    @property
    def pid(self):
        """The number of the process."""
        return self._process.pid

    def end(self):
        """Return "" while it runs, then its status and last words."""
        status = self._process.poll()
        if status is None:
            return ""
        self._errors.seek(0)
        words = self._errors.read().strip().split("\n")[-1][:100]
        return f"status {status}; {words}".rstrip("; ")


class Servers:
    """Some tasks of a cluster, a process each, and one more as a client.

    tasks  number of servers

    The processes start at once and import TensorFlow; ``listen`` waits for
    them.  `client` is the process that listens to nobody.  A context
    manager; ``close`` ends all.
    """

    def __init__(self, tasks=2):
        avoid_proxies()
        self._folder = tempfile.TemporaryDirectory(prefix="servers")
        library = build(self._folder.name)
        self.tasks = [Process(library) for _ in range(tasks)]
        self.client = Process(library)
        self.ports, self.wires = [], {}

    def listen(self):
        """Start the servers, on ports that the system gives, and wires.

        Returns "", or in one line why there are no servers; all processes
        have ended then.
        """
        try:
            self.ports = [task.ask("listen") for task in self.tasks]
            self.client.ask("ready")
        except RuntimeError as error:
            self.close()
            return f"no server: {error}"
        self._folder.cleanup()
        for number, port in enumerate(self.ports):
            self.wires[f"task {number}"] = Wire(port)
        return ""

    def addresses(self, wired=True):
        """Return the tasks' addresses: through the wires, or direct."""
        if wired:
            return [wire.address for wire in self.wires.values()]
        return [f"127.0.0.1:{port}" for port in self.ports]

    def sockets(self):
        """Return {process: [addresses on which it listens]}."""
        import psutil

        processes = {f"task {k}": p for k, p in enumerate(self.tasks)}
        return {
            name: [
                each.laddr.ip
                for each in psutil.Process(p.pid).net_connections("inet")
                if each.status == psutil.CONN_LISTEN
            ]
            for name, p in {**processes, "client": self.client}.items()
        }

    def check(self):
        """Raise ServerError if a task has ended."""
        for number, task in enumerate(self.tasks):
            if end := task.end():
                raise ServerError(f"task {number} has ended: {end}")

    def close(self):
        """End all processes and wires."""
        for process in (*self.tasks, self.client):
            process.__exit__()
        for wire in self.wires.values():
            wire.__exit__()
        self._folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
