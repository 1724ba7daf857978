"""What one unit of a CUDA device can do: kernels of one kind of instruction,
with enough of them in flight that none waits for another.

A thread keeps `CHAINS` numbers of its own and changes each in turn; a device
holds thousands of such threads.  A plain C++ compiler takes the same text,
and NumPy has twins, so that no kernel can lose its work unseen.

Source of the units: the table of arithmetic throughputs in NVIDIA's CUDA
programming guide.
"""

import ctypes
import dataclasses
import functools

import numpy as np

from onthefly.kernels.pi.pi_device_limit import BEFORE, compiled

CHAINS = 8  # numbers of a thread
REPEATS = 8  # changes of each in a turn of the loop
THREADS = 256  # of a block


@dataclasses.dataclass(frozen=True)
class Roof:
    """A kind of instruction.

    kind     C type of a number
    step     C expression of the next a, from a, m and k
    twin     the same of NumPy arrays
    results  instructions of this kind in a step
    scale    the first numbers are multiples of it: they use all their bits
    per_sm   documented results a cycle of a multiprocessor, {compute
             capability: number}
    """

    kind: str
    step: str
    twin: object
    results: int = 1
    per_sm: dict = dataclasses.field(default_factory=dict)
    scale: int = 1


def _w(value):
    return np.uint32(value)


def _wide(a, m, k):
    return (a >> np.uint64(32)) * np.uint64(m) + a


def _fused32(a, m, k):  # the product is exact in double precision
    return (a.astype(np.float64) * m + k).astype(np.float32)


def _halved(a):
    return _fused32(a, 0.5, 1.0)


def _mixed(a, m, k):
    mixed = (a ^ a >> _w(15)).view(np.float32)
    return _halved(_halved(mixed)).view(np.uint32)


INTEGER = {"9.0": 64, "8.9": 64}
ROOFS = {
    # Without k, compilers make one step of two: a ^ a >> 30.
    "shift and logic": Roof(
        "word", "a ^ (a >> 15 | k)",
        lambda a, m, k: a ^ (a >> _w(15) | _w(k)), 2, INTEGER),
    "multiply-add": Roof(
        "word", "a * m + k", lambda a, m, k: a * _w(m) + _w(k), 1, INTEGER),
    "wide product": Roof(
        "wide", "(a >> 32) * m + a", _wide, scale=0x100000001),
    "64-bit multiply-add": Roof(
        "wide", "a * (wide)a + k",
        lambda a, m, k: a * a + np.uint64(k), scale=0x100000001),
    "float32": Roof(
        "float", "halved(a)", lambda a, m, k: _halved(a), 1,
        {"9.0": 128, "8.9": 128}),
    "float64": Roof(
        "double", "fma(a, 0.5, 1.0)",
        lambda a, m, k: a * 0.5 + 1.0, 1, {"9.0": 64, "8.9": 2}),
    "to float32": Roof(
        "word", "bits((float)(int)a)",
        lambda a, m, k: a.view(np.int32).astype(np.float32)
        .view(np.uint32)),
    "to float64": Roof(
        "word", "bits64((double)(int)a)",
        lambda a, m, k: _fold64(a.view(np.int32).astype(np.float64))),
    "any": Roof(
        "word", "bits(halved(halved(number(a ^ a >> 15))))", _mixed, 4,
        {"9.0": 128, "8.9": 128}, 0x70000),
}  # fmt: skip


def _fold64(values):
    both = values.view(np.uint32).reshape(-1, 2)
    return both[:, 0] ^ both[:, 1]


_TEXT = """\
typedef unsigned int word;
typedef unsigned long long wide;
enum { CHAINS = %(chains)d, REPEATS = %(repeats)d };
#define SCALE %(scale)dULL
__device__ word bits(float f) { union { float f; word w; } u = {f};
                                return u.w; }
__device__ float number(word w) { union { word w; float f; } u = {w};
                                  return u.f; }
__device__ float halved(float f) { return fmaf(f, 0.5f, 1.0f); }
__device__ word bits64(double d) { union { double d; word w[2]; } u = {d};
                                   return u.w[0] ^ u.w[1]; }

extern "C" __global__
void roof(word turns, word m, word k, %(kind)s *out, long long *cycles)
{
    word thread = blockIdx.x * blockDim.x + threadIdx.x;
    %(kind)s v[CHAINS];
    for (int i = 0; i < CHAINS; ++i)
        v[i] = (%(kind)s)SCALE * (thread * CHAINS + i);
    long long start = clock64();
    for (word t = 0; t < turns; ++t) {
        #pragma unroll
        for (int r = 0; r < REPEATS; ++r) {
            #pragma unroll
            for (int i = 0; i < CHAINS; ++i) {
                %(kind)s a = v[i];
                v[i] = %(step)s;
            }
        }
    }
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - start;
    for (int i = 0; i < CHAINS; ++i)
        out[(wide)thread * CHAINS + i] = v[i];
}
"""
_AFTER = """\
extern "C" void run(word turns, word m, word k, void *out, word blocks)
{
    static long long cycles[1 << 10];
    gridDim.x = blocks;
    blockDim.x = %d;
    for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++)
        for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++)
            roof(turns, m, k, (%s *)out, cycles);
}
"""
M, K = 0xFFFFFFFB, 0x297A2D39  # odd; M so large that no product vanishes
DTYPES = {"word": np.uint32, "wide": np.uint64, "float": np.float32,
          "double": np.float64}  # fmt: skip


def source(name, repeats=REPEATS):
    """Return the CUDA C of one of the ROOFS."""
    roof = ROOFS[name]
    return _TEXT % {
        "chains": CHAINS,
        "repeats": repeats,
        "kind": roof.kind,
        "step": roof.step,
        "scale": roof.scale,
    }


def steps(turns, threads):
    """Return how often a number is changed in a run of so many threads."""
    return turns * REPEATS * CHAINS * threads


@functools.cache
def build(name):
    """Compile one of the ROOFS for the processor; return its `run`."""
    after = _AFTER % (THREADS, ROOFS[name].kind)
    run = compiled(BEFORE + source(name) + after)
    run.argtypes = [ctypes.c_uint] * 3 + [ctypes.c_void_p, ctypes.c_uint]
    run.restype = None
    return run


def run_host(name, turns, blocks=1):
    """Return the numbers of all threads after so many turns, by C++."""
    dtype = DTYPES[ROOFS[name].kind]
    out = np.zeros(blocks * THREADS * CHAINS, dtype)
    build(name)(turns, M, K, out.ctypes.data, blocks)
    return out


def run_numpy(name, turns, blocks=1):
    """Return the numbers of all threads after so many turns, by NumPy."""
    roof = ROOFS[name]
    count = blocks * THREADS * CHAINS
    kind = DTYPES[roof.kind]
    values = np.arange(count).astype(kind) * kind(roof.scale)
    for _ in range(turns * REPEATS):
        values = roof.twin(values, M, K)
    return values


# What one unit does: it executes one instruction after the other, and its
# times add up.  The last stands for the start of any instruction.
SHARED = {
    "shift and logic": ("shift and logic",),
    "multiplier": ("multiply-add", "wide product"),
    "float32": ("float32",),
    "float64": ("float64",),
    "to float32": ("to float32",),
    "to float64": ("to float64",),
}
START = "any instruction"


def needs(counts, roofs):
    """Return {unit: seconds of UNIT shots that it is busy}, as Quantities.

    counts  {kind: instructions a shot}, as `sass.counted` counts them
    roofs   Timings as `limit_trials.roofs` returns them

    The longest is the roof of the kernel: no unit can be done before.
    """
    seconds = {}
    for name, kinds in SHARED.items():
        parts = [roofs.seconds(kind) * counts[kind]
                 for kind in kinds if counts.get(kind)]  # fmt: skip
        if parts:
            seconds[name] = sum(parts)
    seconds[START] = roofs.seconds("any") * sum(counts.values())
    return seconds


def documented(counts, capability):
    """Return {unit: cycles of a multiprocessor for a shot}, by the guide.

    counts      {kind: instructions a shot}, as `sass.counted` counts them
    capability  compute capability, as "9.0"

    Empty where the guide has no rate for something that a shot needs.
    """
    needed = {}
    for name, kinds in SHARED.items():
        rates = {kind: ROOFS[kind].per_sm.get(capability) for kind in kinds}
        used = [kind for kind in kinds if counts.get(kind)]
        if not all(rates[kind] for kind in used):
            return {}
        if used:
            needed[name] = sum(counts[kind] / rates[kind] for kind in used)
    start = ROOFS["any"].per_sm[capability]
    return needed | {START: sum(counts.values()) / start}


def roof(needed):
    """Return (unit, Quantity) of the longest of what `needs` returns."""
    return max(needed.items(), key=lambda pair: pair[1].value)


def a_cycle(roofs):
    """Return {kind: results a cycle of one multiprocessor}."""
    return {
        name: (roofs.seconds(f"cycles, {name}") / roofs.seconds(name)).named(
            ""
        )
        for name in ROOFS
    }
