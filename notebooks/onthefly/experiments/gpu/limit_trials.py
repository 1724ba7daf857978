"""The limit of a CUDA device, measured there, by CuPy.

Import it only where CuPy sees a device.  Seconds are normalised, so that a
page elsewhere can draw them: `UNIT` shots, instructions or cycles take so
long.
"""

import functools
import time

import cupy as cp
import numpy as np

from onthefly.experiments.gpu import device_roofs
from onthefly.experiments.gpu import energy as energy_meter
from onthefly.kernels import check_shots
from onthefly.kernels.pi import pi_device_limit
from onthefly.measure.clock import measure, sample
from onthefly.measure.timings import Timings
from onthefly.tools import occupancy

UNIT = 10**12
SEED = 2018
BLOCK = pi_device_limit.BLOCK
TUNED = pi_device_limit.TUNED
SAMPLE = 0.02  # seconds that one kernel lasts at least
CHUNK = 1 << 16  # blocks of shots in a launch of a long run


@functools.cache
def kernel(way, unroll=pi_device_limit.UNROLL,
           threads=pi_device_limit.THREADS):  # fmt: skip
    """Return one of the WAYS of pi_device_limit as a kernel of CuPy."""
    return cp.RawKernel(pi_device_limit.source(way, unroll, threads), "hits")


def hits_device(way, shots, seed=SEED, blocks=None, span=None, unroll=8):
    """Return the hits of each block of shots: an array on the device.

    seed    of the run, 64 bits
    blocks  of threads; one a block of shots by default
    span    (first, one after the last) block of shots; all by default
    """
    first, last = span or (0, -(-check_shots(shots) // BLOCK))
    counts = cp.zeros(last - first, cp.uint32)
    numbers = (np.uint64(n) for n in (shots, seed, first, last))
    kernel(way, unroll)(
        (blocks or last - first,),
        (pi_device_limit.THREADS,),
        (*numbers, counts),
    )
    return counts


def hits_on_device(way, shots, seed):
    """Return `hits_device` of a small launch, fetched."""
    return cp.asnumpy(hits_device(way, shots, seed, blocks=3))


def pi_device(shots, way=TUNED):
    """Return π from `shots` points by one of the WAYS, its sum fetched."""
    hits = hits_device(way, shots).sum(dtype=cp.uint64)
    return 4.0 * int(hits) / shots


class _Roof:
    """One of the ROOFS on the device, with its arrays."""

    def __init__(self, name):
        device = occupancy.present_cupy(cp.cuda.Device())
        self.multiprocessors = device.multiprocessors
        self.name, self.results = name, device_roofs.ROOFS[name].results
        self.kernel = cp.RawKernel(device_roofs.source(name), "roof")
        # As many as its registers leave room for: the cycles are those of
        # one block, and a block that waits for a place would not be in them.
        self.blocks = occupancy.wave(
            device, device_roofs.THREADS, self.kernel.num_regs
        )
        self.threads = self.blocks * device_roofs.THREADS
        kind = device_roofs.DTYPES[device_roofs.ROOFS[name].kind]
        self.out = cp.zeros(self.threads * device_roofs.CHAINS, kind)
        self.cycles = cp.zeros(self.blocks, cp.int64)
        self.turns = 16
        self.launch()  # compiles
        while self.run()[0] < SAMPLE:
            self.turns *= 2

    def launch(self):
        numbers = self.turns, device_roofs.M, device_roofs.K
        self.kernel(
            (self.blocks,),
            (device_roofs.THREADS,),
            (*map(np.uint32, numbers), self.out, self.cycles),
        )

    def run(self):
        """Return the seconds by events, and the cycles of the longest."""
        start, end = cp.cuda.Event(), cp.cuda.Event()
        start.record()
        self.launch()
        end.record()
        end.synchronize()
        seconds = cp.cuda.get_elapsed_time(start, end) / 1000
        return seconds, int(self.cycles.max())

    def sample(self):
        """Return the seconds of UNIT results, and of UNIT cycles."""
        seconds, cycles = self.run()
        steps = device_roofs.steps(self.turns, self.threads)
        spent = cycles * self.multiprocessors
        return {
            self.name: seconds * UNIT / (steps * self.results),
            f"cycles, {self.name}": seconds * UNIT / spent,
        }

    def right(self, turns=3):
        """Tell whether the first block's numbers are those of NumPy."""
        before, self.turns = self.turns, turns
        self.launch()
        self.turns = before
        own = device_roofs.run_numpy(self.name, turns)
        return np.array_equal(cp.asnumpy(self.out[: own.size]), own)


def roofs(budget):
    """Return the Timings of each kind of instruction.

    Series "<kind>": seconds of UNIT results; "cycles, <kind>": seconds of
    UNIT cycles, all multiprocessors' together, in the same run.

    Raises ValueError for a kernel whose numbers are not those of NumPy.
    """
    kernels = {name: _Roof(name) for name in device_roofs.ROOFS}
    if wrong := [name for name, roof in kernels.items() if not roof.right()]:
        raise ValueError(f"roofs: other numbers than NumPy's: {wrong}")
    samplers = {name: roof.sample for name, roof in kernels.items()}
    # Each has run, to find how many turns it takes: no call is its first.
    return sample(samplers, budget=budget, first="unknown")


def ways(budget, shots=1 << 36):
    """Return the Timings of UNIT shots by each of the WAYS."""
    calls = {
        way: functools.partial(hits_device, way, shots)
        for way in pi_device_limit.WAYS
    }
    times = Timings.of(measure(calls, budget=budget))
    return times.scaled(UNIT / shots)


def counts_energy():
    """Tell whether the device has a counter of energy that changes.

    A part of a device, as MIG makes them, has none.
    """
    joules = energy_meter.device_counter(cp.cuda.Device().pci_bus_id)
    return joules is not None and energy_meter.runs(joules)


def energy(share, count=6, names=(TUNED, "SplitMix64", "hash, float64")):
    """Return the Timings of the device's energy: see energy_meter.rounds.

    share  of a window that one change of the counter may be

    Raises RuntimeError where the device has no counter.
    """
    joules = energy_meter.device_counter(cp.cuda.Device().pci_bus_id)
    if joules is None:
        raise RuntimeError("energy: this device has no counter")
    shots = 1 << 36
    wait = cp.cuda.Device().synchronize

    def run(way):
        hits_device(way, shots)
        wait()

    loads = {way: (functools.partial(run, way), shots) for way in names}
    return energy_meter.rounds(loads, joules, share, count)


def law(way, shots, seed, seconds):
    """Return the hits of each block of a long run.

    A chain of launches; it ends before so many shots after so many seconds.
    """
    pieces, start, batches = shots // BLOCK, time.perf_counter(), []
    for first in range(0, pieces, CHUNK):
        span = first, min(first + CHUNK, pieces)
        batches.append(cp.asnumpy(hits_device(way, shots, seed, span=span)))
        if time.perf_counter() - start > seconds:
            break
    return np.concatenate(batches)
