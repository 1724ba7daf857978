"""A kernel that spins for a set time and writes down when and where.

One CUDA C source.  CuPy compiles it for a GPU (spin_cupy); `calls` compiles
it for the processor as C++, where a thread that is let go of the GIL stands
for a stream, and one that holds it for the null stream.  Sources: the
question of Okuda, PyCon JP 2018, slide 47; special registers %globaltimer
and %smid of NVIDIA's PTX.
"""

import ctypes
import functools

import numpy as np

from onthefly.tools import cpp

FLAGS = ["-O2"]
missing = cpp.missing

SOURCE = """\
extern "C" __global__
void spin(unsigned long long length, unsigned long long *spans)
{
    unsigned long long begin = nanoseconds(), end;
    do end = nanoseconds(); while (end - begin < length);
    if (threadIdx.x == 0) {
        spans[3 * blockIdx.x] = begin;
        spans[3 * blockIdx.x + 1] = end;
        spans[3 * blockIdx.x + 2] = place();
    }
}
"""

# The clock of the whole device, and the multiprocessor.  Without `volatile`
# the compiler may read the clock once and spin for ever.  How often the clock
# moves on depends on the card, from 32 ns to a millisecond: spin for longer.
CUDA = (
    """\
__device__ unsigned long long nanoseconds()
{
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}
__device__ unsigned place()
{
    unsigned multiprocessor;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
    return multiprocessor;
}
"""
    + SOURCE
)

# The same two for the processor, and what CUDA adds to C++: for a block of
# one thread, in each thread that calls.
HOST = (
    """\
#include <sched.h>
#include <time.h>
#define __global__
struct Index { unsigned x; };
static thread_local Index blockIdx, threadIdx;
static unsigned long long nanoseconds()
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ULL + now.tv_nsec;
}
static unsigned place() { return sched_getcpu(); }
"""
    + SOURCE
)


@functools.cache
def calls():
    """Compile the kernel for the processor; return {way: span(seconds)}.

    "GIL released" lets other threads run meanwhile, "GIL held" does not;
    both return (begin, end) in ns and the core.  Raises CalledProcessError
    where the compiler refuses the source.
    """
    loaders = {"GIL held": ctypes.PyDLL, "GIL released": ctypes.CDLL}
    with cpp.built(HOST, FLAGS) as path:
        return {
            way: functools.partial(_span, load(path).spin)
            for way, load in loaders.items()
        }


def _span(spin, seconds):
    """Spin once; return (begin, end, place)."""
    spans = np.zeros(3, np.uint64)
    address = ctypes.c_void_p(spans.ctypes.data)
    spin(ctypes.c_ulonglong(round(seconds * 1e9)), address)
    return tuple(map(int, spans))
