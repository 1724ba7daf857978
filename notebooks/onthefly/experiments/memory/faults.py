"""Page faults of calls in this process, and settings that change them.

The settings of the C library's allocator are read once, when a process
starts: see faults_probe for processes that have some.

Source of the question: Okuda, PyCon JP 2018, slide 32.
"""

import resource
import struct

PREFIX = "glibc.malloc."


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
