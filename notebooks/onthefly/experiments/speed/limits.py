"""The loops of pi_limit beside the machine's limit for their instructions.

The limit of a loop is its own vector instructions where none waits for
another: see `throughput`.  x86-64 with AVX2 or wider.
"""

import dataclasses
import functools
import re

from onthefly.experiments.speed import throughput
from onthefly.kernels.pi import pi_limit, pi_limit_c, pi_vectors
from onthefly.tools import assembly, cpp

# One for each shot: a comparison, or the shift that takes a bit out.
COMPARE = r"vpcmp(?!eq)|vcmp|vpmins|vpsrld\s+\$30"
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
    """A loop's vector instructions, which can run without any waiting.

    per_shot       how many there are for a shot
    multiply_adds  those that square and add both halves, for a vector
    kinds          {instruction: how many in the loop}
    renamed        {instruction: the same, independent}, some of them
    count          instructions of a turn of `call`
    """

    per_shot: float
    multiply_adds: float
    kinds: dict
    renamed: dict
    count: int

    def a_shot(self, seconds):
        """Return the limit of a shot from the Quantity of a run."""
        return self.an_instruction(seconds) * self.per_shot

    def an_instruction(self, seconds):
        """Return the time of an instruction from the Quantity of a run."""
        return seconds / (TURNS * self.count)


def check():
    """Raise libraries.Missing where no limit can be measured."""
    if lack := throughput.missing():
        raise cpp.lacking(lack.removeprefix("needs "))


@functools.cache
def loops():
    """Return {name: assembly.Loop} of Numba's kernels and, where built, C's.

    Raises libraries.Missing for what the processor lacks.
    """
    check()
    kernels = pi_limit.KINDS | {"vectors": pi_vectors.hits_vectors}
    found = {
        f"Numba, {k}": assembly.of(hits).hot_loop(COMPARE)
        for k, hits in kernels.items()
    }
    if not pi_limit_c.missing():
        compiled = assembly.functions(pi_limit_c.assembly())
        found |= {k: compiled[f].hot_loop(COMPARE) for k, f in IN_C.items()}
    return found


def instructions():
    """Return {name: fields of a Freed} of each of `loops`."""
    return {
        name: dataclasses.asdict(freed(name, loop))
        for name, loop in loops().items()
    }


def of(told):
    """Return {name: Freed} from what `instructions` says."""
    return {name: Freed(**fields) for name, fields in told.items()}


def freed(name, loop, most=4):
    """Return the Freed of a loop, with so many instructions renamed."""
    kinds = loop.kinds()
    vectors = sum(bool(re.match(COMPARE, x)) for x in loop.vector)
    old = list({text.split()[0]: text for text in loop.vector}.values())
    plain = [" ".join(text.split()) for text in old[:most]]
    return Freed(
        len(loop.vector)
        / loop.lanes(COMPARE, 64 if "float64" in name else 32),
        sum(kinds.get(k, 0) for k in MULTIPLY_ADDS) / vectors,
        dict(kinds),
        dict(zip(plain, throughput.independent(old[:most]), strict=True)),
        _routine(loop)[1],
    )


def _routine(loop):
    return throughput.routine(tuple(throughput.independent(loop.vector)))


@functools.cache
def call(name):
    """Return call(turns), which runs a loop's instructions so many times."""
    return _routine(loops()[name])[0]


def runs(names, ways, shots):
    """Return {name: call}: each loop, its limit, and what gives the cycle.

    names  of `loops`
    ways   {name: function of the shots}
    shots  of a call
    """
    limits = {f"limit of {k}": functools.partial(_run, k) for k in names}
    limits["a cycle"] = _additions
    return limits | {k: functools.partial(ways[k], shots) for k in names}


def _run(name):
    call(name)(TURNS)


def _additions():
    throughput.chain()[0](TURNS)


def cycle(times):
    """Return the time of a processor's cycle, from the Timings of `runs`."""
    return times.seconds("a cycle") / (TURNS * throughput.REPEATS)


def shares(times, freed, shots):
    """Return {name: share of its limit that a loop reaches}.

    times  Timings of `runs`
    freed  {name: Freed}
    shots  of a call
    """
    return {
        name: (
            free.a_shot(times.seconds(f"limit of {name}"))
            / (times.seconds(name) / shots)
        ).named("%")
        for name, free in freed.items()
    }


def rows(times, freed, shots):
    """Return the rows of a table: instructions, limit and share of each."""
    share = shares(times, freed, shots)
    return [
        {
            "loop": name,
            "vector instructions a shot": round(free.per_shot, 2),
            "most": ", ".join(
                f"{n} {kind}" for kind, n in list(free.kinds.items())[:3]
            ),
            "limit a shot": free.a_shot(
                times.seconds(f"limit of {name}")
            ).short,
            "here": (times.seconds(name) / shots).short,
            "share of the limit": share[name].short,
        }
        for name, free in freed.items()
    ]
