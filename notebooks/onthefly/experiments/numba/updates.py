"""Updates that threads lose, and what the compiler makes of an update.

Source of the loops: Okuda, PyCon JP 2018, slide 24.
"""

import numpy as np

from onthefly.kernels.pi.pi_numba_parallel import limited


def lost(function, steps, runs):
    """Return how many updates each run of a parallel loop lost.

    function  called with an array of one cell and the steps; is to leave
              their number in the cell
    steps     updates of a run
    runs      how many runs
    """
    missing = []
    for _ in range(runs):
        cell = np.zeros(1, np.int64)
        function(cell, steps)
        missing.append(steps - int(cell[0]))
    return missing


def promoted(function, *given):
    """Return what the compiler made of an update in a loop's memory.

    function  a compiled function; it is called with what is given

    The lines of LLVM's code that keep a cell of memory in a register for a
    whole loop: from where it is read to where it is written back.  [] where
    there are none.
    """
    function(*given)
    text = function.inspect_llvm(function.signatures[0])
    lines = [line.split(", align")[0].strip() for line in text.splitlines()]
    spots = [k for k, line in enumerate(lines) if "promoted" in line]
    return lines[spots[0] : spots[0] + 3] if spots else []


def results(function, threads):
    """Return how many different results a parallel function gives.

    function  called with the number of threads, once for each
    threads   numbers of threads, as [1, 2, 1, 2]
    """
    seen = set()
    for n in threads:
        with limited(n):
            seen.add(function(n))
    return len(seen)
