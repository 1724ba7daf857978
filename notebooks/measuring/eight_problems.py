"""What *Eight problems: which accelerator is fastest* concludes."""

from onthefly.experiments.choice import reasons
from onthefly.folders import PACKAGE
from onthefly.kernels.problems import PROBLEMS
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, judge, table
from onthefly.page.showing import program
from onthefly.predict import prediction
from onthefly.terminal.words import listed

SHORT, CALLS = 40e-6, 10**6
CACHED = 100_000  # numbers that a cache holds
# The files of a problem that show its methods, what needs a build last.
FILES = [
    *("{}_numpy.py", "{}_routine.py", "{}_numba.py", "{}_prange.py"),
    *("{}_numba_parallel.py", "{}_parts.py", "{}_jax.py", "{}_torch.py"),
    *("{}_tensorflow.py", "{}_dask.py", "{}.c", "{}_c.c"),
]


def why(because):
    return {k: reasons.REASONS[k].ratio(t) for k, t in because.items()}


def code():
    """Return {problem: the files of its methods, folded}."""
    return {name: program(*_files(name)) for name in PROBLEMS}


def _files(problem):
    """Return which of FILES a problem has, as the package's paths."""
    paths = [f"kernels/{problem}/{file.format(problem)}" for file in FILES]
    return [path for path in paths if (PACKAGE / path).exists()]


def split(why):
    """Return the share of splitting the text in counting its words."""
    return (1 / why["words"]).named("%")


def _met(times, *ways, most=float("inf")):
    """Return the sizes up to `most` at which all of some ways were timed."""
    both = set.intersection(*(set(times.sizes(way)) for way in ways))
    return sorted(n for n in both if n <= most)


def _nearest(values, goal):
    return min(values, key=lambda n: max(n / goal, goal / n))


def _gain(times):
    """Return what Numba gains over Python, at the largest size of both."""
    n = _met(times, "Python", "Numba")[-1]
    return times.ratio("Python", "Numba", n)


def least(measured):
    """Return the least that Numba gains over Python, but for words."""
    every = [_gain(t) for name, t in measured.items() if name != "words"]
    return min(every, key=lambda q: q.value)


def most(measured):
    """Return the most that Numba gains over Python."""
    return max(map(_gain, measured.values()), key=lambda q: q.value)


def by_words(measured):
    return _gain(measured["words"])


@expect
def gains(least):
    return least > 3


@table
def winners(measured, sizes):
    """The fastest accelerator for each problem"""
    rows = []
    for name, times in measured.items():
        unsure = "no measurable difference"
        few, _ = reasons.fastest(times, sizes[0])
        many, size = reasons.fastest(times, sizes[-1])
        rows.append(
            {
                "problem": PROBLEMS[name].title,
                f"fastest with {sizes[0]} elements": few or unsure,
                "with the most elements": f"{many or unsure} ({size:,})",
                "Numba, faster than Python by": _gain(times),
            }
        )
    return rows


@table
def predicted(every):
    """The test of predictions (the sizes are in elements)"""
    return [
        row | {"problem": PROBLEMS[row["problem"]].title}
        for row in prediction.tests(every)
    ]


@judge("choice-within-a-fifth")
def within_a_fifth(true):
    return true


@judge("choice-right-winner")
def right_winner(won):
    """Without a failure 36 cases would settle it; more sessions add none."""
    return won


@answer("own-function")
def own_function(won):
    """Measure your own function: `onthefly confirm FILE:FUNCTION` times it by
    size, with Numba, threads and processes, and says what gained most. To
    know before you write it, name the one of eight problems that it is most
    like: `onthefly choose` then predicts each method's time, and named the
    right one in {won.note} clear cases.
    """
    return won > 0.5


def short(measured):
    """Return {problem: size} where a call of Python's loop is short."""
    sizes = {}
    for name, times in measured.items():
        both = _met(times, "Python", "Numba")
        took = {times.seconds("Python", n).value: n for n in both}
        nearest = _nearest(took, SHORT)
        if SHORT / 2.5 < nearest < SHORT * 2.5:
            sizes[name] = took[nearest]
    return sizes


def pays(measured, every, short):
    """Return in which problems Numba gains, its first call included."""
    gains = []
    for name, n in short.items():
        by_python, by_numba = (
            CALLS * measured[name].seconds(way, n)
            for way in ("Python", "Numba")
        )
        cost = every[name].costs["Numba"]
        gains.append(by_python / (by_numba + cost.loads + cost.first) > 1)
    return Quantity.held(gains)


def entered(measured, short):
    """Return how many times as long prange takes, the least first."""
    ratios = [
        measured[name].ratio("Numba, prange", "Numba", n)
        for name, n in short.items()
        if n in measured[name].sizes("Numba, prange")
    ]
    return sorted(ratios, key=lambda q: q.value)


@answer("short-call-many-times")
def short_call_many_times(pays, entered):
    """Compile it with Numba, and stay on one core. We took calls that take
    plain Python about 40 µs. With import and compile time included, a million
    such calls were faster by Numba in {pays.note} problems. Sharing so short
    a call among cores costs more than it saves: with `prange` it took
    {entered[0].about} as long, or longer. (The data are in the form that each
    needs.)
    """
    return pays > 0.5, [q > 1 for q in entered]


def on_cores(measured):
    """Return what long calls take by Numba, and what cores add."""
    return {k: _on_cores(measured[k]) for k in ("polynomial", "collatz")}


def _on_cores(times):
    n = _met(times, "Numba", "Numba, prange", most=CACHED)[-1]
    gain = times.ratio("Numba", "Numba, prange", n)
    return {"size": n, "alone": times.seconds("Numba", n), "gain": gain}


@expect
def long_calls(on_cores, entered):
    cubic, collatz = (each["gain"] for each in on_cores.values())
    return collatz > cubic, [q > 1 for q in entered]


@expect
def alike(own):
    times = {name: own.seconds(name, 10_000) for name in own.names}
    growth = [t / own.seconds(name, 1000) for name, t in times.items()]
    return [(q > 8, q < 12) for q in growth]


def by_four(every, on_cores):
    n, costs = on_cores["collatz"]["size"], every["collatz"].costs
    return costs["Numba"].all_.at(n) / costs["Numba, prange"].call(4).at(n)


@answer("what-cores-add")
def what_cores_add(book, on_cores, by_four):
    """That depends on how long one call takes: add cores to calls of
    milliseconds. Numba computes the cubic of {on_cores[polynomial][size]:,}
    numbers in {on_cores[polynomial][alone].about}. For that, `prange` on
    {book.cores} cores is {on_cores[polynomial][gain].as_speed} one core. Four
    cores can save at most three quarters of it, so stay on one core. Numba
    computes Collatz's steps of {on_cores[collatz][size]:,} numbers in
    {on_cores[collatz][alone].about}. For these, {book.cores} cores are
    {on_cores[collatz][gain].about} faster than one core, and four cores are
    predicted to be {by_four.about} faster.
    """
    cubic, collatz = (each["gain"] for each in on_cores.values())
    return book.cores > 1 or None, collatz > 1, collatz > cubic, by_four > 1


def by_c(measured):
    """Return how many times as fast as by Numba, by problem."""
    gains = {}
    for name, times in measured.items():
        # Of longer results than a cache holds counts who makes the array.
        n = _met(times, "Numba", "C", most=CACHED)[-1]
        gains[name] = times.ratio("Numba", "C", n)
    return gains


def c_ahead(by_c):
    return listed([name for name, q in by_c.items() if q > 1] or ["none"])


def c_most(by_c):
    return max(by_c.values(), key=lambda q: q.value)


@answer("c-after-numba")
def c_after_numba(by_c, c_most):
    """For some loops. With data that fit in the cache, C is faster than Numba
    for {c_ahead} of the eight problems, by {c_most.about} at most. (For π it
    also has another generator.) Begin with Numba, and try C if your loop is
    like one of those. If it returns a long array, let NumPy allocate it.
    """
    return c_most > 2, not all(q > 1 for q in by_c.values())


def chain(measured):
    """Return each way's time at the size nearest to a million."""
    times, ways = measured["filter"], ("C", "Numba", "JAX")
    n = _nearest(_met(times, *ways), 10**6)
    return {"size": n} | {way: times.seconds(way, n) for way in ways}


def chain_gain(measured):
    return _gain(measured["filter"])


@answer("recurrence")
def recurrence(chain, chain_gain):
    """For a filter of {chain[size]:,} elements, C takes {chain[C].about},
    Numba {chain[Numba].about} and JAX {chain[JAX].about}. Begin with Numba:
    it needs one more line, and makes the loop {chain_gain.about} faster than
    plain Python.
    """
    return chain_gain > 3, chain["JAX"] / chain["Numba"] > 1


def jax(measured):
    """Return what JAX gains over NumPy, and from which size on."""
    times = measured["polynomial"]
    sizes = _met(times, "NumPy", "JAX")
    gain = {n: times.ratio("NumPy", "JAX", n) for n in sizes}
    behind = [n for n in sizes[:-1] if not gain[n] > 1]
    ahead = [n for n in sizes if n > max(behind, default=0)]
    return {"from": ahead[0], "few": gain[sizes[0]], "many": gain[sizes[-1]]}


@answer("jax-from-which-size")
def jax_from_which_size(jax):
    """From {jax[from]:,} numbers on, of the sizes that we measured, for a
    cubic on this processor, compiled by `jax.jit`. With the fewest numbers
    JAX is {jax[few].as_speed} NumPy, and with the most {jax[many].as_speed}
    NumPy. The first call also compiles, which takes
    {every[polynomial].costs[JAX].first:.2g} s.
    """
    return jax["few"] < 1, jax["many"] > 1


def writing(measured):
    times = measured["histogram"]
    n = _nearest(_met(times, "Numba", "JAX"), 100_000)
    return {"size": n, "gain": times.ratio("JAX", "Numba", n)}


@answer("in-place")
def in_place(writing):
    """Numba, because it writes into an array as C does. JAX cannot write into
    its arrays: an update is a function that returns a new array. For a
    histogram of {writing[size]:,} numbers, where each adds one to a cell,
    Numba is {writing[gain].about} faster than JAX.
    """
    return writing["gain"] > 1
