"""What *Eight problems* concludes."""

from onthefly.experiments.choice import reasons
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, judge, table
from onthefly.predict import prediction
from onthefly.terminal.words import listed

SHORT, CALLS = 40e-6, 10**6
CACHED = 100_000  # numbers that a cache holds


def fastest(measured, sizes):
    """Return what is the fastest for few and for many elements."""
    return [reasons.fastest(measured, n) for n in (sizes[0], sizes[-1])]


def why(because):
    return {k: reasons.REASONS[k].ratio(t) for k, t in because.items()}


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


@expect
def gains(measured):
    return [_gain(t) > 3 for name, t in measured.items() if name != "words"]


@table
def predicted(every):
    """The test of predictions"""
    return prediction.tests(every)


@judge("choice-within-a-fifth")
def within_a_fifth(true):
    return true


@judge("choice-right-winner")
def right_winner(won):
    """Without a failure 36 cases would settle it; more sessions add none."""
    return won


@answer("own-function")
def own_function(won):
    """First ask which of the eight problems it is most like: from that
    `onthefly choose` predicts what each way would cost, and it named the
    fastest in {won.note} cases that it had not seen and in which the two
    fastest differ by more than a fifth; of its times {true.about} came within
    a fifth. Then try your own: `onthefly confirm FILE:FUNCTION` measures it
    by size, with threads, processes and Numba, and says what gained most.
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
    """To compile it, on one core. With the data as each way takes them, and
    calls that take Python's loop about 40 µs, a million calls by Numba,
    import and compiling included, are faster in {pays.note} problems. To
    share out so short a call costs more than it gains: by `prange` it takes
    {entered[0].about} as long, or longer.
    """
    return pays > 0.5, [q > 1 for q in entered]


def on_cores(measured):
    """Return what long calls take by Numba, and what cores add."""
    return {k: _on_cores(measured[k]) for k in ("polynomial", "collatz")}


def _on_cores(times):
    n = _met(times, "Numba", "Numba, prange", most=CACHED)[-1]
    gain = times.ratio("Numba", "Numba, prange", n)
    return {"size": n, "alone": times.seconds("Numba", n), "gain": gain}


def by_four(every, on_cores):
    n, costs = on_cores["collatz"]["size"], every["collatz"].costs
    return costs["Numba"].all_.at(n) / costs["Numba, prange"].call(4).at(n)


@answer("what-cores-add")
def what_cores_add(book, on_cores, by_four):
    """That depends on how long one takes: add cores to calls of
    milliseconds. For the cubic of {on_cores[polynomial][size]:,} numbers,
    {on_cores[polynomial][alone].about} by Numba, `prange` on {book.cores}
    cores is {on_cores[polynomial][gain].as_speed} one, and what four would be
    no prediction tells, but they can save no more than three quarters of it:
    compile it, and stay on one core. For Collatz's steps of
    {on_cores[collatz][size]:,} numbers, {on_cores[collatz][alone].about},
    {book.cores} are {on_cores[collatz][gain].as_speed} one, and four are
    predicted to be {by_four.as_speed} one.
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
    """For some loops: of the eight problems, with data that a cache holds, C
    is faster for {c_ahead}, at most {c_most.as_speed} Numba. (π: by another
    generator.) Begin with Numba, and try C where your loop is like one of
    those; if it returns a long array, see *Compiled ahead* first.
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
    """For a filter of {chain[size]:,} elements C takes {chain[C].about},
    Numba {chain[Numba].about} and JAX {chain[JAX].about}. Begin with Numba,
    which asks for one line and makes Python's loop {chain_gain.as_speed}
    before.
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
    """For certain from {jax[from]:,} numbers on, of the sizes measured, for a
    cubic on this processor, compiled by `jax.jit`: with the fewest it is
    {jax[few].as_speed} NumPy, with the most {jax[many].as_speed} it. Its
    first call compiles, for {every[polynomial].costs[JAX].first:.2g} s.
    """
    return jax["few"] < 1, jax["many"] > 1


def writing(measured):
    times = measured["histogram"]
    n = _nearest(_met(times, "Numba", "JAX"), 100_000)
    return {"size": n, "gain": times.ratio("JAX", "Numba", n)}


@answer("in-place")
def in_place(writing):
    """Numba, which writes into an array as C does. For a histogram of
    {writing[size]:,} numbers, where each adds one to a cell, it is
    {writing[gain].as_speed} JAX, whose arrays cannot be written to: there an
    update is a function that gives a new array.
    """
    return writing["gain"] > 1
