"""The kernel of pi_limit with vectors as LLVM prefers them, and the widest.

For many a processor with vectors of 512 bits LLVM prefers those of 256: the
first ones lowered their clock for the wide ones.  The preference comes with
the processor's name; Numba reads once, at its import, what to do instead:
hence a process of its own for each way.
"""

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
    told = ",".join(filter(None, (features, preference)))
    return processes.Program(
        "onthefly.experiments.speed.vector_width_child",
        environment={"NUMBA_CPU_FEATURES": told},
    )
