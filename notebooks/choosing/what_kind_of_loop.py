"""What *Which accelerator fits your loop?* concludes."""

from onthefly.measure.quantity import Quantity
from onthefly.page import expect, figure, table


def door(doors):
    return {name: doors.seconds(name) for name in doors.names}


@expect
def small_task(calls, door):
    short_call = calls.seconds("loop", 10)
    order = short_call < door["thread"], door["thread"] < door["process"]
    return order, door["process"] > 20e-6


def of_cubic(passes):
    return passes.ratio("into an array", "cubic").named("%")


def of_sum(passes):
    return passes.ratio("into an array", "sum")


def sorting(text):
    return text.ratio("np.unique", "Counter")


@expect
def shared_out(same_in_halves, polynomial_numpy, loops, x):
    chained = not same_in_halves(loops.smooth, x)
    return same_in_halves(polynomial_numpy, x), chained


def idle(steps):
    return Quantity.exact(steps.max() / steps.mean(), "×")


def longer(uneven):
    """Return how much longer uneven work takes than even work."""
    return {k: uneven.ratio(k, f"{k}, even") for k in ("loop", "arrays")}


def waits(memory, small, large):
    """Return {loop: an element's time in a large array, over a small one}."""
    scale = small / large
    return {
        k: memory.seconds(k, large) / memory.seconds(k, small) * scale
        for k in memory.names
    }


@figure(x="times slower per element in the large array", reference=1)
def waits_figure(waits):
    """On one core. A loop far above 1 (dashed) waits for memory."""
    return waits


@expect
def minds(waits):
    cubic = waits["cubic"]
    return (
        waits["20 cubics"] < 1.3,
        cubic > 1,
        cubic > waits["20 cubics"],
        waits["count into bins"] > cubic,
    )


SAID = {  # what a measured file names, in a reader's words
    "way into an array, in passes of the loop": (
        "making the array, compared with one call"
    ),
    "second half, in times of the first": (
        "second half, compared with the first"
    ),
    "an element in a large array, in times of a small one": (
        "time per element, large array compared with small"
    ),
}


def _said(question):
    return SAID.get(question, question)


@table
def own_answers(asked, own):
    """Five answers for a loop of your own."""
    rows = asked.answers(own)
    return [row | {"question": _said(row["question"])} for row in rows]
