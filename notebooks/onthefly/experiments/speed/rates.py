"""Is a core's clock ahead of the speed that its processor is sold with?

The time stamp counter runs at that speed, whatever the cores do.  A core that
is ahead of it has its turbo on; one that is not may have it off, or be held
back.  x86-64 with AVX2, under Linux.
"""

import pathlib
import re

from onthefly.experiments.speed import throughput
from onthefly.measure import clock

TURNS = 20_000
LOOKS = 100  # the fastest counts: what disturbs one makes it slower
TURBO = 1.05  # a clock that is ahead by more than this has its turbo on
CPUINFO = pathlib.Path("/proc/cpuinfo")


def ahead():
    """Return how many times as fast a core's clock is as the counter.

    None where the system does not tell.
    """
    import llvmlite.binding as llvm

    if throughput.missing() or not (counter := _counter()):
        return None
    llvm.initialize_native_target()  # as Numba does
    call, additions = throughput.chain()
    call(TURNS)
    fastest = min(clock.seconds(call, TURNS) for _ in range(LOOKS))
    return TURNS * additions / fastest / counter


def _counter():
    """Return how often the counter counts in a second, or None.

    Linux makes its BogoMIPS from it, two a count.
    """
    try:
        text = CPUINFO.read_text("utf-8")
    except OSError:
        return None
    told = re.search(r"^bogomips\s*: ([\d.]+)", text, re.M)
    steady = re.search(r"^flags.* constant_tsc\b", text, re.M)
    return float(told[1]) * 1e6 / 2 if told and steady else None
