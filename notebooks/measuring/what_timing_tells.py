"""What *Does a function release the GIL? How to find out* concludes."""

from onthefly.figures import plots
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, judge, table
from onthefly.page.missing import Missing
from onthefly.terminal.words import listed

YARDSTICKS = "Python loop", "SHA-256"  # whose answer is known


def limit(speeds):
    """Return the line halfway between the two that are known."""
    return (speeds["Python loop"] + speeds["SHA-256"]) / 2


@figure
def speeds_figure(speeds, limit):
    """Above the limit (dashed, {limit.about}) two threads run at the same
    time. It lies halfway between the Python loop and SHA-256.
    """
    x = "speed-up of two threads over in turn"
    return plots.chart(speeds, x=x, reference=limit.value)


def over(speeds, limit):
    return _read(speeds, {k: speed > limit for k, speed in speeds.items()})


def under(speeds, limit):
    return _read(speeds, {k: speed < limit for k, speed in speeds.items()})


def _read(speeds, told):
    """Return what is told, or nothing where the yardsticks are not apart."""
    apart = speeds["Python loop"] < speeds["SHA-256"]
    return told if apart else dict.fromkeys(told, apart)


@expect
def let_go(over):
    return over["np.sin"], over["njit, nogil"]


@expect
def hold(under):
    return under["njit"], under["shared generator"]


def agree(ticks, over, under):
    """Return {function: whether the clock says what the witness saw}."""
    return {
        name: over[name] if count else under[name]
        for name, count in ticks.items()
        if name not in YARDSTICKS
    }


@judge("execution-time-confirmation")
def right(agree):
    return Quantity.held(agree.values())


@expect
def but_one(agree):
    return [one for name, one in agree.items() if name != "shared generator"]


def _said(over, under):
    """Return what the clock says of a function."""
    if over.holds:
        return "releases the GIL"
    return "holds the GIL" if under.holds else "unclear"


@table
def confirmation(ticks, speeds, over, under):
    """The clock and the witness"""
    return [
        {
            "function": name,
            "speed-up of two threads": speeds[name],
            "the clock says": _said(over[name], under[name]),
            "times the witness got the GIL": count,
        }
        for name, count in ticks.items()
    ]


def short(by_length):
    sizes = by_length.sizes("at once")
    return {n: by_length.ratio("in turn", "at once", n) for n in sizes}


def slower_short(by_length):
    return by_length.ratio("at once", "in turn", 1000)


def pays_from(short):
    """Return the first length at which two threads are clearly faster."""
    faster = (n for n, speed in short.items() if speed > 1)
    return next(faster, Missing("at no length is that clear in this run"))


@figure(x="elements", y="speed-up of two threads over in turn", logy=False)
def short_figure(short):
    return {"np.sin": short}


def who_got_in(ticks):
    names = [name for name, count in ticks.items() if count]
    return listed(
        [name.replace(", ", " with ") for name in names] or ["none"]
    )


@answer("lets-others-work")
def lets_others_work(ticks, short):
    """Ask the GIL directly, as `handovers` does on the page. Set the switch
    interval so long that the interpreter never takes the GIL away, and let a
    second thread request it again and again. That thread gets the GIL only
    if the function releases it. Here it did with {who_got_in}, and with none
    of the others. Timing two calls in turn and in two threads was right about
    {right.note} functions; short calls mislead it.
    """
    return ticks["SHA-256"] > 0, ticks["Python loop"] == 0, short[1000] < 1
