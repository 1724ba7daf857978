"""Processes whose TensorFlow has settings of its own.

TensorFlow reads its numbers of threads, and some environment variables, when
it runs its first operation; later changes come too late.  A worker is forked
from a server that has imported TensorFlow and run nothing, so that many
workers pay for one import.
"""

import ctypes
import importlib
import multiprocessing
import os
import tempfile
import time
from pathlib import Path

NOTEBOOKS = str(Path(__file__).resolve().parents[3])

_forked = multiprocessing.get_context("forkserver")
_fresh = multiprocessing.get_context("spawn")


def start_server():
    """Let the server import TensorFlow, in the background, with oneDNN on.

    In this process oneDNN is off, if it has not imported TensorFlow yet:
    that is decided at the import.
    """
    from multiprocessing import forkserver

    before = dict(os.environ)
    os.environ["TF_ENABLE_ONEDNN_OPTS"] = "1"
    os.environ["PYTHONPATH"] = os.pathsep.join(
        [NOTEBOOKS, *before.get("PYTHONPATH", "").split(os.pathsep)]
    )
    _forked.set_forkserver_preload(["onthefly.tools.quiet_tensorflow"])
    try:
        forkserver.ensure_running()
    finally:
        os.environ.clear()
        os.environ.update(before, TF_ENABLE_ONEDNN_OPTS="0")


def _serve(pipe, intra, inter, log, environment):
    """Answer questions until the other end of the pipe is closed."""
    os.environ.update(environment)
    if log:
        os.environ["TF_CPP_MIN_LOG_LEVEL"] = "0"
        with open(log, "wb") as file:
            os.dup2(file.fileno(), 2)
    from onthefly.tools.quiet_tensorflow import tf

    tf.config.threading.set_intra_op_parallelism_threads(intra)
    tf.config.threading.set_inter_op_parallelism_threads(inter)
    while True:
        try:
            module, function, arguments, options = pipe.recv()
        except EOFError:
            return
        try:
            f = getattr(importlib.import_module(module), function)
            pipe.send((True, f(*arguments, **options)))
        except Exception as error:
            pipe.send((False, f"{type(error).__name__}: {error}"))


class Worker:
    """A process with its own TensorFlow; ``ask`` it to call a function.

    intra        threads that share one operation; 0: all cores
    inter        operations that run side by side; 0: all cores
    fresh        start a new interpreter, for variables that TensorFlow
                 reads at its import; slower
    log          path of a file for all lines of its log, information too
    environment  environment variables

    It ends when it is closed, and when this process ends, however it does.
    """

    def __init__(self, intra=0, inter=0, fresh=False, log="", **environment):
        context = _fresh if fresh else _forked
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve,
            args=(theirs, intra, inter, log, environment),
            daemon=True,
        )
        self._process.start()
        theirs.close()

    def ask(self, function, *arguments, **options):
        """Return what a function of some module returns in the worker.

        function   one that can be found by its name in its module
        Raises RuntimeError for an exception, or if the process has ended.
        """
        try:
            name = function.__module__, function.__name__
            self._pipe.send((*name, arguments, options))
            good, answer = self._pipe.recv()
        except (EOFError, OSError):
            self._process.join()
            status = self._process.exitcode
            raise RuntimeError(f"worker ended: {status}") from None
        if not good:
            raise RuntimeError(f"worker: {answer}")
        return answer

    def close(self):
        """End the process; TensorFlow takes its time to end by itself."""
        self._pipe.close()
        self._process.kill()
        self._process.join()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


ORDERS = {
    "": "eager",
    "disable": "graph",
    "disable, enable": "eager",
    "disable, operate, enable": "refused",
    "operate, disable": "graph",
}


def modes_found():
    """Return {statements: mode} of ORDERS, each in a process of its own."""
    found = {}
    for order in ORDERS:
        with Worker() as worker:
            answer = worker.ask(modes, *filter(None, order.split(", ")))
        found[order] = answer if answer in ORDERS.values() else "refused"
    return found


def keep_memory():
    """Let this process keep the memory that it frees; True where it does.

    glibc's allocator then asks the system for no array on its own, and
    gives nothing back, so that pages are touched for the first time once.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except AttributeError:  # another C library
        return False
    trim_threshold, top_pad, mmap_max = -1, -2, -4
    asked = ((mmap_max, 0), (trim_threshold, 2**30), (top_pad, 2**28))
    return all([mallopt(*pair) for pair in asked])


def cores_used(function, *arguments, calls=3):
    """Return processor seconds over seconds of calls: 2.0 is two cores."""
    function(*arguments)
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in range(calls):
        function(*arguments)
    return (time.process_time() - cpu) / (time.perf_counter() - wall)


def modes(*steps):
    """Take steps, and return the mode that a program then is in.

    steps  "disable" or "enable" eager execution, "operate": make a tensor

    Returns "eager" or "graph", or the message of the step that is refused.
    For a worker that has run no operation yet.
    """
    from onthefly.tools.quiet_tensorflow import tf

    actions = {
        "disable": tf.compat.v1.disable_eager_execution,
        "enable": tf.compat.v1.enable_eager_execution,
        "operate": lambda: tf.constant(0),
    }
    for step in steps:
        try:
            actions[step]()
        except ValueError as error:
            return str(error)
    return "eager" if tf.executing_eagerly() else "graph"


def own_words(function):
    """Return what TensorFlow says of its build when it runs a function.

    The lines of its log that name oneDNN or the processor's instructions.
    """
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log")
        with Worker(fresh=True, log=log) as worker:
            worker.ask(function)
        lines = Path(log).read_text().splitlines()
    said = [line.split("] ")[-1] for line in lines]
    return [s for s in said if "oneDNN" in s or "instructions" in s]
