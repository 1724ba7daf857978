"""What *The straight error law that proves nothing* concludes."""

from onthefly import figures
from onthefly.measure.models import root_mean_square
from onthefly.measure.quantity import Quantity
from onthefly.page import expect, figure, judge, table

# Ways whose streams may read the state before another has written it.
UNORDERED = "CuPy, shared, own streams", "CuPy Generator, shared, own streams"


@figure
def law_figure(lines):
    return figures.lines(
        {name: law.errors for name, law in lines.items()},
        x="shots N",
        y="relative error of π, root mean square",
        fits={name: law.fit for name, law in lines.items()},
    )


@table
def laws(lines):
    """What the error law sees."""
    return [
        {
            "eight threads": name,
            "exponent b": law.fit["b"],
            "error, over independent shots": law.height,
        }
        for name, law in lines.items()
    ]


@expect
def all_straight(lines):
    slopes = [law.fit["b"] for law in lines.values()]
    return [(b > -0.7, b < -0.3) for b in slopes]


@table
def numbers(tests, draw_trials):
    """Numbers drawn by eight threads."""
    return [draw_trials.row(name, trial) for name, trial in tests.items()]


@expect
def repeats(raced):
    return raced["before"] > 0 or None  # a race need not happen


@table
def device_draws(drawn):
    """Numbers drawn by eight threads on a device."""
    return drawn


def before_by(drawn):
    return {row["way"]: row["drawn before"] for row in drawn}


@expect
def two_ways(before_by):
    return [
        (n > 2 or None) if way in UNORDERED else n <= 2
        for way, n in before_by.items()
    ]


@judge("cupy-streams-share-one-state")
def streams_share_one_state(before_by, many):
    """Chance repeats about {drawn[0][by chance, about]}; on the null stream
    {before_by[CuPy, shared, null stream]} were repeated, by PyTorch on own
    streams {before_by[torch, shared, own streams]}.
    """
    return Quantity.share(before_by["CuPy, shared, own streams"], 64 * many)


@judge("cupy-eight-threads-keep-error-law")
def keep_error_law(deviations):
    return root_mean_square(deviations).named("×")
