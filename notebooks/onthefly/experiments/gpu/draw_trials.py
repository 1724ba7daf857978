"""What the error law, and three tests, see of generators in threads.

Ways to draw are those of ``kernels.draws``: a way is a function (seed,
threads) that returns draw(thread, size).  Source of the question: Okuda,
PyCon JP 2018, slide 43, which reads a straight error law as proof of a
generator that is safe in threads.
"""

import dataclasses

from onthefly import models
from onthefly.kernels import draws
from onthefly.quantity import Quantity

THREADS = 8  # as in the talk


@dataclasses.dataclass(frozen=True)
class Line:
    """The error law of π, as some way to draw keeps it.

    errors  {shots: the relative error of π, a root mean square}
    fit     of a·N^b to them
    height  the errors of all shots over those of independent shots; 1 where
            no shot repeats another
    """

    errors: dict[int, Quantity]
    fit: models.Fit
    height: Quantity


def line(way, shots, trials, threads=THREADS, seed=0):
    """Return the Line of a way to draw.

    way      to draw, as in ``draws``
    shots    list of numbers of points, three at least
    trials   estimates of π for each of them
    threads  that share the points of an estimate

    Raises ValueError for fewer numbers of points.
    """
    errors, deviations, draw = {}, [], way(seed, threads)
    for n in shots:
        relative, z_score = draws.errors(draw, n, threads, trials)
        errors[n] = models.root_mean_square(relative)
        deviations += z_score
    return Line(
        errors,
        models.power(list(errors), list(errors.values())),
        models.root_mean_square(deviations).named("×"),
    )


@dataclasses.dataclass(frozen=True)
class Found:
    """What three tests find in the numbers that threads drew.

    count   of all numbers
    before  of those, how many had been drawn before
    alike   p of the hypothesis that all threads draw from one distribution
    as_one  whether the threads drew what one thread would have, in any order
    """

    count: int
    before: int
    alike: float
    as_one: bool

    @property
    def again(self):
        """The share of numbers that had been drawn before, a Quantity."""
        return Quantity.share(self.before, self.count)


def tested(way, size, threads=THREADS, calls=2, seed=0):
    """Draw in threads at once; return what is Found.

    size, calls  a thread draws `size` numbers `calls` times
    """
    arrays = draws.drawn(way(seed, threads), threads, size, calls)
    count = threads * size * calls
    return Found(
        count,
        draws.repeats(arrays),
        draws.same_distribution(arrays),
        draws.dealt(arrays, way(seed, 1)(0, count)),
    )


def most(way, size, tries=3, **how):
    """Return that of some tries in which most numbers were drawn before.

    how  goes to `tested`
    """
    trials = [tested(way, size, **how) for _ in range(tries)]
    return max(trials, key=lambda one: one.before)


def row(name, trial):
    """Return the row of a table that tells what was Found of a way.

    name  as in ``draws.SHARED`` or ``draws.EACH``; threads with a generator
          each are not asked for what one thread would draw
    """
    as_one = "yes" if trial.as_one else "no"
    return {
        "generator": name,
        "numbers": f"{trial.count:,}",
        "drawn before": f"{trial.before:,}",
        "p of one distribution": f"{trial.alike:.2g}",
        "as one thread would": "–" if name in draws.EACH else as_one,
    }
