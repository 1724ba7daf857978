"""A call of π in a copy of this process: seconds, faults, system calls.

The program of `faults_probe.Probe`.  It loads NumPy once and forks for each
answer, so that each starts from the same untouched heap.
"""

import contextlib
import ctypes
import json
import os
import platform
import signal
import sys
import time

import numpy as np

from onthefly.experiments.memory.faults import faults
from onthefly.kernels import pi_numpy

WAYS = {
    "whole": pi_numpy.pi_numpy,
    "chunks": pi_numpy.pi_numpy_chunks,
    "buffers": pi_numpy.pi_numpy_buffers,
}

# The numbers of the calls that give an address space memory, or take it.
_CALLS = {
    "x86_64": {9: "mmap", 11: "munmap", 12: "brk", 25: "mremap",
               28: "madvise"},
    "aarch64": {222: "mmap", 215: "munmap", 214: "brk", 216: "mremap",
                233: "madvise"},
}  # fmt: skip
_MARK = {"x86_64": 110, "aarch64": 173}  # getppid: where counting turns on
_TRACEME, _SYSCALL, _OPTIONS, _INFO = 0, 24, 0x4200, 0x420E
LEAST = 0.004  # seconds that a loop of calls lasts, about


def timed(*state):
    """Return (seconds, page faults) of a call, of a loop of calls.

    state  as of `_prepared`

    Raises RuntimeError where the copy fails.
    """
    read, write = os.pipe()
    copy = os.fork()
    if copy == 0:
        with _last(write):
            found = _loop(_prepared(*state))
            os.write(write, json.dumps(found).encode())
    return tuple(json.loads(_said(copy, read, write)))


def system_calls(calls, *state):
    """Return {system call: count a call} over so many calls.

    state  as of `_prepared`

    None where the system does not let one process watch another.  Raises
    RuntimeError where the copy fails.
    """
    read, write = os.pipe()
    copy = os.fork()
    if copy == 0:
        with _last(write):
            os.write(write, b"null")
            _traced(_prepared(*state), calls)
    found = _watch(copy, calls)
    _said(copy, read, write)
    return found


@contextlib.contextmanager
def _last(write):
    """End the process after the block; what it raises is said in the pipe."""
    try:
        yield
    except BaseException as error:
        os.write(write, b"!" + repr(error).encode())
    finally:
        os._exit(0)


def _said(copy, read, write):
    """Return what a copy that ends has said in its pipe."""
    os.close(write)
    with os.fdopen(read) as file:
        text, _, error = file.read().partition("!")
    with contextlib.suppress(ChildProcessError):  # waited for already
        os.waitpid(copy, 0)
    if error or not text:
        raise RuntimeError(error or "the copy ended")
    return text


def _prepared(shots, way, freed, pin, reuse):
    """Return a call of π; first bring the heap into a state.

    shots  of the call, which also seed it
    way    one of WAYS
    freed  bytes of one array that is made and freed
    pin    keep an array of 100 kB that lies above the one that is freed
    reuse  let NumPy reuse a temporary, for its first time
    """
    rng, pi = np.random.default_rng(shots), WAYS[way]
    big = np.empty(freed, np.uint8)
    kept = np.empty(100_000, np.uint8) if pin else None
    del big
    if reuse:
        x = np.ones(2**15)
        x * x + x  # x * x is a temporary; the sum is written into it

    def call():
        return pi(shots, rng), kept  # which lives as long as the calls

    return call


def _loop(call):
    """Return seconds and page faults a call, of a loop of calls."""
    start = time.perf_counter()
    for _ in range(3):  # warm: the allocator learns from what is freed
        call()
    loops = 1 + int(LEAST * 3 / (time.perf_counter() - start))
    before, start = faults(), time.perf_counter()
    for _ in range(loops):
        call()
    taken = time.perf_counter() - start
    return taken / loops, (faults() - before) / loops


def _traced(call, loops):
    """Let the parent see this process's system calls between two marks."""
    if ctypes.CDLL(None).ptrace(_TRACEME, 0, None, None):
        return  # not allowed here
    os.kill(os.getpid(), signal.SIGSTOP)
    for _ in range(3):
        call()
    os.getppid()
    for _ in range(loops):
        call()
    os.getppid()


def _watch(copy, loops):
    """Return {system call: count a call} of a traced copy, or None.

    Each stop of the copy is one entry or one exit of a system call.
    """
    kind = platform.machine()
    names, libc = _CALLS.get(kind), ctypes.CDLL(None, use_errno=True)
    info, marks, found = ctypes.create_string_buffer(88), 0, {}
    if not os.WIFSTOPPED(os.waitpid(copy, 0)[1]):
        return None
    libc.ptrace(_OPTIONS, copy, None, ctypes.c_void_p(1))
    while True:
        libc.ptrace(_SYSCALL, copy, None, None)
        _, status = os.waitpid(copy, 0)
        if not os.WIFSTOPPED(status):
            break
        size = ctypes.c_void_p(len(info))
        got = libc.ptrace(_INFO, copy, size, info)
        if got <= 0 or info.raw[0] != 1 or names is None:  # 1: an entry
            continue
        number = int.from_bytes(info.raw[24:32], sys.byteorder)
        marks += number == _MARK[kind]
        if marks == 1 and number in names:
            found[names[number]] = found.get(names[number], 0) + 1
    if marks != 2:
        return None
    return {name: count / loops for name, count in found.items()}
