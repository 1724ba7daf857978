"""One process watches what another asks of the system, or each of its steps.

A copy of a process calls `be_watched`; who made it calls `system_calls` or
`instructions`.  What counts lies between two marks, which are calls of
`mark` in the copy.  Linux, on x86-64 and, but for `instructions`, aarch64;
ptrace(2) tells what else may forbid it.
"""

import ctypes
import os
import platform
import signal
import sys

# The numbers of the calls that give an address space memory, or take it.
_MEMORY = {
    "x86_64": {9: "mmap", 11: "munmap", 12: "brk", 25: "mremap"},
    "aarch64": {222: "mmap", 215: "munmap", 214: "brk", 216: "mremap"},
}
_MARK = {"x86_64": 110, "aarch64": 173}  # getppid
_TRACEME, _PEEKTEXT, _PEEKUSER, _STEP = 0, 1, 3, 9
_DETACH, _SYSCALL, _OPTIONS, _INFO = 17, 24, 0x4200, 0x420E
_TELL_CALLS, _END_WITH_PARENT = 1, 1 << 20  # TRACESYSGOOD, EXITKILL
_OF_A_CALL = 0x80  # is added to the signal where a system call stopped it
_RAX, _RIP = 8 * 10, 8 * 16  # offsets in struct user (x86-64)

mark = os.getppid


def be_watched():
    """Stop, and let the parent watch this process, if it may."""
    linux = sys.platform == "linux"  # elsewhere, ptrace is another one
    if linux and _ptrace()(_TRACEME, 0, None, None) == 0:
        os.kill(os.getpid(), signal.SIGSTOP)


def system_calls(child):
    """Return {name: count} of the calls of a child that concern memory.

    child  number of the process, which calls `be_watched`; it is waited for

    None where it may not be watched.
    """
    return _followed(child, _SYSCALL, _Calls())


def instructions(child):
    """Return how many machine instructions a child runs, one by one.

    child  as of `system_calls`

    Returns {"instructions", "branches"}: all, and the conditional jumps
    among them.  None where it may not be watched, and off x86-64.
    """
    return _followed(child, _STEP, _Steps())


def _followed(child, how, watcher):
    """Let a child go on from stop to stop; return what the watcher found.

    how      the stops that are asked for
    watcher  its `look(ptrace, child)` is called at each stop, and counts
             `marks`, until it has seen two of them
    """
    ptrace, stop = _ptrace(), _stopped(child)
    if stop:
        ptrace(_OPTIONS, child, None, _TELL_CALLS | _END_WITH_PARENT)
    handed = 0
    while stop:
        done = watcher.marks == 2
        ptrace(_DETACH if done else how, child, None, handed)
        stop = _stopped(child)
        # What is no stop that we asked for is a signal of the child's own.
        asked = stop in (signal.SIGTRAP, signal.SIGTRAP | _OF_A_CALL)
        handed = 0 if asked else stop
        if asked:
            watcher.look(ptrace, child)
    return watcher.found if watcher.marks == 2 else None


def _stopped(child):
    """Wait for a child; return the signal that stopped it, 0 at its end."""
    status = os.waitpid(child, 0)[1]
    return os.WSTOPSIG(status) if os.WIFSTOPPED(status) else 0


def _ptrace():
    """Return ptrace of the C library; it tells words of memory as numbers."""
    found = ctypes.CDLL(None, use_errno=True).ptrace
    found.restype = ctypes.c_long
    found.argtypes = (*[ctypes.c_int] * 2, *[ctypes.c_void_p] * 2)
    return found


class _Calls:
    """Counts the system calls of a child that concern memory."""

    def __init__(self):
        self.marks, self.found = 0, {}
        self._info = ctypes.create_string_buffer(88)

    def look(self, ptrace, child):
        info, kind = self._info, platform.machine()
        got = ptrace(_INFO, child, len(info), info)
        if got <= 0 or info.raw[0] != 1:  # 1: it enters a call
            return
        number = int.from_bytes(info.raw[24:32], sys.byteorder)
        self.marks += number == _MARK.get(kind)
        name = _MEMORY.get(kind, {}).get(number)
        if self.marks == 1 and name:
            self.found[name] = self.found.get(name, 0) + 1


class _Steps:
    """Counts the machine instructions of a child, on x86-64."""

    def __init__(self):
        self.marks, self.found = 0, {"instructions": 0, "branches": 0}
        self._kinds = {}  # of the instruction at each address

    def look(self, ptrace, child):
        place = ptrace(_PEEKUSER, child, _RIP, None)
        kind = self._kinds.get(place)
        if kind is None:
            kind = self._kinds[place] = _kind(ptrace, child, place)
        if kind == "call":
            number = ptrace(_PEEKUSER, child, _RAX, None)
            self.marks += number == _MARK["x86_64"]
        elif self.marks == 1:
            self.found["instructions"] += 1
            self.found["branches"] += kind == "branch"


def _kind(ptrace, child, place):
    """Return "call", "branch" or "": what an x86-64 instruction is."""
    if platform.machine() != "x86_64":
        return ""
    word = ptrace(_PEEKTEXT, child, place, None)
    code = (word & (1 << 64) - 1).to_bytes(8, "little")
    code = code.lstrip(b"\x2e\x3e\xf2")  # prefixes of jumps
    if code[:2] == b"\x0f\x05":
        return "call"
    near = code[0] == 0x0F and 0x80 <= code[1] <= 0x8F
    return "branch" if near or 0x70 <= code[0] <= 0x7F else ""
