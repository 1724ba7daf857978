"""What *Why is `rand()` slower in two threads than in one?* concludes."""

import dataclasses

from onthefly.experiments.generators import generators
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, judge, unresolved
from onthefly.page.verdicts import unmeasured

DRAWS = 2 * generators.SHOTS


def _gains(times):
    """Return {name: speed of two threads over one}."""
    return {
        name: times.seconds(name, 1) / times.seconds(name, 2)
        for name in times.names
    }


def gain(times):
    return _gains(times)


@figure(x="speed of two threads over one", reference=1)
def generators_figure(gain):
    return gain


def slowdown(gain, placed, by_two):
    """Return {name: time of two threads over that of one}."""
    speeds = {"rand": gain["rand"], "random": by_two} | placed
    return {name: (1 / q).named("×") for name, q in speeds.items()}


def more_than_cores(gain):
    above = ", ".join(name for name, q in gain.items() if q > 2)
    return above and (
        f" (Two cores explain at most 2×, and {above} gains more. The reason "
        "was not measured.)"
    )


def slower_in_two(times):
    return times.ratio("rand", "random_r", 2)


def alike(hand):
    return [hand.ratio("by hand", "rand", threads) for threads in (1, 2)]


def counted(hand):
    """Return what the lock counted in two threads, for a draw."""
    return {
        what: hand.count(what, "by hand", 2) / DRAWS
        for what in ("lock taken", "calls of the kernel", "sleeps")
    }


def kernel(hand):
    """Return its shares; they depend on free cores, as the time does."""
    return {
        name: dataclasses.replace(
            hand.count("kernel", name, 2).named("%"),
            disturbed=hand.seconds(name, 2).disturbed,
        )
        for name in hand.names
    }


@expect
def lock_calls(kernel):
    locked = kernel["rand"], kernel["by hand"]
    return [(share > 0.05, kernel["no lock"] < share) for share in locked]


def parted(parts):
    return _gains(parts)


@figure(x="speed of two threads over one", reference=1)
def parts_figure(parted):
    return parted


@answer("rand-in-threads")
def rand_in_threads(gain, parted):
    """Give each thread a state of its own: with xoshiro256+, two threads are
    then {gain[xoshiro].about} faster than one. With `rand` they are
    {slowdown[rand].about} slower, because each draw writes to one state and
    one lock, which the cores have to fetch from each other.
    """
    shared = parted["one state, no lock"], parted["own states, one lock"]
    lose = [q < 1 for q in (gain["rand"], *shared)]
    return lose, gain["rand_r"] > 1, gain["xoshiro"] > 1


def repeats(twice, drawn):
    return {k: Quantity.share(max(n), drawn) for k, n in twice.items()}


def placed(side):
    return _gains(side)


@judge("cext-rand-r-scales-random-r-does-not")
def random_r_does_not_scale(placed):
    """with random_r two threads are {placed[apart].about} with states apart,
    {placed[side by side].about} with states side by side, with rand_r
    {gain[rand_r].about}
    """
    slow, fast = sorted(placed.values(), key=lambda q: q.value)
    if fast < 1:
        return fast
    if slow > 1:
        return slow
    if slow < 1 and fast > 1:
        return unmeasured(
            "needs the place of the talk's states, which the slides do not "
            "show and which decides"
        )
    return unresolved("it is open whether two threads gain by random_r")


def unlisted(unsafe, named):
    absent = ", ".join(name for name in named if name not in unsafe)
    said = f"not on it: {absent or 'none'}; the talk counts 80 functions, "
    return f"{said}this list {len(unsafe)}" if unsafe else ""


@judge("cext-eighty-unsafe-functions")
def eighty_unsafe_functions(unsafe, named):
    """{unlisted}"""
    if not unsafe:
        return unmeasured(
            "this machine has no manual page pthreads(7) to look in; "
            "Debian's package manpages brings it"
        )
    return Quantity.share(sum(k in unsafe for k in named), len(named))


@judge("cext-no-speed-in-standards")
def by_two(official):
    """with rand, which need not be safe, two threads take
    {slower_in_two.about} as long as with random_r
    """
    return _gains(official)["random"]


def in_kernel(parts):
    return {
        lock: parts.count("kernel", f"one state, {lock}", 2).named("%")
        for lock in ("no lock", "one lock")
    }
