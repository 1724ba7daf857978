"""Compile a loop for a given processor, and read the code."""

import re

import numba
from numba import types

from onthefly.tools import assembly

ADDS = re.compile(r"v?(addpd|paddq)\s")  # packed: several numbers at once


def add_each(v):
    """Add 1 to each element of an array."""
    for i in range(len(v)):
        v[i] += 1


def bits(processor, kind):
    """Return the widest vectors that are added for a processor, in bits.

    processor  as LLVM calls it
    kind       type of the elements: "float64", "int64"

    0 where none are.  Once in a process, before it compiles anything.
    """
    numba.config.CPU_NAME, numba.config.CPU_FEATURES = processor, ""
    array = types.Array(getattr(types, kind), 1, "C")
    compiled = numba.njit((array,))(add_each)
    listing = compiled.inspect_asm(compiled.signatures[0])
    listed = assembly.function(listing).instructions
    widths = [
        assembly.BITS[name]
        for line in listed
        if ADDS.match(line)
        for name, _ in assembly.REGISTER.findall(line)
    ]
    return max(widths, default=0)
