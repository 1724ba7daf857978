"""The program of `fresh`: it answers each question in a copy of itself.

It has loaded NumPy and little else, and each copy starts from the same
untouched heap.
"""

import contextlib
import gc
import json
import mmap
import os
import time

import cloudpickle
import numpy as np

from onthefly.experiments.memory.faults import faults
from onthefly.tools import ptrace

WARM = 3  # calls before those that count: the allocator learns from them
LEAST = 0.004  # seconds that the calls of one answer last, at least
LEARNT = 100  # calls after which the interpreter no longer adapts a loop


def cost(job, arguments, calls):
    """Return the seconds and page faults of a call, over so many calls."""
    before, start = faults(), time.perf_counter()
    for _ in range(calls):
        job(*arguments)
    seconds = time.perf_counter() - start
    return seconds / calls, (faults() - before) // calls


def faults_alone(shots):
    """Get memory for four arrays of `shots` float64, touch it, give it back.

    The memory is private, as an array's is: a shared page costs more.
    """
    pages = 4 * 8 * shots // mmap.PAGESIZE
    size = pages * mmap.PAGESIZE
    with mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE) as memory:
        memory[:: mmap.PAGESIZE] = bytes(pages)


def timed(work, size):
    """Return (seconds, page faults) of a call in a fresh process.

    work  what `fresh.Fresh` sends: (job, arguments, before), pickled
    size  of the arguments
    """

    def measured():
        with _prepared(work, size) as (job, arguments):
            cost(job, arguments, 1)
            warm, _ = cost(job, arguments, WARM - 1)
            return cost(job, arguments, 1 + int(LEAST / warm))

    return _in_a_copy(measured)


def traced(work, size, calls=4):
    """Return {"page faults", "brk", …: count} of a call, watched."""

    def measured():
        with _prepared(work, size) as (job, arguments):
            cost(job, arguments, WARM)
            ptrace.be_watched()
            ptrace.mark()
            _, count = cost(job, arguments, calls)
            ptrace.mark()
            return count

    count, seen = _in_a_copy(measured, ptrace.system_calls)
    each = {name: round(n / calls) for name, n in (seen or {}).items()}
    return {"page faults": count} | each


def stepped(work, size):
    """Return what `ptrace.instructions` does, of a call in its last shape."""

    def measured():
        with _prepared(work, size) as (job, arguments):
            cost(job, arguments, LEARNT)
            ptrace.be_watched()
            ptrace.mark()
            job(*arguments)
            ptrace.mark()

    return _in_a_copy(measured, ptrace.instructions)[1]


@contextlib.contextmanager
def _prepared(work, size):
    """Give (job, arguments) after what came before, of which all is kept."""
    job, make, before = cloudpickle.loads(work)
    kept = [prepare(*given) for prepare, given in before]
    gc.disable()
    yield job, make(size) if make else (size,)
    del kept


def _in_a_copy(work, watch=None):
    """Return what work() returns in a fresh process.

    watch  function of the process's number: its answer is returned, too

    Raises RuntimeError with the text of what the work raised.
    """
    read, write = os.pipe()
    copy = os.fork()
    if copy == 0:
        with _last(write):
            os.write(write, json.dumps({"result": work()}).encode())
    os.close(write)
    seen = watch(copy) if watch else os.waitpid(copy, 0)
    with os.fdopen(read) as file:
        text = file.read() or '{"error": "the process ended"}'
    answer = json.loads(text)
    if "error" in answer:
        raise RuntimeError(answer["error"])
    return (answer["result"], seen) if watch else answer["result"]


@contextlib.contextmanager
def _last(write):
    """End the process after the block; what it raises is said in the pipe."""
    try:
        yield
    except BaseException as error:  # the reader's own work may fail
        # Cut, for who watches reads it late, and a pipe holds little.
        said = {"error": f"{type(error).__name__}: {error}"[:4000]}
        os.write(write, json.dumps(said).encode())
    finally:
        os._exit(0)


def _settle():
    """Let NumPy do now, once, what each fresh process would do late.

    Its first reuse of a temporary makes notes for the thread, which stay.
    Made later, they could lie above a call's arrays and hold them.
    """
    x = np.ones(2**15)
    x * x + x
    cloudpickle.loads(cloudpickle.dumps(np.random.default_rng()))


_settle()
