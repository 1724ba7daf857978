"""What *Threads without the lock* concludes."""

from onthefly.experiments.interpreters.builds import FREE, LOCK
from onthefly.experiments.interpreters.trials import ALONE, OWN, SHARED
from onthefly.page import answer, expect, figure, table
from onthefly.page.missing import Missing


def guided(known):
    return "a profile" if known[FREE]["pgo"] else "no profile"


@expect("both builds have one version, and one of them has the lock")
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
    """Return how many times as fast each way is as in turn, with the GIL."""
    turn = f"{LOCK}, in turn"
    return {way: times.ratio(turn, way, longest) for way in times.names}


@figure(
    x="times as fast as one loop after the other, with the GIL", reference=1
)
def headline_figure(ahead):
    """Two loops of {longest:,} shots each, by CPython {known[GIL][version]}
    with and without the lock.
    """
    return ahead


def gain_free(times, longest):
    return times.ratio(f"{FREE}, in turn", f"{FREE}, threads", longest)


def against_processes(times, longest):
    return times.ratio(f"{LOCK}, processes", f"{FREE}, threads", longest)


def one_stream(times, longest):
    threads = f"{FREE}, threads"
    return times.ratio(threads, f"{threads}, one stream", longest)


def interpreters(times, few, longest):
    return _made_anew("sub-interpreters", times, few, longest)


def pool(times, few, longest):
    return _made_anew("interpreter pool", times, few, longest)


def _made_anew(way, times, few, longest):
    """Return the time to make it, and its gain with that and without."""
    turn, way = f"{LOCK}, in turn", f"{LOCK}, {way}"
    if way not in times.names:
        return Missing("this version of Python has none")
    run = {
        name: times.seconds(name, longest) - times.seconds(name, few)
        for name in (turn, way)
    }
    return {
        "made": times.seconds(way, few),
        "all": times.ratio(turn, way, longest),
        "run": run[turn] / run[way],
    }


@answer("without-the-gil")
def without_the_gil(gain_free, ahead):
    """Two threads of plain Python are {gain_free.as_speed} one after the
    other (CPython {known[GIL][version]} without the lock; with it
    {ahead[GIL, threads].as_speed} it). A program of one thread is
    {ahead[no GIL, in turn].as_speed} under the build with the lock; of both
    together, two threads without the lock are
    {ahead[no GIL, threads].as_speed} one after the other with it.
    """
    gain_lock = ahead[f"{LOCK}, threads"]
    return gain_free > 1, gain_free > gain_lock, ahead[f"{FREE}, threads"] > 1


@figure(x="threads", y="time of all")
def threads_figure(grown):
    return grown


def at_once(grown):
    """Return {threads: how much as one they do in its time, no GIL}."""
    one = grown.seconds(FREE, 1)
    return {n: n * one / grown.seconds(FREE, n) for n in grown.sizes()}


def most_threads(grown):
    return grown.sizes()[-1]


def beyond(at_once, most_threads):
    return at_once[most_threads]


def free(touched):
    return touched[FREE]


def locked(touched):
    return touched[LOCK]


def shared(free):
    """Return {object: times as long for two on one as on one each}."""
    things = dict.fromkeys(name.rpartition(", ")[0] for name in free.names)
    return {k: free.ratio(f"{k}, {SHARED}", f"{k}, {OWN}") for k in things}


@table
def objects(shared, free, locked):
    """Steps of one thread, two, two that share: times as long as those of one
    thread with the lock.
    """
    return [
        {"object": thing}
        | {
            f"{build}, {who}": times.seconds(f"{thing}, {who}")
            / locked.seconds(f"{thing}, {ALONE}")
            for build, times in ((FREE, free), (LOCK, locked))
            for who in (ALONE, OWN, SHARED)
            if (build, who) != (LOCK, ALONE)
        }
        for thing in shared
    ]


def dearest(shared):
    return max(shared, key=lambda thing: shared[thing].value)


def dearest_sharing(shared, dearest):
    return shared[dearest]


@expect
def sharing_costs(shared):
    return shared["a list, appended to"] > 1.2, shared[
        "a dict, written"
    ] > 1.2


@figure(
    x="times as long on one object as on objects of their own, no GIL",
    reference=1,
)
def shared_figure(shared):
    return shared


@answer("shared-without-the-gil")
def shared_without_the_gil(dearest_sharing, one_stream):
    """What they write: a list and a dict have a lock each, a generator of
    random numbers a state. Under CPython {known[GIL][version]} two threads on
    one object are up to {dearest_sharing.as_time} two with one each
    ({dearest}), and on one stream {one_stream.as_speed} with a stream each;
    {most_threads} threads that share nothing get {beyond.about} as much done
    as one, on {grown.cores} cores. Give each thread its own objects, and put
    the results together at the end.
    """
    return dearest_sharing > 1.2, one_stream < 0.9


def refused(goes):
    return ", ".join(what for what, yes in goes.items() if not yes)


@expect
def flat_goes(goes):
    go, stay = ("a whole number", "a text", "bytes"), ("a list", "a dict")
    return [goes[k] for k in go], [not goes[k] for k in (*stay, "a function")]
