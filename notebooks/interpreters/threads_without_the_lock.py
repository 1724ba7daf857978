"""What *Python without the GIL* concludes."""

from onthefly.experiments.interpreters.builds import FREE, LOCK
from onthefly.experiments.interpreters.lost_standalone import CURES, RACES
from onthefly.experiments.interpreters.trials import ALONE, OWN, SHARED
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, table

SHOWN = [
    f"{LOCK}, threads",
    f"{LOCK}, processes",
    f"{LOCK}, sub-interpreters",
    f"{FREE}, in turn",
    f"{FREE}, threads",
]
COUNTER = "next(itertools.count())"
ONE_CALL = [
    "items.append(k)",
    "table[k] = k, keys of one's own",
    "table.setdefault(k, me)",
    "deque.append(k)",
]
STEPS_OF_TWO = [race for race in RACES if race not in (*ONE_CALL, COUNTER)]


@expect
def alike(known):
    lock, free = known[LOCK], known[FREE]
    same = [lock[what] == free[what] for what in ("version", "pgo")]
    return same, lock["gil"], not free["gil"]


@expect
def same_points(hits):
    first = hits[LOCK]["in turn"]
    return [way == first for ways in hits.values() for way in ways.values()]


def longest(times):
    return times.sizes()[-1]


def ahead(times, longest):
    """Return how many times faster each is than in turn, with the GIL."""
    turn = f"{LOCK}, in turn"
    return {way: times.ratio(turn, way, longest) for way in times.names}


@figure(x="times faster than one after the other, with the GIL", reference=1)
def headline_figure(ahead):
    """Two loops of {longest:,} points each on {grown.cores} cores. "In turn"
    is one after the other.
    """
    return {way: ahead[way] for way in SHOWN if way in ahead}


def gain_free(times, longest):
    return times.ratio(f"{FREE}, in turn", f"{FREE}, threads", longest)


def single(times, longest):
    return times.ratio(f"{FREE}, in turn", f"{LOCK}, in turn", longest)


def one_stream(times, longest):
    threads = f"{FREE}, threads"
    return times.ratio(f"{threads}, one stream", threads, longest)


def made(times, few):
    return times.seconds(f"{LOCK}, sub-interpreters", few)


@answer("without-the-gil")
def without_the_gil(gain_free, single):
    """Use threads instead of processes for plain Python whose threads share
    little, if you can run a free-threaded build. Two threads were
    {gain_free.about} faster there than one after the other, while one thread
    was {single.about} slower than with the GIL.
    """
    return gain_free > 1, single > 1


def most_threads(grown):
    return grown.sizes()[-1]


def more_threads(grown, most_threads):
    """Return how much more most threads do than two, in the same time."""
    two = most_threads / 2 * grown.seconds(FREE, 2)
    return two / grown.seconds(FREE, most_threads)


def shared(touched):
    """Return {object: times as long for two on one as on one each}."""
    free = touched[FREE]
    things = dict.fromkeys(name.rpartition(", ")[0] for name in free.names)
    return {k: free.ratio(f"{k}, {SHARED}", f"{k}, {OWN}") for k in things}


def behind(touched):
    """Return how much longer two take on a list than one with the GIL."""
    one = touched[LOCK].seconds(f"a list, appended to, {ALONE}")
    return touched[FREE].seconds(f"a list, appended to, {SHARED}") / (2 * one)


@expect
def sharing_costs(shared):
    return [
        shared[k] > 1.2 for k in ("a list, appended to", "a dict, written")
    ]


@figure(x="times slower on one object than on an object each", reference=1)
def shared_figure(shared):
    """Two threads without the GIL."""
    return shared


@answer("shared-without-the-gil")
def shared_without_the_gil(shared, sharing_costs):
    """Give each thread its own objects, and combine the results at the end.
    Threads that write to one object wait for its lock: two threads were
    {shared[a dict, written].about} slower on one dict than on a dict each.
    """
    return sharing_costs


def wrong(tallies):
    """Return {build: {race: share of wrong runs}}."""
    return {
        build: {
            race: Quantity.share(tally["wrong"], tally["runs"])
            for race, tally in races.items()
        }
        for build, races in tallies.items()
    }


def back(wrong):
    return wrong[FREE]["x += 1"]


def held(wrong):
    return wrong[LOCK]["x += 1"]


@expect
def pairs_lose(wrong):
    return [wrong[FREE][race].value > 0 for race in STEPS_OF_TWO]


@expect
def calls_hold(wrong):
    return [wrong[b][n].value == 0 for b in (LOCK, FREE) for n in ONE_CALL]


@expect
def only_the_call(wrong):
    called = "x = x + one()"
    rest = [wrong[LOCK][race].value == 0 for race in RACES if race != called]
    return wrong[LOCK][called].value > 0, rest


def counted(wrong):
    return wrong[FREE][COUNTER]


@expect
def cures_hold(wrong):
    return [
        shares[cure].value == 0 for shares in wrong.values() for cure in CURES
    ]


@table
def races(wrong, known):
    """Runs of two threads that lost an update."""
    return [
        {"line": race}
        | {f"{b} {known[b]['version']}": wrong[b][race].note for b in wrong}
        for race in RACES
    ]


@answer("races-without-the-gil")
def races_without_the_gil(back, held, calls_hold, cures_hold):
    """Hold a lock wherever a thread reads a value and writes back what
    follows from it: the GIL only hid these races. Two threads that run
    x += 1 went wrong in {back.note} runs without it, in {held.note} with it.
    """
    return back > held, calls_hold, cures_hold
