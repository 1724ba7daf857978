"""Programs in processes of their own: one protocol for all of them.

A program is a module whose functions answer.  It runs under this Python or
another one, from 3.6 on::

    with Program("onthefly.experiments.numba.stacks_child", python=old) as p:
        p.ask("seconds", "Numba", shots, loops)

Arguments and answers are what pickle can send; they go over a socket, and
what the program prints goes to a file, so that no pipe can fill.  A program
has a process group of its own, which ends with its `Program`, and with this
process, however that ends; under a `subreaper`, all that it has started does.
"""

import contextlib
import functools
import os
import pickle
import signal
import socket
import subprocess
import sys
import tempfile
import time

from onthefly import folders
from onthefly.tools import child, subreaper

LIMIT = 600  # seconds to wait for an answer: more than any takes
END = 1  # second that a program has to end by itself, before it is killed


class ProcessError(RuntimeError):
    """Why a program gave no answer, in one line."""


class Failed(ProcessError):
    """A function of the program raised; `trace` is the traceback's text.

    Where an import did, the cause is an ImportError with the module's name.
    """

    def __init__(self, name, text, trace=""):
        super().__init__(f"{name}: {text}")
        self.text, self.trace = text, trace


class Late(ProcessError):
    """The program gave no answer in time, and has been ended."""


class Ended(ProcessError):
    """The program ended without an answer.

    status  of its process: below zero the signal that ended it; None where
            nobody can tell
    words   the last line that it printed
    """

    def __init__(self, name, status, words=""):
        super().__init__(f"{name} ended: {status}; {words}".rstrip("; "))
        self.status, self.words = status, words

    @property
    def how(self):
        """How it ended: a signal's name, or "exit status 1"."""
        if self.status is None or self.status >= 0:
            return f"exit status {self.status}"
        with contextlib.suppress(ValueError):
            return signal.Signals(-self.status).name
        return f"signal {-self.status}"


class _Channel:
    """One socket to a process that answers: see `Program` and `Fork`."""

    def __init__(self, name, end):
        self.name, self._socket = name, end

    def ask(self, function, *arguments, limit=LIMIT, **options):
        """Return what a function of the program returns there.

        function  its name in the program's module, or a function that can
                  be found by its name in a module
        limit     seconds to wait

        Raises Failed with the text of an error, Late, or Ended.
        """
        self.send(function, *arguments, **options)
        return self.receive(limit)

    def send(self, function, *arguments, **options):
        """Ask, and do not wait: `receive` gives the answer."""
        if isinstance(function, str):
            question = None, function, arguments, options
        else:
            home, name = function.__module__, function.__qualname__
            question = home, name, arguments, options
        with contextlib.suppress(OSError):  # it has ended: `receive` tells
            child.send(self._socket.fileno(), question)

    def receive(self, limit=LIMIT):
        """Return the answer to what was sent first; raises as `ask`."""
        until = time.monotonic() + limit
        try:
            (size,) = child.HEAD.unpack(self._read(child.HEAD.size, until))
            kind, value = pickle.loads(self._read(size, until))
        except TimeoutError:
            self.close()
            line = f"{self.name} gave no answer in {limit:g} s"
            raise Late(line) from None
        except (EOFError, OSError):
            raise self._ended() from None
        if kind == "error":
            text, trace, module = value
            cause = ImportError(text, name=module) if module else None
            raise Failed(self.name, text, trace) from cause
        return value

    def _read(self, size, until):
        parts = []
        while size:
            self._socket.settimeout(max(until - time.monotonic(), 1e-3))
            part = self._socket.recv(min(size, 1 << 20))
            if not part:
                raise EOFError
            parts.append(part)
            size -= len(part)
        self._socket.settimeout(None)
        return b"".join(parts)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Program(_Channel):
    """A module in a process of its own.

    module       its full name
    python       path of the interpreter
    environment  {variable: text, or None to leave it out}, beside this
                 process's own
    log          file that takes what it prints; by default one that is read
                 for the last words of a program that ends
    reap         end with it what left its process group, too (Linux, and
                 this Python)

    A context manager, which ends it.
    """

    def __init__(
        self,
        module,
        *,
        python=sys.executable,
        environment=None,
        log=None,
        reap=False,
    ):
        mine, theirs = socket.socketpair()
        super().__init__(module.rpartition(".")[2], mine)
        self._log = _opened(log)
        gone, self._lifeline = os.pipe()
        reap = reap and sys.platform == "linux"
        starter = subreaper if reap else child
        command = [python, "-m", starter.__name__, module]
        with theirs:
            self._process = subprocess.Popen(
                [*map(str, command), str(theirs.fileno()), str(gone)],
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=self._log,
                pass_fds=(theirs.fileno(), gone),
                start_new_session=True,
                env=_environment(python, environment or {}),
            )
        os.close(gone)

    @property
    def pid(self):
        """The number of the process (of its subreaper), and of its group."""
        return self._process.pid

    def ended(self):
        """Return the Ended of a program that has ended, or None."""
        return None if self._process.poll() is None else self._ended()

    def fork(self, environment=None, log=os.devnull):
        """Return a Fork of the program as it is now.

        environment  {variable: text} that the copy sets
        log          path of a file that takes what it prints
        """
        mine, theirs = socket.socketpair()
        with theirs:
            self.send(child.FORK, environment or {}, str(log))
            with contextlib.suppress(OSError):
                socket.send_fds(self._socket, [b"+"], [theirs.fileno()])
            return Fork(self.name, mine, self.receive())

    def _ended(self):
        self._wait()
        return Ended(self.name, self._process.poll(), self._last_words())

    def _last_words(self):
        if self._log is None:  # closed
            return ""
        data = os.pread(self._log, 1 << 16, max(0, _size(self._log) - 2**16))
        return data.decode(errors="replace").strip().split("\n")[-1][:200]

    def end(self):
        """End the process at once, from whichever thread (Linux).

        Who waits for its answer gets Ended.
        """
        if self._lifeline is not None:
            lifeline, self._lifeline = self._lifeline, None
            os.close(lifeline)

    def close(self):
        """End the process, and what it has started."""
        self._socket.close()
        if self._log is None:
            return
        self._wait()
        self.end()
        self._wait()  # for a subreaper, which ends all the others
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._log)
        self._log = None

    def _wait(self):
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(END)


class Fork(_Channel):
    """A copy of a program's process: see `Program.fork`."""

    def __init__(self, name, end, pid):
        super().__init__(name, end)
        self.pid = pid

    def _ended(self):
        return Ended(self.name, None)

    def close(self):
        """End the process."""
        self._socket.close()
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)


class Lazy:
    """A program, or what else has a `close`, made when it is first used.

    make  function without arguments that makes it

    A context manager.
    """

    def __init__(self, make):
        self._make = make

    @functools.cached_property
    def _made(self):
        return self._make()

    def __getattr__(self, name):
        return getattr(self._made, name)

    def close(self):
        """Close it, if it was made."""
        if "_made" in vars(self):
            self._made.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def _opened(log):
    """Return the number of a file to write to; of one without a name."""
    if log:
        return os.open(log, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
    number, name = tempfile.mkstemp()
    os.unlink(name)
    return number


def _size(number):
    return os.fstat(number).st_size


def _environment(python, changes):
    """Return the variables of a process."""
    own = dict(os.environ)
    # Another interpreter must not find the packages of this one.
    same = os.path.realpath(python) == os.path.realpath(sys.executable)
    paths = [own.get("PYTHONPATH", "")] if same else []
    paths = [str(folders.PACKAGE.parent), *filter(None, paths)]
    own |= {"PYTHONPATH": os.pathsep.join(paths), **changes}
    return {k: v for k, v in own.items() if v is not None}


def answer(module, function, *arguments, limit=LIMIT, python=sys.executable,
           environment=None, **options):  # fmt: skip
    """Return what one function of a program returns; then end the program.

    Arguments as of `Program` and of `Program.ask`, which say what is raised.
    """
    with Program(module, python=python, environment=environment) as program:
        return program.ask(function, *arguments, limit=limit, **options)
