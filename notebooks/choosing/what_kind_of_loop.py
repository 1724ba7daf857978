"""What *What kind of loop is yours?* concludes."""

from onthefly.experiments.choice import questions
from onthefly.measure.quantity import Quantity
from onthefly.page import expect, figure, table


def parts(calls):
    """Return (fixed part of a call, part for each element) of each way."""
    return {
        way: questions.fixed_and_each(
            calls.seconds(way, 10), calls.seconds(way, 1000)
        )
        for way in calls.names
    }


def fixed(parts):
    return {way: both[0] for way, both in parts.items()}


def each(parts):
    return {way: both[1] for way, both in parts.items()}


def ahead(fixed, each):
    saved = each["loop"] - each["arrays"]
    return ((fixed["arrays"] - fixed["loop"]) / saved).named("")


@expect
def parted(fixed, each):
    return fixed["arrays"] > fixed["loop"], each["arrays"] < each["loop"]


def door(doors):
    return {name: doors.seconds(name) for name in doors.names}


@expect
def small_task(calls, door):
    short_call = calls.seconds("loop", 10)
    return short_call < door["thread"], door["thread"] < door["process"]


def way_in(passes):
    return {k: passes.ratio("into an array", k) for k in ("sum", "cubic")}


@expect
def shared_out(same_in_halves, polynomial_numpy, loops, x):
    chained = not same_in_halves(loops.smooth, x)
    return same_in_halves(polynomial_numpy, x), chained


def idle(steps):
    return Quantity.exact(steps.max() / steps.mean(), "×")


def dearer(uneven):
    return {k: uneven.ratio(k, f"{k}, even") for k in ("loop", "arrays")}


def waits(memory, small, large):
    """Return {loop: an element's time in a large array, over a small one}."""
    scale = small / large
    return {
        k: memory.seconds(k, large) / memory.seconds(k, small) * scale
        for k in memory.names
    }


@figure(
    x="time of an element in the large array, in times of the small one",
    reference=1,
)
def waits_figure(waits):
    return waits


@expect
def minds(waits):
    cubic = waits["cubic"]
    return (
        waits["20 cubics"] < 1.3,
        cubic > waits["20 cubics"],
        waits["count into bins"] > cubic,
    )


@table
def own_answers(asked, own):
    """Five answers for a loop of your own"""
    return asked.answers(own)
