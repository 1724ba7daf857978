"""What *What timing tells* concludes."""

from onthefly.figures import plots
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, judge, table
from onthefly.terminal.words import listed

YARDSTICKS = "Python loop", "SHA-256"  # their threads' ways are known


def limit(speeds):
    """Return the line halfway between the two that are known."""
    return (speeds["Python loop"] + speeds["SHA-256"]) / 2


@figure
def speeds_figure(speeds, limit):
    """Beyond the dashed line, at {limit.about}, two threads run at once: it
    lies halfway between the loop and SHA-256.
    """
    x = "two threads, times as fast as in turn"
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


@table
def confirmation(ticks, speeds, limit, agree):
    """What the clock says, and what the witness saw"""
    said = {True: "yes", False: "no", None: "?"}
    right = {name: said[one.holds] for name, one in agree.items()}
    return [
        {
            "function": name,
            "two threads": speeds[name],
            "over the line": (speeds[name] / limit).named("×"),
            "right": right.get(name, "–"),
            "times the witness got in": count,
        }
        for name, count in ticks.items()
    ]


def short(by_length):
    sizes = by_length.sizes("at once")
    return {n: by_length.ratio("in turn", "at once", n) for n in sizes}


@figure(x="elements", y="two threads, times as fast as in turn", logy=False)
def short_figure(short):
    return {"np.sin": short}


def who_got_in(ticks):
    names = [name for name, count in ticks.items() if count]
    return listed(
        [name.replace(", ", " with ") for name in names] or ["none"]
    )


@answer("lets-others-work")
def lets_others_work(ticks, short):
    """Ask the GIL itself, as `released` does on the page: forbid the
    interpreter to take it from anybody, and let a second thread ask for it
    again and again; it gets it while the function runs only if that lets go.
    Here it did with {who_got_in}, and with none of the others. The clock,
    which times two calls in turn and in two threads, was right about
    {right.note} functions; short calls mislead it.
    """
    return ticks["SHA-256"] > 0, ticks["Python loop"] == 0, short[1000] < 1
