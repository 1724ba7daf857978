"""For which vector units does Numba compile, and what does it require?

It compiles for processors that need not be this one: the code is read, and
never run.
"""

import importlib.metadata
import platform
import re

from onthefly.tools.processes import Program

# A processor that has each unit, what its arithmetic is first wide for, and
# its bits.  LLVM avoids vectors of 512 bits on the first that had them, but
# not on this one.
UNITS = {
    "SSE": ("nehalem", "float64", 128),
    "AVX": ("sandybridge", "float64", 256),
    "AVX2": ("haswell", "int64", 256),
    "AVX-512": ("knl", "float64", 512),
}


def missing():
    """Say why no vector unit can be looked for here, or return ""."""
    if platform.machine() in ("x86_64", "AMD64"):
        return ""
    return f"SSE and AVX belong to x86-64, and this is {platform.machine()}"


def vector_units():
    """Return {unit: bits of the vectors that Numba's code for it adds}.

    Raises processes.ProcessError where a process ends.
    """
    module = f"{__package__}.targets_child"
    with Program(module) as program:
        widths = {}
        for unit, (processor, kind, _) in UNITS.items():
            with program.fork() as copy:
                widths[unit] = copy.ask("bits", processor, kind)
    return widths


def required():
    """Return the names of the packages that Numba requires, sorted."""
    lines = importlib.metadata.requires("numba") or []
    names = (re.match(r"[\w.-]+", x)[0] for x in lines if "extra" not in x)
    return sorted(name.lower().replace("-", "_") for name in names)
