"""What the page on Numba, Cython, Pythran and mypyc concludes."""

from onthefly.experiments.numba.ahead_of_time import AS_PYTHON, REFUSED, WAYS
from onthefly.kernels.problems import PROBLEMS
from onthefly.page import answer, expect, figure, table
from onthefly.page.showing import program

RIVALS = ("Cython", "Pythran")


def _met(times, *ways, most=100_000):
    """Return the largest size, up to `most`, at which all were measured."""
    every = [set(times.sizes(way)) for way in ways]
    return max(n for n in set.intersection(*every) if n <= most)


def sizes(times):
    return {name: _met(t, "Numba", *RIVALS) for name, t in times.items()}


def over_numba(times, sizes):
    return {
        way: {k: t.ratio("Numba", way, sizes[k]) for k, t in times.items()}
        for way in RIVALS
    }


def of_lists(times):
    """Return {problem: the largest size of mypyc and plain Python}."""
    return {
        name: _met(t, "Python", "mypyc", most=10**7)
        for name, t in times.items()
    }


def over_python(times, of_lists):
    return {
        name: t.ratio("Python", "mypyc", of_lists[name])
        for name, t in times.items()
    }


def on_loops(over_numba, over_python):
    """Return the gains but for π, a matter of the generator, and words."""
    return {
        way: {k: q for k, q in gains.items() if k not in ("pi", "words")}
        for way, gains in (over_numba | {"mypyc": over_python}).items()
    }


def ends(on_loops):
    """Return the least and the largest gain of each."""
    ranked = {
        way: sorted(gains.values(), key=lambda q: q.value)
        for way, gains in on_loops.items()
    }
    return {way: (gains[0], gains[-1]) for way, gains in ranked.items()}


@figure(x="Cython: times faster than Numba", log=True, reference=1)
def headline(over_numba):
    """Eight problems by Cython, with data that fit in a cache. Left of 1
    Numba is faster. Cython is far ahead only for π and for words.
    """
    return over_numba["Cython"]


def text_size(times):
    return _met(times["words"], "Python", "Numba")


def on_text(times):
    words = times["words"]
    return {
        way: words.ratio("Python", way, _met(words, "Python", way))
        for way in ("Numba", "Cython", "mypyc")
    }


@table
def speeds(sizes, over_numba, over_python, of_lists):
    """Times faster; below 1, slower."""
    return [
        {"problem": PROBLEMS[name].title, "size": f"{size:,}"}
        | {f"{way} over Numba": over_numba[way][name].short for way in RIVALS}
        | {"mypyc over Python": over_python[name].short}
        | {"size, mypyc": f"{of_lists[name]:,}"}
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
    """Allocate the result with `np.empty` and pass it to the compiled loop:
    for {many:,} elements the same loop is then {handed.about} faster. Its
    speed is then that of C, so the array was slow, not the code.
    """
    return the_array


@expect
def waits(firsts):
    return [
        (firsts.ratio("Numba", way) > 10, firsts.seconds(way) < 0.01)
        for way in WAYS
    ]


@table
def waiting(builds, firsts):
    """Who waits: the author for the build, each user for the first call."""
    return [
        {
            "compiled by": way,
            "build": builds.seconds(way).short if way in WAYS else None,
            "import and first call": firsts.seconds(way).short,
        }
        for way in (*WAYS, "Numba")
    ]


@table
def each_makes(limits):
    """What each makes of plain Python."""
    return [
        {"with": what} | {way: _marked(s) for way, s in said.items()}
        for what, said in limits.items()
    ]


def _marked(said):
    right = said in (AS_PYTHON, REFUSED)
    return said if right else f"wrong, without an error: {said}"


@expect
def takes_all(limits):
    return [
        said["Cython"] == said["mypyc"] == AS_PYTHON
        for said in limits.values()
    ]


@expect
def goes_wrong(limits):
    product = limits["a number beyond 64 bits"]["Numba"]
    return product not in (AS_PYTHON, REFUSED)


def saved(firsts):
    return firsts.ratio("Numba", "Cython")


@answer("cython-or-numba")
def cython_or_numba(on_loops, saved, over_numba, on_text):
    """Use Numba for your own programs, Cython or Pythran for a module that
    others import, and mypyc for code that stays plain Python with type hints.
    Loops over numbers by Cython are within a factor of two of Numba's, and
    import and first call are {saved.about} faster.
    """
    words = over_numba["Cython"]["words"] > 1, on_text["Numba"] < 1
    near = [(gain > 0.5, gain < 2) for gain in on_loops["Cython"].values()]
    return near, saved > 1, words, [q > 1 for q in on_loops["mypyc"].values()]


def binding_code():
    """Return the loop's files, one a tool."""
    names = "_numba.py", "_cython.pyx", "_pybind11.cpp", "_ctypes.c"
    files = [f"programs/bindings/bindings{name}" for name in names]
    return program(*files, "programs/bindings/crate/src/lib.rs")


@table
def bindings(bound, built, lengths):
    """The same loop by five tools: a call, and the build (by Numba, the first
    call). Made on one core.
    """
    return [
        {"tool": tool}
        | {f"{n:,} numbers": bound.seconds(tool, n).short for n in lengths}
        | {"build": f"{built[tool]:.1f} s" if tool in built else None}
        for tool in bound.names
    ]


def _seconds(bound, n):
    return {tool: bound.seconds(tool, n) for tool in bound.names}


def gcc_gain(bound, lengths):
    """Return how much faster than Numba the fastest of the loops is."""
    times = _seconds(bound, lengths[-1])
    return times["Numba"] / min(times.values(), key=lambda q: q.value)


def contract_gain(rounded):
    return rounded.ratio("njit", "njit, contract")


def called(bound, lengths):
    """Return the least and the most that a call of a few numbers takes."""
    times = sorted(
        _seconds(bound, lengths[0]).values(), key=lambda q: q.value
    )
    return {"least": times[0], "most": times[-1]}


@answer("bindings")
def bindings_answer(called):
    """Choose by the language that you know, and by the build that your users
    can stand. A call of a few numbers takes between {called[least].about} and
    {called[most].about}; with thousands of numbers that does not matter. For
    a loop that exists in Python already, Numba needs no build.
    """
    return called["most"] > called["least"]
