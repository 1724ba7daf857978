"""The kernel of pi_limit with vectors as LLVM prefers them, and the widest.

For many a processor with vectors of 512 bits LLVM prefers those of 256: the
first ones lowered their clock for the wide ones.  The preference comes with
the processor's name; Numba reads once, at its import, what to do instead:
hence a process of its own for each way.
"""

import functools

from onthefly.kernels.pi import pi_limit
from onthefly.measure import clock
from onthefly.tools import processes

WIDEST = "-prefer-256-bit"  # takes LLVM's preference back


def missing():
    """Say that the processor has no vectors of 512 bits, or return ""."""
    import llvmlite.binding as llvm

    has = llvm.get_host_cpu_features().get("avx512f")
    return "" if has else "a processor without vectors of 512 bits"


def kernel(preference=""):
    """Return a Program that answers `vector_width_child.hits` and `.bits`.

    preference  what LLVM is told besides the processor's features, such as
                `WIDEST`
    """
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features().flatten()
    options = ",".join(filter(None, (features, preference)))
    return processes.Program(
        "onthefly.experiments.speed.vector_width_child",
        environment={"NUMBA_CPU_FEATURES": options},
    )


def measured(shots, key, budget, turns=20):
    """Return the Timings of the kernel in vectors of both widths.

    shots   of a run
    key     of its stream, 32 bits
    budget  seconds
    turns   runs of a call, since asking takes time, too

    A name is the width in bits, and who chose it.  Raises ValueError where
    one counts other hits than the kernel of this process.
    """
    hits = turns * int(pi_limit.hits_int(shots, key))
    with kernel() as preferred, kernel(WIDEST) as widest:
        children = {"as LLVM prefers": preferred, "the widest": widest}
        calls = {
            f"{child.ask('bits')} bits, {way}": functools.partial(
                child.ask, "hits", shots, int(key), turns
            )
            for way, child in children.items()
        }
        if wrong := [name for name, call in calls.items() if call() != hits]:
            raise ValueError(f"other hits: {', '.join(wrong)}")
        return clock.measure(calls, budget=budget)
