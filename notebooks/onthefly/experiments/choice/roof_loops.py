"""The compiled loops that measure the roofs.

Reading, copying and triad after McCalpin's STREAM; polynomials, which compute
as much as one likes for each number that they move.
"""

import functools

import numba

from onthefly.experiments.choice.roofs import Loop


# A sum in any order has several chains, so that it does not wait for itself.
@numba.njit(nogil=True, fastmath={"reassoc", "nsz"})
def read(x, times):
    total = 0.0
    for _ in range(times):
        for k in range(x.size):
            total += x[k]
    return total


@numba.njit(nogil=True)
def copy(x, y, times):
    for _ in range(times):
        for k in range(x.size):
            y[k] = x[k]


@numba.njit(nogil=True)
def triad(x, y, z, times):
    for _ in range(times):
        for k in range(x.size):
            z[k] = x[k] + 3.0 * y[k]


READING = Loop(read, 1, 1)
COPYING = Loop(copy, 2, 0)
TRIAD = Loop(triad, 3, 2)


@functools.cache
def horner(degree):
    """Return the Loop that computes a polynomial of this degree.

    Its elements wait for nothing, so that many are under way at once.  A
    product and the sum behind it may become one instruction (FMA); nothing
    else of the arithmetic is relaxed.
    """

    @numba.njit(nogil=True, fastmath={"contract"})
    def run(x, y, times):
        for _ in range(times):
            for k in range(x.size):
                value = x[k]
                for _ in range(degree):
                    value = value * x[k] + 0.5
                y[k] = value

    return Loop(run, 2, 2 * degree)
