"""What *Overhead models* concludes."""

from onthefly import figures
from onthefly.experiments.memory import transfers
from onthefly.experiments.overheads import formula
from onthefly.experiments.overheads.pooling import pooled
from onthefly.measure import models
from onthefly.measure.quantity import Quantity
from onthefly.page import expect, figure, judge, table
from onthefly.page.verdicts import unmeasured

TRIP = "as on slide 21"


def law(trips, sizes):
    return models.line(sizes, [trips.seconds(TRIP, n) for n in sizes])


def both_ways(law):
    return transfers.bandwidth(law["b"], 8)


def transfer(trips, sizes):
    """Return the share of the time that is feeding and fetching."""

    def share(n):
        ways = ("feed and fetch", "nothing", TRIP)
        fed, nothing, trip = (trips.seconds(way, n) for way in ways)
        return ((fed - nothing) / trip).named("%")

    return pooled(map(share, sizes))


@judge("round-trip-measurement")
def round_trip_measurement(transfer):
    return transfer


def inlined(trips):
    return trips.ratio("same array again", "caller's thread", 1000)


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
    """Eager time predicted from graph time, on cells that no fit has seen."""
    x, y = "steps N", "predicted / measured"
    return figures.ratios(tried.points(), x=x, y=y, band=0.15)


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


def extra(pi, shapes, steps):
    """Return what an eager step of π costs beyond one of the graph's."""
    return {
        n: (pi.seconds("eager", n) - pi.seconds("graph", n)) / steps
        for n in shapes
    }


def solved(pi, extra):
    return {
        n: (cost / pi.seconds("round trip", n)).named("")
        for n, cost in extra.items()
    }


@table
def solutions(solved):
    """Solved for the talk's 8."""
    return [
        {"points": f"{n:,}", "round trips a step": q}
        for n, q in solved.items()
    ]


def eight(solved):
    return pooled(solved.values())


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


def operations(ran):
    return sum(ran.values()) - ran.get("_EagerConst", 0)


def by_bus(copies, extra):
    bus = transfers.lines(copies, "pageable")
    return 8 * transfers.round_trip(bus, 4 * 10**5) / extra[10**5]


def handed_over(shares):
    handed = shares["Session.run"]["hand-over to a thread"]
    return handed.note or handed.about


@expect
def not_all_python(trips, size, profiled):
    run = profiled["Session.run"]  # the profiler's price is taken off
    in_caller = trips.seconds("caller's thread", size)
    return in_caller < run.parts["Python"] * run.bare / run.wall


@figure(alt="shares of each call, which the table tells part by part")
def profile_figure(shares):
    """Where a call's time goes, adding one to {size:,} elements."""
    return figures.stacked(shares, x="share of the call")


@table
def parts(profiled, entered):
    """One call under the profiler, part by part."""
    return [
        {k: v for k, v in profile.row(name).items() if k != "not profiled"}
        | {"Python functions entered": entered[name]}
        for name, profile in profiled.items()
    ]


def search(terms):
    return terms.ratio("tf.function", "graph found")
