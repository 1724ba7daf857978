"""What *Eight bytes further* concludes."""

from onthefly.measure.quantity import Quantity
from onthefly.page import expect, figure


@figure(x="bytes from source to target, in a page", logx=False, logy=False)
def place_figure(place):
    return place


def beyond(place, distances):
    now = {d: place.seconds("as it is", d) for d in distances}
    return {d: now[d] / now[0] for d in distances}


def cured(place):
    way = "without REP MOVSB"
    return place.seconds(way, 8) / place.seconds(way, 0)


def slow(beyond):
    return [d for d, q in beyond.items() if q.value > 3]


def end(slow, distances):
    """Return the first distance behind the slow ones."""
    return next(d for d in distances if d not in (0, *slow))


@expect
def only_near(beyond, end, cured):
    near = [q > 3 if 0 < d < end else q < 3 for d, q in beyond.items()]
    return beyond[40] / beyond[8] < 0.7, near, cured < 1.5


@figure(
    x="bytes",
    y="time at 8 over time at 64",
    marks=[(2**13, "8,192 bytes"), (2**15, "32,768 bytes")],
)
def moved_figure(moved, thresholds, lengths):
    return {
        name: {
            n: moved.ratio(f"{name}, 8", f"{name}, 64", n) for n in lengths
        }
        for name in thresholds
    }


@expect
def as_set(moved_figure, thresholds):
    return [
        q > 1.5 if n > thresholds[name] else q < 1.5
        for name, curve in moved_figure.items()
        for n, q in curve.items()
    ]


def right(as_set):
    held = Quantity.held(as_set)
    return f"All {len(as_set)}" if held.value == 1 else held.note
