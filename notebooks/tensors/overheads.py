"""What *Predicting the overhead of TensorFlow's operations* concludes."""

from onthefly import figures
from onthefly.experiments.overheads import formula
from onthefly.experiments.overheads.pooling import pooled
from onthefly.measure import models
from onthefly.measure.quantity import Quantity
from onthefly.page import expect, figure, judge
from onthefly.page.verdicts import unmeasured

MODELS = {
    "slide 20": "round trips",
    "N fitted steps": "calls",
    "less one run": "calls, less one run",
}
TRIP = "as on slide 21"
TRIPS = {TRIP: "round trip", "nothing": "run of nothing"}


def talk_off(grid, tried):
    return grid.derived(tried.error("slide 20"))


@judge("overhead-model-held-out")
def off(grid, tried):
    return grid.derived(tried.error("less one run"))


def usual(grid, loop_sizes, counts):
    """Return the same, on the medians."""
    medians = formula.tried(grid, loop_sizes, counts, grid.seconds)
    return medians.error("less one run")


@figure(alt="the ratio by the number of steps, for three models")
def headline(tried):
    """Predicted time of eager execution, divided by the measured time; 1 is
    right. Each point is a size and a number of steps that were not fitted.
    """
    points = {MODELS[k]: of for k, of in tried.points().items()}
    x, y = "steps N", "predicted / measured"
    return figures.ratios(points, x=x, y=y, band=0.15)


def break_even(tried):
    return (tried.once / tried.step["a"]).named("")


@expect
def crossed(grid, counts):
    gains = [grid.ratio(f"eager, {N}", f"graph, {N}", 1000) for N in counts]
    return gains[0] < 1, gains[-1] > 1


def talk_off_then(old, tried):
    # The talk's formula alone: by this version an eager step may cost less
    # than the graph's, and then there is nothing that it adds to be fitted.
    errors = [
        (old.least(f"graph, {N}", n) + N * old.least("round trip", n))
        / old.least(f"eager, {N}", n)
        - 1
        for n, N in tried.ratios["slide 20"]
    ]
    return old.derived(Quantity.median([abs(q.value) for q in errors], "%"))


@judge("eager-from-while-model")
def eager_from_while(talk_off, talk_off_then=None):
    return talk_off_then, talk_off


def _power(times, counts, size):
    eager = [times.seconds(f"eager, {N}", size) for N in counts]
    return models.power(counts, eager)["b"]


def power(grid, counts, size):
    return _power(grid, counts, size)


def power_then(old, counts, size):
    return _power(old, counts, size)


@judge("eager-time-model")
def eager_time_model(power, power_then=None):
    return power_then, power


def alone(one_run, size):
    return one_run.ratio("graph, 0", "graph, 1000", size).named("%")


def alone_then(old, size):
    return old.ratio("graph, 0", "graph, 1000", size).named("%")


@judge("while-time-model")
def while_time_model(alone, alone_then=None):
    return alone_then, alone


@figure(x="elements", y="time of a run", time="y", better="less")
def trips_figure(trips, sizes):
    return {
        name: {n: trips.seconds(way, n) for n in sizes}
        for way, name in TRIPS.items()
    }


def flat(trips):
    few, many = (trips.seconds(TRIP, n) for n in (100, 10_000))
    return many / few


@judge("round-trip-measurement")
def transfer(trips, sizes):
    def share(n):  # of a round trip that is feeding and fetching
        ways = ("feed and fetch", "nothing", TRIP)
        fed, nothing, trip = (trips.seconds(way, n) for way in ways)
        return ((fed - nothing) / trip).named("%")

    return pooled(map(share, sizes))


def inlined(trips):
    return trips.ratio("same array again", "caller's thread", 1000)


def solved(pi, shapes, steps):
    """Return how many round trips a step of π costs more as eager."""

    def more(n):
        return (pi.seconds("eager", n) - pi.seconds("graph", n)) / steps

    return {
        n: (more(n) / pi.seconds("round trip", n)).named("") for n in shapes
    }


def missed(pi, shapes, steps):
    """Return how far the estimate with eight round trips is off."""

    def error(n):
        trips = 8 * steps * pi.seconds("round trip", n)
        return (pi.seconds("graph", n) + trips) / pi.seconds("eager", n) - 1

    return pooled(map(error, shapes), abs).named("%")


@judge("eager-is-while-plus-eight-transfers")
def while_plus_eight(solved):
    return max(solved.values(), key=lambda q: abs(q.value - 8))


@judge("model-estimate-against-eager")
def estimate_against_eager():
    """With eight round trips the estimate misses by {missed.about}."""
    return unmeasured(
        "needs how well the talk's curves fit, which it does not print"
    )


def shares(profiled):
    return {k: profile.shares() for k, profile in profiled.items()}


@figure(alt="shares of each call: Python, dispatch, waiting, kernel")
def profile_figure(shares):
    """Where a call's time goes, adding one to {size:,} elements."""
    shown = {
        k: {
            ("not recorded" if p == "Python" else p): q for p, q in of.items()
        }
        for k, of in shares.items()
    }
    return figures.stacked(shown, x="share of the call")


def search(terms):
    return terms.ratio("tf.function", "graph found")
