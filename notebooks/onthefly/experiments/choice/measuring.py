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
    """Return the variants of a problem that may run here.

    on_gpu  function that tells whether a library may use a device
    """
    return [
        variant
        for variant in problem.variants
        if not KINDS[variant].library or on_gpu(KINDS[variant].library)
    ]


def starting(on_gpu):
    """Return the names of what starts with the variants that may run here.

    on_gpu  as in `names`
    """
    starts = {
        problem.start(variant)
        for problem in PROBLEMS.values()
        for variant in names(problem, on_gpu)
    }
    return sorted(starts - {""})


def check(problem, variants):
    """Assert that the variants' results are plain Python's."""
    n = problem.judged
    expected = problem.result("Python", n)
    for variant in variants:
        same = problem.same(problem.result(variant, n), expected)
        assert same, (
            f"{problem.name} by {variant}: not plain Python's, size {n}"
        )


def measure(book, name):
    """Measure a problem's variants and conversions, and keep them.

    book  page.Chapter
    name  of the problem

    Returns the Timings of the variants as they are drawn, see `shown`.  Sizes
    that lie between are measured in the same rounds, and kept apart: no fit
    is to see them, so that predictions can be tested.
    """
    problem = PROBLEMS[name]
    sizes, limit = book.pick(**SIZES), book.pick(**LIMIT)
    bench = Bench(problem, book.seed)
    calls = bench.variants(names(problem, book.on_gpu))
    forms = {name: KINDS[name.removesuffix(ONE)].form for name in calls}

    def ready(name, n):
        bench.data(forms[name], n)

    taken, firsts = reach(calls, sizes, limit, ready)
    book.keep(firsts, f"{name}, first call")
    check(
        problem, [variant for variant in taken if not variant.endswith(ONE)]
    )
    unseen = {
        variant: [] if variant.endswith(ONE) else between(some)
        for variant, some in taken.items()
    }
    for variant, some in unseen.items():
        for n in some:
            ready(variant, n)
            calls[variant](n)  # some compile for each size
    times = clock.measure(
        {variant: calls[variant] for variant in taken},
        sizes={
            variant: taken[variant] + unseen[variant] for variant in taken
        },
        budget=book.pick(**SHARE) * book.budget,
        seed=book.seed,
        min_sample=MIN_SAMPLE,
    )
    known = _part(times, taken)
    book.keep(known, name)
    book.keep(_part(times, unseen), f"{name}, unseen")
    moved = bench.conversions({forms[variant] for variant in taken})
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
    """Return the Timings of a problem's variants with all workers alone.

    missing  {name of a variant: the name of the library that it lacks}

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
    """Say which variant is the fastest for which problems, at a size.

    every  {name of a problem: Timings, as `shown` returns them}
    size   where none of it was measured, the largest below
    """
    ahead = {}
    for name, times in every.items():
        at = max(n for n in times.sizes() if n <= size)
        met = {
            variant: times.seconds(variant, at)
            for variant in times.names
            if at in times.sizes(variant)
        }
        ahead.setdefault(leader(met, "less"), []).append(name)
    unsure = ahead.pop(None, [])
    clear = [
        f"{variant} for {listed(names)}" for variant, names in ahead.items()
    ]
    text = f"the fastest is {', '.join(clear)}" if clear else ""
    open_ = f"not resolved for {listed(unsure)}" if unsure else ""
    return "; ".join(filter(None, [text, open_]))


def between(sizes):
    """Return sizes that lie between each second pair of some."""
    pairs = list(itertools.pairwise(sizes))[::2]
    return [round((a * b) ** 0.5) for a, b in pairs]
