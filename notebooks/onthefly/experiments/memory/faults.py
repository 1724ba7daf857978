"""Page faults and system calls of a call of π, in a process of its own.

The settings of the C library's allocator are read once, when a process
starts.  A :class:`Probe` is such a process: it is asked for a number of
shots, forks, so that each answer starts from the same untouched heap, and
tells the seconds, the page faults and the system calls of a call.

Source of the question: Okuda, PyCon JP 2018, slide 32.
"""

import ctypes
import json
import os
import platform
import resource
import signal
import struct
import sys
import time
from pathlib import Path

from onthefly.tools.processes import Child

NOTEBOOKS = Path(__file__).resolve().parents[3]
PREFIX = "glibc.malloc."

# The numbers of the calls that give an address space memory, or take it.
_CALLS = {
    "x86_64": {9: "mmap", 11: "munmap", 12: "brk", 25: "mremap",
               28: "madvise"},
    "aarch64": {222: "mmap", 215: "munmap", 214: "brk", 216: "mremap",
                233: "madvise"},
}  # fmt: skip
_MARK = {"x86_64": 110, "aarch64": 173}  # getppid: where counting turns on
_TRACEME, _SYSCALL, _OPTIONS, _INFO = 0, 24, 0x4200, 0x420E


def settings(tunables=None, hugepage=None):
    """Return the environment variables of allocator settings.

    tunables  {name: bytes} of glibc's malloc, e.g. ``{"top_pad": 2**26}``
    hugepage  False: NumPy asks for no huge pages
    """
    found = {}
    if tunables:
        pairs = (f"{PREFIX}{k}={v}" for k, v in tunables.items())
        found["GLIBC_TUNABLES"] = ":".join(pairs)
    if hugepage is not None:
        found["NUMPY_MADVISE_HUGEPAGE"] = str(int(hugepage))
    return found


def faults():
    """Return the page faults of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


def of_call(job, *arguments, repeats=5):
    """Return the page faults of a call in this process, all threads' own.

    The median of `repeats` calls, after one that is not counted.
    """
    job(*arguments)
    counts = []
    for _ in range(repeats):
        before = faults()
        job(*arguments)
        counts.append(faults() - before)
    return sorted(counts)[repeats // 2]


def in_turns(jobs, repeats=7):
    """Return {name: page faults of a call}, counted in turns.

    jobs  {name: function without arguments}

    Each turn calls each once, so that none finds only its own memory; the
    median of the turns.
    """
    counts = {name: [] for name in jobs}
    for _ in range(repeats):
        for name, job in jobs.items():
            before = faults()
            job()
            counts[name].append(faults() - before)
    return {name: sorted(c)[repeats // 2] for name, c in counts.items()}


def thread_bytes(library):
    """Return the bytes of thread-local data that a library declares.

    library  path of an ELF file of 64 bits

    The C library allocates them for a thread when it first uses any.
    Raises ValueError for another kind of file.
    """
    with open(library, "rb") as file:
        head = file.read(64)
        if head[:5] != b"\x7fELF\x02":
            raise ValueError(f"{library}: not an ELF file of 64 bits")
        order = "<" if head[5] == 1 else ">"
        start, size, count = struct.unpack(f"{order}32xQ14x2H6x", head)
        file.seek(start)
        for _ in range(count):
            kind, _, _, _, _, _, bytes_, _ = struct.unpack(
                f"{order}2I6Q", file.read(size)
            )
            if kind == 7:  # PT_TLS
                return bytes_
    return 0


class Probe(Child):
    """A process with settings of its own; a context manager.

    environment  variables, see `settings`
    """

    def __init__(self, environment=()):
        clean = {
            k: v
            for k, v in os.environ.items()
            if k not in ("GLIBC_TUNABLES", "NUMPY_MADVISE_HUGEPAGE")
            and not (k.startswith("MALLOC_") and k.endswith("_"))
        }
        super().__init__(
            [sys.executable, "-m", "onthefly.experiments.memory.faults"],
            {
                **clean,
                "PYTHONPATH": str(NOTEBOOKS),
                "OPENBLAS_NUM_THREADS": "1",  # a process that forks
                **dict(environment),
            },
        )

    def ask(
        self, shots, way="whole", *, freed=0, pin=False, reuse=False, trace=0
    ):
        """Return {seconds, faults} of a call, or {system call: count}.

        way    "whole", "chunks" or "buffers" (pi_numpy's ways)
        freed  bytes of one array that is made and freed beforehand
        pin    keep an array of 100 kB that lies above the one that is freed
        reuse  let NumPy reuse a temporary beforehand, for its first time
        trace  count system calls over so many calls instead; None where
               the system does not let one process watch another

        Raises RuntimeError where the process has ended.
        """
        return super().ask(shots, way, freed, pin, reuse, trace)


def _ways():
    from onthefly.kernels import pi_numpy as arrays

    return {
        "whole": arrays.pi_numpy,
        "chunks": arrays.pi_numpy_chunks,
        "buffers": arrays.pi_numpy_buffers,
    }


def _time(call, least=0.004):
    """Return seconds and page faults a call, of a loop of calls."""
    start = time.perf_counter()
    for _ in range(3):  # warm: the allocator learns from what is freed
        call()
    loops = 1 + int(least * 3 / (time.perf_counter() - start))
    before, start = faults(), time.perf_counter()
    for _ in range(loops):
        call()
    taken = time.perf_counter() - start
    return {"seconds": taken / loops, "faults": (faults() - before) / loops}


def _traced(call, loops):
    """Let the parent see this process's system calls between two marks."""
    if ctypes.CDLL(None).ptrace(_TRACEME, 0, None, None):
        os._exit(1)  # not allowed here
    os.kill(os.getpid(), signal.SIGSTOP)
    for _ in range(3):
        call()
    os.getppid()
    for _ in range(loops):
        call()
    os.getppid()
    os._exit(0)


def _watch(child, loops):
    """Return {system call: count a call} of a traced child, or None.

    Each stop of the child is one entry or one exit of a system call.
    """
    kind = platform.machine()
    names, libc = _CALLS.get(kind), ctypes.CDLL(None, use_errno=True)
    info, marks, found = ctypes.create_string_buffer(88), 0, {}
    if not os.WIFSTOPPED(os.waitpid(child, 0)[1]):
        return None
    libc.ptrace(_OPTIONS, child, None, ctypes.c_void_p(1))
    while True:
        libc.ptrace(_SYSCALL, child, None, None)
        _, status = os.waitpid(child, 0)
        if not os.WIFSTOPPED(status):
            break
        size = ctypes.c_void_p(len(info))
        got = libc.ptrace(_INFO, child, size, info)
        if got <= 0 or info.raw[0] != 1 or names is None:  # 1: an entry
            continue
        number = int.from_bytes(info.raw[24:32], sys.byteorder)
        marks += number == _MARK[kind]
        if marks == 1 and number in names:
            found[names[number]] = found.get(names[number], 0) + 1
    if marks != 2:
        return None
    return {name: count / loops for name, count in found.items()}


def _prepare(freed, pin, reuse):
    """Make and free arrays; return what is to be kept meanwhile."""
    import numpy as np

    big = np.empty(freed, np.uint8)
    kept = np.empty(100_000, np.uint8) if pin else None
    del big
    if reuse:
        x = np.ones(2**15)
        x * x + x  # x * x is a temporary; the sum is written into it
    return kept


def _answer(shots, way, freed, pin, reuse, trace):
    """Fork, measure in the child, and return what it found."""
    import numpy as np

    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        rng, pi = np.random.default_rng(shots), _ways()[way]
        kept = _prepare(freed, pin, reuse)

        def call():
            return pi(shots, rng), kept  # which lives as long as the calls

        if trace:
            _traced(call, trace)
        os.write(write, json.dumps(_time(call)).encode())
        os._exit(0)
    os.close(write)
    found = _watch(child, trace) if trace else None
    with os.fdopen(read) as file:
        text = file.read()
    if not trace:
        os.waitpid(child, 0)
        found = json.loads(text)
    return found


def main():
    """Answer each line of standard input with one of standard output."""
    _ways()  # NumPy is loaded once, before any fork
    for line in sys.stdin:
        print(json.dumps(_answer(*json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
