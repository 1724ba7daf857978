"""The ways of pi_device_limit beside each other: their hits, their
instructions, and the roofs that follow.
"""

import functools

import numpy as np
from IPython.display import Markdown, display

from onthefly.experiments.gpu import device_roofs, energy, sass
from onthefly.kernels.pi import pi_device_limit as limit
from onthefly.kernels.pi import pi_limit


def show_source(way):
    """Show the CUDA C of one of the WAYS, from its hash on."""
    text = limit.source(way)
    _show(text[text.index("#define KEY") :])


def show_step(kind):
    """Show the loop of the kernel that measures a kind of instruction."""
    text = device_roofs.source(kind)
    start = text.index("    long long start")
    _show(text[start : text.index("    if (thread")])


def _show(text):
    display(Markdown(f"```cpp\n{text.rstrip()}\n```"))


def same_hits(places, sizes, seed):
    """Tell whether each way finds the hits of its NumPy twin.

    places  {name: function of (way, shots, seed) that returns the hits of
            each block of shots}
    sizes   numbers of shots
    seed    of the runs, 64 bits

    Returns {way: {place: bool}}.  Raises libraries.Missing where a place
    lacks its compiler.
    """
    rows = {}
    for way in limit.WAYS:
        twins = [limit.hits_numpy(way, n, seed) for n in sizes]
        rows[way] = {
            name: all(
                np.array_equal(hits(way, n, seed), twin)
                for n, twin in zip(sizes, twins, strict=True)
            )
            for name, hits in places.items()
        }
    return rows


def instructions():
    """Return {way: {kind: instructions a shot}}, who compiled them, and "".

    Counted here where NVIDIA's tools are; else as recorded, and the last
    says what is missing.
    """
    per_shot = {}
    for way in limit.WAYS:
        turn, compiler = sass.counted(functools.partial(limit.source, way))
        shots = 4 if way == "Philox" else 1  # of a turn of the loop
        per_shot[way] = {kind: n / shots for kind, n in turn.items()}
    return per_shot, compiler, sass.missing()


def rows(counts):
    """Return the rows of a table: the instructions of each way by kind.

    counts  as `instructions` returns them
    """
    kinds = [k for k in sass.UNITS if any(k in c for c in counts.values())]
    return [
        {"way": way, "all": f"{sum(own.values()):.4g}"}
        | {k: f"{own[k]:.3g}" if k in own else "" for k in reversed(kinds)}
        for way, own in counts.items()
    ]


def roofs_of(counts, capability):
    """Return {way: (fullest unit, cycles a shot)} by NVIDIA's guide.

    counts      as `instructions` returns them
    capability  compute capability, as "9.0"

    A way that needs what the guide has no rate for is left out.
    """
    fullest_of = {}
    for way, own in counts.items():
        needed = device_roofs.documented(own, capability)
        if needed:
            fullest = max(needed, key=needed.get)
            fullest_of[way] = fullest, round(needed[fullest], 3)
    return fullest_of


def processor_energy(joules, seed, threads, share):
    """Return the Timings of the processor's energy, as energy.rounds.

    joules   counter, as energy.processor_counter returns it
    seed     of the runs
    threads  that share a run
    share    of a window that one change of the counter may be
    """
    shots = 1 << 28
    run = functools.partial(
        pi_limit.hits_limit_threads, shots, threads, np.uint64(seed)
    )
    return energy.rounds({"all cores": (run, shots)}, joules, share)
