"""π by PyTorch on a device that the caller names: eager, compiled, captured.

One function counts the hits; the ways differ in who runs it.  Float64, as in
the talk; the streams are the process' own, one a device (see `stream`).
Sources: Okuda, PyCon JP 2018, slides 28 and 52.
"""

import functools

from onthefly.kernels import check_shots
from onthefly.tools import cpp
from onthefly.tools.quiet_torch import torch


def stream(seed):
    """Seed the stream of every device; returns None."""
    torch.manual_seed(seed)


def inside_torch(shots, device):
    """Return which of `shots` points hit, as a tensor on `device`."""
    x = torch.rand(shots, dtype=torch.float64, device=device)
    y = torch.rand(shots, dtype=torch.float64, device=device)
    return x * x + y * y <= 1.0


def hits_torch(shots, device="cpu"):
    """Return the hits of `shots` points as a tensor on `device`.

    Waits for nothing: on a GPU the work is only queued.
    """
    return torch.count_nonzero(inside_torch(shots, device))


def pi_torch_device(shots, rng=None, device="cpu"):
    """Return π estimated from `shots` points, one operation at a time.

    `rng` is ignored, here and below: see `stream`.
    """
    shots = check_shots(shots)
    return 4.0 * int(hits_torch(shots, device)) / shots


def pi_torch_nonzero(shots, rng=None, device="cpu"):
    """Return π as the talk's port does: it lists the hits, then counts.

    The list's length is known only when the device has counted, so that
    the program waits for it within.
    """
    shots = check_shots(shots)
    hits = torch.nonzero(inside_torch(shots, device)).size()[0]
    return 4.0 * hits / shots


def pi_torch_moved(shots, rng=None, device="cpu"):
    """Return π from points drawn in main memory and moved to `device`."""
    shots = check_shots(shots)
    x = torch.rand(shots, dtype=torch.float64).to(device)
    y = torch.rand(shots, dtype=torch.float64).to(device)
    return 4.0 * int(torch.count_nonzero(x * x + y * y <= 1.0)) / shots


missing = cpp.missing  # torch.compile writes C++, also for a GPU


def drawn(shots, device):
    """Return numbers from 0 to below 1, of 53 bits, for a compiler to take.

    In a program of Inductor's, ``torch.rand`` draws in float32, of 24 bits,
    and casts, whatever type is asked for; whole numbers it draws to the last
    bit.
    """
    whole = torch.randint(2**53, (shots,), device=device)
    return whole.to(torch.float64) * 2.0**-53


def hits_drawn(shots, device="cpu"):
    """Return the hits as `hits_torch`, of points that `drawn` makes."""
    x, y = drawn(shots, device), drawn(shots, device)
    return torch.count_nonzero(x * x + y * y <= 1.0)


# Headers compiled ahead pay only for those who compile many programs; that
# the processor has the vector instructions it lists needs no trial program.
OPTIONS = {"cpp_cache_precompile_headers": False, "cpp.vec_isa_ok": True}


LARGE = 10**6  # shots: enough for all threads of a processor
PROGRAMS = 64  # of one function; beyond its limit PyTorch compiles none


@functools.cache
def compiled(device="cpu"):
    """Return `hits_drawn` for a device, to be compiled at its first calls.

    Inductor cuts a sum in parts that suit the size it compiles for, and
    keeps them in a program for any size.  So a GPU gets a program for each
    size; a processor, whose compiler takes long, one for all, made at a
    large one.
    """
    torch._dynamo.config.recompile_limit = PROGRAMS
    each = torch.device(device).type != "cpu"
    program = torch.compile(
        hits_drawn, dynamic=not each, fullgraph=True, options=OPTIONS
    )
    if not each:
        with torch.random.fork_rng(devices=[]):  # the caller's seed is kept
            program(LARGE, device)
    return program


def pi_torch_compiled(shots, rng=None, device="cpu"):
    """Return π estimated from `shots` points by a compiled program.

    On a GPU the first call with a number of shots compiles; elsewhere the
    first of all, and the first with one shot.
    """
    shots = check_shots(shots)
    return 4.0 * int(compiled(device)(shots, device)) / shots


@functools.lru_cache(maxsize=16)
def capture(shots):
    """Return a CUDA graph of one count, and the tensor that it fills."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):  # first calls load and allocate: not these
        for _ in range(3):
            hits_torch(shots, "cuda")
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        hits = hits_torch(shots, "cuda")
    return graph, hits


def pi_torch_captured(shots, rng=None):
    """Return π estimated from `shots` points by one replayed CUDA graph.

    The first call with a number of shots captures; its memory stays
    reserved.  Each replay draws new points.
    """
    graph, hits = capture(check_shots(shots))
    graph.replay()
    return 4.0 * int(hits) / shots
