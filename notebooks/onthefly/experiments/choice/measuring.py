"""How the page "Eight problems" measures one of them."""

import dataclasses
import itertools

from onthefly import clock
from onthefly.experiments.choice.bench import ONE, Bench, reach
from onthefly.experiments.choice.problems import KINDS, PROBLEMS
from onthefly.experiments.choice.sizes import LIMIT, SHARE, SIZES
from onthefly.findings import leader, listed
from onthefly.timings import Timings

MIN_SAMPLE = 0.001  # seconds: many series, so short samples
CONVERSION = 0.3  # of the preset's time for one measurement


def names(problem, on_gpu):
    """Return the ways of a problem that may run here.

    on_gpu  function that tells whether a library may use a device
    """
    return [
        way
        for way in problem.ways
        if not KINDS[way].library or on_gpu(KINDS[way].library)
    ]


def starting(on_gpu):
    """Return the names of all that starts with the ways that may run here.

    on_gpu  as in `names`
    """
    found = {
        problem.start(way)
        for problem in PROBLEMS.values()
        for way in names(problem, on_gpu)
    }
    return sorted(found - {""})


def check(problem, ways):
    """Assert that the ways' results are plain Python's."""
    n = problem.judged
    expected = problem.result("Python", n)
    for way in ways:
        same = problem.same(problem.result(way, n), expected)
        assert same, f"{problem.name} by {way}: not plain Python's, size {n}"


def measure(book, name):
    """Measure a problem's ways and conversions, and keep them.

    book  page.Chapter
    name  of the problem

    Returns the Timings of the ways as they are drawn, see `shown`.  Sizes
    that lie between are measured in the same rounds, and kept apart: no fit
    is to see them, so that predictions can be tested.
    """
    problem = PROBLEMS[name]
    sizes, limit = book.pick(**SIZES), book.pick(**LIMIT)
    bench = Bench(problem, book.seed)
    calls = bench.ways(names(problem, book.on_gpu))
    forms = {name: KINDS[name.removesuffix(ONE)].form for name in calls}

    def ready(name, n):
        bench.data(forms[name], n)

    taken, firsts = reach(calls, sizes, limit, ready)
    book.keep(firsts, f"{name}, first call")
    check(problem, [way for way in taken if not way.endswith(ONE)])
    unseen = {
        way: [] if way.endswith(ONE) else between(some)
        for way, some in taken.items()
    }
    for way, some in unseen.items():
        for n in some:
            ready(way, n)
            calls[way](n)  # some compile for each size
    times = clock.measure(
        {way: calls[way] for way in taken},
        sizes={way: taken[way] + unseen[way] for way in taken},
        budget=book.pick(**SHARE) * book.budget,
        seed=book.seed,
        min_sample=MIN_SAMPLE,
    )
    known = _part(times, taken)
    book.keep(known, name)
    book.keep(_part(times, unseen), f"{name}, unseen")
    moved = bench.conversions({forms[way] for way in taken})
    if moved:
        some, _ = reach(moved, sizes, limit)
        book.measure(
            f"{name}, conversion",
            moved,
            sizes=some,
            share=CONVERSION,
            min_sample=MIN_SAMPLE,
        )
    return shown(problem, known, firsts.missing)


def _part(times, sizes):
    """Return the Timings of some sizes alone: {name: sizes}."""
    return Timings(
        [s for s in times if s.size in sizes[s.name]],
        times.cores,
        times.origin,
        times.missing,
    )


def shown(problem, times, missing):
    """Return the Timings of a problem's ways with all workers alone.

    missing  {name of a way: the name of the library that it lacks}

    A library routine has its own name there.
    """
    names = {"routine": problem.routine}
    return Timings(
        [
            dataclasses.replace(s, name=names.get(s.name, s.name))
            for s in times
            if not s.name.endswith(ONE)
        ],
        times.cores,
        times.origin,
        missing,
    )


def fastest(every, size):
    """Say which way is the fastest for which problems, at a size.

    every  {name of a problem: Timings, as `shown` returns them}
    size   where none of it was measured, the largest below
    """
    ahead = {}
    for name, times in every.items():
        at = max(n for n in times.sizes() if n <= size)
        met = {
            way: times.seconds(way, at)
            for way in times.names
            if at in times.sizes(way)
        }
        ahead.setdefault(leader(met, "less"), []).append(name)
    unsure = ahead.pop(None, [])
    told = [f"{way} for {listed(names)}" for way, names in ahead.items()]
    text = f"the fastest is {', '.join(told)}" if told else ""
    open_ = f"not resolved for {listed(unsure)}" if unsure else ""
    return "; ".join(filter(None, [text, open_]))


def between(sizes):
    """Return sizes that lie between each second pair of some."""
    pairs = list(itertools.pairwise(sizes))[::2]
    return [round((a * b) ** 0.5) for a, b in pairs]
