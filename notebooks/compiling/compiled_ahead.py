"""What *Compiled ahead* concludes."""

from onthefly.experiments.numba.ahead_of_time import AS_PYTHON, REFUSED, WAYS
from onthefly.kernels.problems import PROBLEMS
from onthefly.page import answer, expect, figure, table

RIVALS = ("Cython", "Pythran", "C")
TAKERS = (*WAYS, "Numba")


def _met(times, *ways, most=100_000):
    """Return the largest size, up to `most`, at which all were measured."""
    every = [set(times.sizes(way)) for way in ways]
    return max(n for n in set.intersection(*every) if n <= most)


def _ends(quantities):
    """Return the least and the largest."""
    ranked = sorted(quantities, key=lambda q: q.value)
    return ranked[0], ranked[-1]


def sizes(times):
    return {name: _met(t, "Numba", *RIVALS) for name, t in times.items()}


def over_numba(times, sizes):
    return {
        way: {k: t.ratio("Numba", way, sizes[k]) for k, t in times.items()}
        for way in RIVALS
    }


def over_python(times):
    return {
        name: t.ratio(
            "Python", "mypyc", _met(t, "Python", "mypyc", most=10**7)
        )
        for name, t in times.items()
    }


def on_loops(over_numba, over_python):
    """Return the gains but for π, a matter of the generator, and words."""
    return {
        way: {k: q for k, q in gains.items() if k not in ("pi", "words")}
        for way, gains in (over_numba | {"mypyc": over_python}).items()
    }


def ends(on_loops):
    return {way: _ends(gains.values()) for way, gains in on_loops.items()}


@figure(x="Cython: times as fast as Numba", log=True, reference=1)
def headline(over_numba):
    """Eight problems by Cython, with data that a cache holds."""
    return over_numba["Cython"]


def on_text(times):
    words = times["words"]
    return {
        way: words.ratio("Python", way, _met(words, "Python", way))
        for way in ("Numba", "Cython", "mypyc")
    }


@table
def speeds(sizes, over_numba, over_python):
    """Times as fast; mypyc at its largest size."""
    return [
        {"problem": PROBLEMS[name].title, "size": f"{size:,}"}
        | {f"{way} over Numba": over_numba[way][name].short for way in RIVALS}
        | {"mypyc over Python": over_python[name].short}
        for name, size in sizes.items()
    ]


def handed(long, many):
    return long.ratio("Numba's array", "NumPy's array", many)


def like_c(long, many):
    return long.ratio("C, NumPy's array", "NumPy's array", many)


@expect
def the_array(handed, like_c):
    return handed > 1.2, like_c > 0.8


@answer("numba-long-result")
def numba_long_result(the_array):
    """It is the array, not the code: of {many:,} values of a cubic a compiled
    loop is {handed.as_speed} before when NumPy makes the array that it writes
    into, and then {like_c.as_speed} C. Make long results by `np.empty`, and
    hand them over.
    """
    return the_array


def build_ends(builds):
    return _ends([builds.seconds(way) for way in WAYS])


def ahead_first(firsts):
    return _ends([firsts.seconds(way) for way in WAYS])[1]


@expect
def waits(firsts):
    return [firsts.ratio("Numba", way) > 10 for way in WAYS]


@table
def waiting(builds, weights, firsts):
    """What has to be waited for, and by whom."""
    return [
        {
            "compiled by": way,
            "build": builds.seconds(way).short if way in WAYS else None,
            "extension": f"{weights[way] / 1e6:.2g} MB"
            if way in WAYS
            else "",
            "import and first call": firsts.seconds(way).short,
        }
        for way in TAKERS
    ]


@table
def each_makes(limits):
    """What each makes of plain Python."""
    return [{"with": what} | said for what, said in limits.items()]


def takes(limits):
    made = {way: [said[way] for said in limits.values()] for way in TAKERS}
    return {way: said.count(AS_PYTHON) for way, said in made.items()}


@expect
def takes_all(limits):
    return [
        said["Cython"] == said["mypyc"] == AS_PYTHON
        for said in limits.values()
    ]


@expect
def goes_wrong(limits):
    product = limits["a number beyond 64 bits"].values()
    return any(said not in (AS_PYTHON, REFUSED) for said in product)


def saved(firsts):
    return firsts.ratio("Numba", "Cython")


@answer("cython-or-numba")
def cython_or_numba(on_loops, saved, over_numba, on_text):
    """Numba, while you change it or use it yourself: loops over numbers by
    Cython are within a factor of two of it. Cython where others import it,
    whose import and first call are then {saved.as_speed} Numba's, and for
    words, which it counts {over_numba[Cython][words].as_speed} Numba. mypyc
    where it stays plain Python with hints.
    """
    words = over_numba["Cython"]["words"] > 1, on_text["Numba"] < 1
    near = [(gain > 0.5, gain < 2) for gain in on_loops["Cython"].values()]
    return near, saved > 1, words, [q > 1 for q in on_loops["mypyc"].values()]
