"""How the page "Eight problems" measures one of them."""

import dataclasses
import functools
import itertools
from concurrent.futures import ThreadPoolExecutor

from onthefly.experiments.choice import starts
from onthefly.experiments.choice.bench import ONE, Bench, reach
from onthefly.kernels import ahead
from onthefly.kernels.methods import KINDS
from onthefly.kernels.problems import PROBLEMS
from onthefly.kernels.sizes import LIMIT, SHARE, SIZES
from onthefly.measure import clock
from onthefly.measure.timings import Timings

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


def wrong(problem, variants):
    """Return those variants whose results are not plain Python's."""
    n = problem.judged
    expected = problem.result("Python", n)
    return [
        variant
        for variant in variants
        if not problem.same(problem.result(variant, n), expected)
    ]


class Trial:
    """A problem's variants and conversions, ready to be measured.

    problem  a Problem
    book     page.Chapter

    Nothing is made or started before one of its methods is called.
    """

    def __init__(self, problem, book):
        self.problem, self.book = problem, book
        self.sizes, self.limit = book.pick(**SIZES), book.pick(**LIMIT)
        self.bench = Bench(problem, book.seed)

    @functools.cached_property
    def calls(self):
        """{variant: function of a size}."""
        return self.bench.variants(names(self.problem, self.book.on_gpu))

    @functools.cached_property
    def _reached(self):
        _build_ahead({KINDS[v.removesuffix(ONE)] for v in self.calls})
        for name in {self._start(variant) for variant in self.calls} - {""}:
            starts.here(name)
        return reach(self.calls, self.sizes, self.limit, self._ready)

    def _start(self, variant):
        return self.problem.start(variant.removesuffix(ONE))

    def _ready(self, variant, n):
        self.bench.data(_form(variant), n)

    def firsts(self):
        """Return the Timings of the variants' first calls."""
        return self._reached[1]

    def taken(self):
        """Return {variant: sizes that it may take}."""
        return self._reached[0]

    def times(self, taken):
        """Return the Timings of sizes taken, and of those between them.

        Raises AssertionError for a variant whose result is wrong.
        """
        problem = self.problem
        found = wrong(problem, [k for k in taken if not k.endswith(ONE)])
        assert not found, f"{problem.name}: {found} not plain Python's"
        between = unseen(taken)
        sizes = {k: some + between[k] for k, some in taken.items()}
        for variant, some in sizes.items():
            for n in some:
                self._ready(variant, n)
        return self._measured(
            {variant: self.calls[variant] for variant in taken},
            sizes,
            self.book.pick(**SHARE),
        )

    def converts(self):
        """Tell whether its data have to be brought into other forms."""
        return bool(self.bench.conversions(()))

    def conversions(self, taken):
        """Return the Timings of conversions into the variants' forms."""
        moved = self.bench.conversions(set(map(_form, taken)))
        sizes, _ = reach(moved, self.sizes, self.limit)
        return self._measured(moved, sizes, CONVERSION)

    def _measured(self, calls, sizes, share):
        return clock.measure(
            calls,
            sizes=sizes,
            budget=share * self.book.budget,
            seed=self.book.seed,
            min_sample=MIN_SAMPLE,
        )


def _build_ahead(kinds):
    """Build what some Kinds compile ahead, side by side: that takes long."""
    ways = sorted(kind.suffix for kind in kinds if kind.ahead)
    with ThreadPoolExecutor() as pool:
        list(pool.map(ahead.prepare, ways))


def _form(variant):
    return KINDS[variant.removesuffix(ONE)].form


def measure(book, name):
    """Measure a problem's variants and conversions.

    book  page.Chapter
    name  of the problem

    Returns the Timings of the variants as they are drawn, see `shown`.  Sizes
    that lie between are measured in the same rounds, and kept apart: no fit
    is to see them, so that predictions can be tested.
    """
    problem = PROBLEMS[name]
    trial = Trial(problem, book)
    firsts = book.collect(f"{name}, first call", trial.firsts)
    taken = book.cached(f"{name}, sizes", trial.taken)
    times = functools.cache(lambda: trial.times(taken))
    known = book.collect(name, lambda: _part(times(), taken))
    book.collect(f"{name}, unseen", lambda: _part(times(), unseen(taken)))
    if trial.converts():
        conversions = functools.partial(trial.conversions, taken)
        book.collect(f"{name}, conversion", conversions)
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

    A library routine has its own name there.  What is compiled ahead is
    drawn on a page of its own.
    """
    names = {"routine": problem.routine}
    drawn = Timings(
        [
            dataclasses.replace(s, name=names.get(s.name, s.name))
            for s in times
            if not s.name.endswith(ONE) and not KINDS[s.name].ahead
        ],
        times.cores,
        times.origin,
        missing,
    )
    return drawn.named(problem.name)


def unseen(taken):
    """Return {variant: sizes between}; with one worker, none.

    taken  {variant: sizes}
    """
    return {
        variant: [] if variant.endswith(ONE) else between(sizes)
        for variant, sizes in taken.items()
    }


def between(sizes):
    """Return sizes that lie between each second pair of some."""
    pairs = list(itertools.pairwise(sizes))[::2]
    return [round((a * b) ** 0.5) for a, b in pairs]
