"""What *How should threads draw random numbers?* concludes."""

from onthefly.page import answer, figure


def shared(gain):
    return gain["one for both"][100_000]


def own_gain(gain):
    return gain["one each"][100_000]


def task(times):
    return times.seconds("one each, in_series", 100_000)


def shared_loss(times):
    return times.ratio(
        "one for both, in_threads", "one for both, in_series", 100
    )


def few_loss(times):
    return times.ratio("one each, in_threads", "one each, in_series", 100)


@figure(x="numbers in a call", y="times faster than one thread", logy=False)
def draws_figure(gain):
    return gain


@answer("random-in-threads")
def random_in_threads(own_gain, shared, waits_old):
    """Give each thread a generator of its own, made by `rng.spawn`: in calls
    of 100,000 numbers, two threads are then {own_gain.about} faster than one.
    `np.random` is one generator for the whole process, and every draw from it
    waits for the same lock.
    """
    return own_gain > 1, shared < 1.1, waits_old == [True, False]
