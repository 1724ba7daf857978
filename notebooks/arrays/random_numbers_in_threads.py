"""What *Random numbers in threads* concludes."""

from onthefly.page import answer, figure


def shared(gain):
    return gain["one for both"][100_000]


def own_gain(gain):
    return gain["one each"][100_000]


def few_numbers(gain):
    return gain["one each"][100]


@figure(x="numbers in a call", y="times as fast as in series", logy=False)
def draws_figure(gain):
    return gain


@answer("random-in-threads")
def random_in_threads(own_gain, shared, waits_old):
    """A generator for each thread, by `rng.spawn`: with 100,000 numbers in a
    call two threads are then {own_gain.as_speed} one, and with one generator
    for both {shared.as_speed} it. `np.random` is one generator for the whole
    process, and who draws from it waits for its lock. (Where threads draw for
    longer and a pool is not called for each piece, *Which functions let go of
    the GIL* has more.)
    """
    return own_gain > 1, shared < 1.1, waits_old == [True, False]
