"""The moving average in C, called by ctypes."""

import ctypes

from onthefly.folders import PACKAGE
from onthefly.tools import cpp

DOUBLES = ctypes.c_double.from_buffer


def build():
    """Return `decay`; raises libraries.Missing without a C compiler."""
    loop = cpp.function(
        PACKAGE / "programs/bindings/bindings_ctypes.c",
        "decay",
        [cpp.DOUBLES, cpp.DOUBLES, ctypes.c_size_t],
    )

    def decay(x, y):
        loop(DOUBLES(x), DOUBLES(y), x.size)

    return decay
