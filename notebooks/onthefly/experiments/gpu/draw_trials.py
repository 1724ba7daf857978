"""What the error law, and three tests, see of generators in threads.

Ways to draw are those of ``kernels.draws``: a way is a function (seed,
threads) that returns draw(thread, size).  Source of the question: Okuda,
PyCon JP 2018, slide 43, which reads a straight error law as proof of a
generator that is safe in threads.
"""

import dataclasses
import math

from onthefly.kernels import draws, z_score
from onthefly.measure import models
from onthefly.measure.quantity import Quantity

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


def estimates(way, shots, trials, threads=THREADS, seed=0):
    """Return estimates of π by a way to draw: [[shots, [π, …]], …].

    way      to draw, as in ``draws``
    shots    list of numbers of points
    trials   estimates of π for each of them
    threads  that share the points of an estimate
    """
    draw = way(seed, threads)
    return [[n, draws.estimates(draw, n, threads, trials)] for n in shots]


def line(estimated):
    """Return the Line that estimates make.

    estimated  as from `estimates`

    Raises ValueError for fewer than three numbers of points.
    """
    errors, deviations = {}, []
    for n, each in estimated:
        relative = [estimate / math.pi - 1 for estimate in each]
        errors[n] = models.root_mean_square(relative)
        deviations += [z_score(estimate, n) for estimate in each]
    return Line(
        errors,
        models.power(list(errors), list(errors.values())),
        models.root_mean_square(deviations).named("×"),
    )


def tested(way, size, threads=THREADS, calls=2, seed=0):
    """Draw in threads at once; return what three tests find, a dict.

    size, calls  a thread draws `size` numbers `calls` times

    count   of all numbers
    before  of those, how many had been drawn before
    alike   p of the hypothesis that all threads draw from one distribution
    as_one  whether the threads drew what one thread would have, in any order
    """
    arrays = draws.drawn(way(seed, threads), threads, size, calls)
    count = threads * size * calls
    return {
        "count": count,
        "before": draws.repeats(arrays),
        "alike": draws.same_distribution(arrays),
        "as_one": draws.dealt(arrays, way(seed, 1)(0, count)),
    }


def again(trial):
    """Return the share of numbers that had been drawn before.

    trial  as from `tested`
    """
    return Quantity.share(trial["before"], trial["count"])


def most(way, size, tries=3, **how):
    """Return that of some tries in which most numbers were drawn before.

    how  goes to `tested`
    """
    trials = [tested(way, size, **how) for _ in range(tries)]
    return max(trials, key=lambda one: one["before"])


def row(name, trial):
    """Return the row of a table that tells what the tests find of a way.

    name  as in ``draws.SHARED`` or ``draws.EACH``; threads with a generator
          each are not asked for what one thread would draw
    """
    as_one = "yes" if trial["as_one"] else "no"
    return {
        "generator": name,
        "numbers": f"{trial['count']:,}",
        "drawn before": f"{trial['before']:,}",
        "p of one distribution": f"{trial['alike']:.2g}",
        "as one thread would": "–" if name in draws.EACH else as_one,
    }
