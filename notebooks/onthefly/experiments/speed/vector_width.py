"""The kernel of pi_limit with vectors as LLVM prefers them, and the widest.

For many a processor with vectors of 512 bits LLVM prefers those of 256: the
first ones lowered their clock for the wide ones.  The preference comes with
the processor's name; Numba reads once, at its import, what to do instead:
hence a process of its own for each way.
"""

import json
import os
import sys

from onthefly.tools import processes

WIDEST = "-prefer-256-bit"  # takes LLVM's preference back


def missing():
    """Say that the processor has no vectors of 512 bits, or return ""."""
    import llvmlite.binding as llvm

    has = llvm.get_host_cpu_features().get("avx512f")
    return "" if has else "a processor without vectors of 512 bits"


class Kernel(processes.Child):
    """`pi_limit.hits_int` in a process of its own.

    preference  what LLVM is told besides the processor's features, such as
                `WIDEST`
    """

    def __init__(self, preference=""):
        import llvmlite.binding as llvm

        features = llvm.get_host_cpu_features().flatten()
        own = {
            "PYTHONPATH": processes.NOTEBOOKS,
            "NUMBA_CPU_FEATURES": ",".join(filter(None, (features,
                                                         preference))),
        }  # fmt: skip
        command = [sys.executable, "-m", __name__]
        super().__init__(command, os.environ | own)

    def hits(self, shots, key, turns=1):
        """Return the hits of the same shots, counted `turns` times over.

        Many turns, since asking takes time, too.
        """
        return self.ask(int(shots), int(key), turns)

    def bits(self):
        """Return the width of the widest vectors in the kernel."""
        return self.ask("bits")


def main():
    """Answer questions: ["bits"], or [shots, key, turns]."""
    import numpy as np

    from onthefly.kernels.pi_limit import hits_int
    from onthefly.tools import assembly

    text = assembly.of(hits_int)
    bits = max(b for name, b in assembly.BITS.items() if f"%{name}" in text)
    for line in sys.stdin:
        question = json.loads(line)
        if question == ["bits"]:
            found = bits
        else:
            shots, key, turns = question
            found = sum(hits_int(shots, np.uint32(key)) for _ in range(turns))
        print(found, flush=True)


if __name__ == "__main__":
    main()
