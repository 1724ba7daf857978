"""The map: who wins at a size, for so many calls, on so many cores, and why.

One table for each number of cores.  A tile that is not resolved, or lies
beyond what was measured, has no winner: it says what would find one.
"""

import templates
from onthefly.kernels.methods import KINDS
from onthefly.predict import decisive, measurements, sentences
from onthefly.terminal.words import counted

SIZES = (10, 1000, 10**5, 10**7)
CALLS = (1, 1000, 10**6)
CORES = (1, 4, 16)  # beside the machine's own


def tables(every, here, problem):
    """Return the map of a problem as HTML: this machine's, others folded.

    every  {machine: {name of a problem: Choices}}
    here   name of the machine whose map comes first

    No variant on a device is in, but in a table of its own, "with the GPU".
    """
    own = every[here][problem]
    cores = counted(own.workers, "cores")
    maps = [_table(own, own.workers)]
    if any(KINDS[variant].library for variant in own.costs):
        title = f"{cores}, with the GPU"
        maps.append(_table(own, own.workers, title, device=True))
    for workers in sorted({*CORES} - {own.workers}):
        choices, machine = measurements.for_cores(
            every, here, problem, workers
        )
        title = _title(choices, machine != here, workers)
        maps.append(_table(choices, workers, title))
    return templates.render(
        "choice_map.html",
        unit=own.problem.unit.capitalize(),
        columns=[counted(calls, "calls") for calls in CALLS],
        tables=maps,
    )


def _title(choices, recorded, workers):
    """Say of how many cores a table is, and whose numbers it has."""
    cores = counted(workers, "cores")
    if recorded:
        return f"{cores}: recorded, {choices.measured.origin}"
    if workers > choices.workers:
        return f"{cores}: predicted from 1 and {choices.workers}"
    return cores


def _table(choices, workers, title="", device=False):
    """Return what the template needs of a table."""
    rows = [
        (
            f"{n:,}",
            [_tile(choices, n, calls, workers, device) for calls in CALLS],
        )
        for n in SIZES
    ]
    guess = any(sentences.EXTRAPOLATED in str(row) for row in rows)
    cores = counted(workers, "cores")
    return {
        "title": title,
        "label": f"{choices.problem.name}, {cores}"
        + ", with the GPU" * device,
        "rows": rows,
        "legend": guess and sentences.legend(choices),
    }


def _tile(choices, n, calls, workers, device):
    """Return one tile: the winner, its gain, and which part of it decides."""
    options = {"calls": calls, "workers": workers, "device": device}
    best = choices.winner(n, **options)
    mark = sentences.guessed(choices, best.variant, n)
    if best.beyond:
        return {
            "way": "",
            "small": f"not measured: {_lacking(choices, best, n)}",
        }
    if best.rivals:
        names = sentences.left_open(choices, best)
        again = sentences.again(choices.measured.preset)
        least = sentences.least_gain(choices, best, n, **options)
        gain = f"; {least.short}{mark} or more" if least else ""
        return {"way": "", "small": f"{names}: {again}{gain}"}
    way = sentences.name(choices, best.variant)
    why = decisive.part(choices, best, n, **options)
    if best.variant == "Python" or not best.gain:
        return {"way": way, "gain": "", "small": why}
    return {
        "way": way,
        "gain": best.gain.short + mark,
        "small": "; ".join(filter(None, [best.gain.interval, why])),
    }


def _lacking(choices, best, n):
    """Say what would measure what lies beyond what was measured."""
    if any(n > choices.limit(variant) for variant in best.among):
        return sentences.measures(choices.measured.preset, n)
    return f"it had {counted(choices.workers, 'cores')}"
