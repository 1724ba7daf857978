"""The loops of pi_limit beside the machine's limit for their instructions.

The limit of a loop is its own vector instructions where none waits for
another: see `throughput`.  x86-64 with AVX2 or wider.
"""

import dataclasses
import functools
import re
from collections.abc import Callable

from onthefly.experiments.speed import throughput
from onthefly.kernels import pi_limit, pi_limit_c
from onthefly.tools import assembly, cpp

COMPARE = "vpcmp(?!eq)|vcmp|vpmins"  # one for each shot
# Both multiply two pairs of 16 bits and add; the second adds to a sum, too.
MULTIPLY_ADDS = ("vpmaddwd", "vpdpwssd")
TURNS = 2000
IN_C = {
    "C": "hits_int",
    "C vectors": "hits_int_simd",
    "C vectors, lanes": "hits_lanes_simd",
}


@dataclasses.dataclass(frozen=True)
class Freed:
    """A loop whose instructions run without any waiting.

    loop   assembly.Loop
    lanes  shots of an iteration
    call   function of a number that runs the instructions so many times
    count  instructions of one such time
    """

    loop: assembly.Loop
    lanes: int
    call: Callable
    count: int

    @property
    def per_shot(self):
        """Vector instructions of a shot."""
        return len(self.loop.vector) / self.lanes

    @property
    def multiply_adds(self):
        """Instructions that square and add both halves, for a vector."""
        vectors = sum(bool(re.match(COMPARE, x)) for x in self.loop.vector)
        kinds = self.loop.kinds()
        return sum(kinds.get(k, 0) for k in MULTIPLY_ADDS) / vectors

    def run(self):
        """Run the instructions for a sample."""
        self.call(TURNS)

    def a_shot(self, seconds):
        """Return the limit of a shot from the Quantity of `run`."""
        return self.an_instruction(seconds) * self.per_shot

    def an_instruction(self, seconds):
        """Return the time of an instruction from the Quantity of `run`."""
        return seconds / (TURNS * self.count)

    def renamed(self, most=4):
        """Return {instruction: the same, independent}, one of a kind."""
        kinds = {text.split()[0]: text for text in self.loop.vector}
        old = list(kinds.values())[:most]
        new = throughput.independent(old)
        plain = (" ".join(text.split()) for text in old)
        return dict(zip(plain, new, strict=True))


def check():
    """Raise libraries.Missing where no limit can be measured."""
    if lack := throughput.missing():
        raise cpp.lacking(lack.removeprefix("needs "))


@functools.cache
def freed():
    """Return {name: Freed} of the Numba kernels and, with a compiler, of C.

    Raises libraries.Missing for what the processor lacks.
    """
    check()
    loops = {
        f"Numba, {k}": assembly.of(hits).hot_loop(COMPARE)
        for k, hits in pi_limit.KINDS.items()
    }
    if not pi_limit_c.missing():
        compiled = assembly.functions(pi_limit_c.assembly())
        loops |= {k: compiled[f].hot_loop(COMPARE) for k, f in IN_C.items()}
    return {name: _free(name, loop) for name, loop in loops.items()}


def _free(name, loop):
    element = 64 if "float64" in name else 32
    lanes = loop.lanes(COMPARE, element)
    independent = tuple(throughput.independent(loop.vector))
    return Freed(loop, lanes, *throughput.routine(independent))


def runs(loops, ways, shots):
    """Return {name: call}: each loop, its limit, and what gives the cycle.

    loops  {name: Freed}
    ways   {name: function of the shots}
    shots  of a call
    """
    call, _ = throughput.chain()
    limits = {f"limit of {name}": free.run for name, free in loops.items()}
    limits["a cycle"] = functools.partial(call, TURNS)
    return limits | {k: functools.partial(ways[k], shots) for k in loops}


def cycle(times):
    """Return the time of a processor's cycle, from the Timings of `runs`."""
    _, additions = throughput.chain()
    return times.seconds("a cycle") / (TURNS * additions)


def shares(times, loops, shots):
    """Return {name: share of its limit that a loop reaches}.

    times, loops, shots  of `runs`, measured
    """
    return {
        name: (
            free.a_shot(times.seconds(f"limit of {name}"))
            / (times.seconds(name) / shots)
        ).named("%")
        for name, free in loops.items()
    }


def rows(times, loops, shots):
    """Return the rows of a table: instructions, limit and share of each."""
    share = shares(times, loops, shots)
    return [
        {
            "loop": name,
            "vector instructions a shot": round(free.per_shot, 2),
            "most": ", ".join(
                f"{n} {kind}"
                for kind, n in list(free.loop.kinds().items())[:3]
            ),
            "limit a shot": free.a_shot(
                times.seconds(f"limit of {name}")
            ).short,
            "here": (times.seconds(name) / shots).short,
            "share of the limit": share[name].short,
        }
        for name, free in loops.items()
    ]
