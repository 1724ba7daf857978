"""The spin of `spin_raw` on a GPU, from Python threads, on streams.

Import it only where CuPy and a device are present.
"""

import cupy as cp
import numpy as np

from onthefly.kernels.spin import spin_raw

_kernel = cp.RawKernel(spin_raw.CUDA, "spin")
WARP, BLOCK = 32, 1024  # threads of a block: the least, the most


def launch(nanoseconds, spans, threads=WARP):
    """Launch a block for each row of `spans` on the current stream."""
    arguments = np.uint64(nanoseconds), spans
    _kernel((len(spans),), (threads,), arguments)


def span(seconds, stream, blocks=1, threads=WARP):
    """Spin on a stream; wait; return (begin, end, multiprocessors used).

    begin of the first block and end of the last, in ns of the device
    """
    with stream:
        spans = cp.zeros((blocks, 3), cp.uint64)
        launch(round(seconds * 1e9), spans, threads)
        # Wait for this stream and no other; a copy to pageable memory that
        # waits in the driver might keep other threads from launching.
        stream.synchronize()
        times = spans.get()
    places = len(np.unique(times[:, 2]))
    return int(times[:, 0].min()), int(times[:, 1].max()), places


def filling():
    """Return how many blocks of 1024 threads the device holds at once."""
    limits = cp.cuda.Device().attributes
    each = limits["MaxThreadsPerMultiProcessor"] // BLOCK
    return each * limits["MultiProcessorCount"]


def ways(seconds, threads):
    """Return {stream's kind: span(k)} for Python threads k = 0, 1, ….

    Each is to be called by `threads` threads at once.
    """
    null, ptds = cp.cuda.Stream.null, cp.cuda.Stream.ptds
    own = [cp.cuda.Stream(non_blocking=True) for _ in range(threads)]
    full = filling()
    _kernel.compile()  # here, and not in all threads at once
    return {
        "null stream": lambda k: span(seconds, null),
        "per thread": lambda k: span(seconds, ptds),
        "own stream": lambda k: span(seconds, own[k]),
        "full device": lambda k: span(seconds, own[k], full, BLOCK),
    }
