"""Count the machine instructions that a call executes, and where.

A copy of the process is stepped instruction by instruction (ptrace), so the
counts are exact, and no machine of the same kind changes them.  Linux on
x86-64 only; any Python from 3.6.
"""

import bisect
import ctypes
import os
import platform
import signal

_TRACEME, _PEEK, _STEP, _KILL = 0, 3, 9, 8
_POINTER = 16 * 8  # of the instruction pointer in struct user
CODE = "compiled code"


def _libc():
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.restype = ctypes.c_long
    libc.ptrace.argtypes = [ctypes.c_long] * 4
    return libc


def _marked(libc, call, size):
    """Let the parent watch a call between two stops, then end.

    One call goes before, for Numba's generators are seeded anew in a copy.
    """
    try:
        call(size)
        if not libc.ptrace(_TRACEME, 0, 0, 0):
            os.kill(os.getpid(), signal.SIGSTOP)
            call(size)
            os.kill(os.getpid(), signal.SIGSTOP)
    finally:
        os._exit(1)


def _places(child, named):
    """Return sorted starts of address ranges, and the name of each.

    Memory of no file is compiled code; `named` are {address: name}.
    """
    places = {0: ""}
    with open("/proc/%d/maps" % child) as maps:
        for line in maps:
            fields = line.split()
            start, end = (int(a, 16) for a in fields[0].split("-"))
            name = os.path.basename(fields[5]) if len(fields) > 5 else CODE
            places[start] = name
            places.setdefault(end, "")
    places.update(named)
    starts = sorted(places)
    return starts, [places[s] for s in starts]


def _count(call, size, named):
    """Return {place: instructions} of a call in a copy, or None."""
    libc, child = _libc(), os.fork()
    if child == 0:
        _marked(libc, call, size)
    if not os.WIFSTOPPED(os.waitpid(child, 0)[1]):
        return None
    starts, names = _places(child, named)
    counts = dict.fromkeys(names, 0)
    while True:
        libc.ptrace(_STEP, child, 0, 0)
        _, status = os.waitpid(child, 0)
        if not os.WIFSTOPPED(status) or os.WSTOPSIG(status) != signal.SIGTRAP:
            break
        here = libc.ptrace(_PEEK, child, _POINTER, 0)
        counts[names[bisect.bisect(starts, here) - 1]] += 1
    libc.ptrace(_KILL, child, 0, 0)
    if os.WIFSTOPPED(status):
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return counts


def executed(call, few, many, named=()):
    """Return {place: instructions} of each further unit of work, or None.

    call   function of a size; it should have run before
    few    a small size, and `many` a large one: what a call costs whatever
           its size drops out of the difference
    named  {address: name} of places inside a library, each up to the next

    A place is ``compiled code`` or a library's file name.  None where the
    system cannot step a process.
    """
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        return None
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})  # each step is a switch
    counts = [_count(call, size, dict(named)) for size in (few, many)]
    os.sched_setaffinity(0, allowed)
    if None in counts:
        return None
    low, high = counts
    per_unit = {
        place: (high[place] - low.get(place, 0)) / (many - few)
        for place in high
    }
    return {place: n for place, n in per_unit.items() if abs(n) >= 0.01}
