"""What *Why two threads gain little* concludes."""

from onthefly import figures
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, table


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
    """Let each thread count in a local variable, and write it to the array
    once. Elements 8 bytes apart lie in one cache line, which only one core at
    a time may write to: there two threads take {slower[8].about} as long as
    one thread with half the work.
    """
    return slower[8] > 1, slower[8] > slower[192], at_the_line


@figure
def distance_figure(slower, line):
    return figures.lines(
        {"two threads": slower},
        x="distance of the elements (bytes)",
        y="time of two threads, over one",
        logx=False,
        logy=False,
        marks=[(line, f"a cache line: {line} bytes")],
    )


def dealt(spread):
    return spread.ratio("prange", "dealt out")


def tasked(spread):
    return spread.ratio("prange", "pool")


@table
def fairness(shares, spread):
    """Share of the busiest of two threads, and times faster than prange."""
    return [
        {
            "version": k,
            "busiest thread": share.short,
            "times faster": spread.ratio("prange", k).short,
        }
        for k, share in shares.items()
    ]


@expect
def even_wins(shares, dealt, tasked):
    even = shares["prange"] > 0.6, shares["dealt out"] < 0.55
    return even, dealt > 1.1, tasked > 1.1


def spent(waiting):
    return {name: Quantity.median(each) for name, each in waiting.items()}


def delay(behind, policies):
    return {
        k: behind.ratio(f"{k}, behind a loop", f"{k}, at rest")
        for k in policies
    }


@expect
def slower_behind(delay):
    hindered, free = delay["as it comes"], delay["passive"]
    return hindered > 1.1, hindered > free, free < 1.1


@figure(x="time of the pool after a loop, over at rest", reference=1)
def behind_figure(delay):
    return {
        "by default": delay["as it comes"],
        "OMP_WAIT_POLICY=passive": delay["passive"],
    }
