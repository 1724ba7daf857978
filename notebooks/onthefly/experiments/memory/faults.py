"""Page faults of calls in this process, and settings that change them.

The settings of the C library's allocator are read once, when a process
starts: `fresh` has processes with some of their own.

Source of the question: Okuda, PyCon JP 2018, slide 32.
"""

import resource

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
