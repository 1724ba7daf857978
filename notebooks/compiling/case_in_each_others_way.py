"""What *In each other's way* concludes."""

from onthefly import figures
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure


def slower(shared, distances):
    return {
        n: shared.ratio("two threads", "one thread", n) for n in distances
    }


@expect
def at_the_line(slower, line):
    within = max(n for n in slower if n < line)
    beyond = min(n for n in slower if n >= line)
    return slower[within] > 1.2 * slower[beyond]


@answer("threads-in-the-way")
def in_the_way(slower, at_the_line):
    """Perhaps they write into one line of memory, {line} bytes here, which
    one core alone may write to at a time: two threads that count in cells 8
    bytes apart take {slower[8].about} as long as one, in cells 192 bytes
    apart {slower[192].about}. Let each count in a variable of its own, and
    write it to the array once.
    """
    return slower[8] > 1, slower[8] > slower[192], at_the_line


@figure
def distance_figure(slower, line):
    return figures.lines(
        {"two threads": slower},
        x="distance (bytes)",
        y="times as long as one thread",
        logx=False,
        logy=False,
        marks=[(line, f"a line: {line} bytes")],
    )


def dealt(spread):
    return spread.ratio("prange", "dealt out")


def tasked(spread):
    return spread.ratio("prange", "pool")


@expect
def even_wins(shares, dealt, tasked):
    even = shares["prange"] > 0.6, shares["dealt out"] < 0.55
    return even, dealt > 1.1, tasked > 1.1


def spent(waiting):
    return {name: Quantity.median(each) for name, each in waiting.items()}


@figure(x="processor time in a pause of 30 ms")
def waiting_figure(spent):
    return spent


def delay(behind, policies):
    return {
        k: behind.ratio(f"{k}, behind a loop", f"{k}, at rest")
        for k in policies
    }


@expect
def slower_behind(delay):
    hindered, free = delay["as it comes"], delay["passive"]
    return hindered > 1.1, hindered > free, free < 1.1


@figure(x="behind a loop, over at rest", reference=1)
def behind_figure(delay):
    return delay
