"""What *How many workers should a pool have?* concludes."""

import math

from onthefly.experiments.numba.rested import ahead_from
from onthefly.measure import models
from onthefly.page import answer, expect, figure, judge, unresolved
from onthefly.page.verdicts import unmeasured

BRIEF, LONG = 500_000, 8_000_000  # shots of a processor in a call


def trip(pools):
    return pools.seconds("open pool", 100)


def launch(pools):
    return pools.seconds("processes", 100)


def a_step(pools, steps):
    return pools.seconds("series", steps[-1]) / 2 / steps[-1]


def in_steps(trip, launch, a_step):
    """Return how many steps take as long, to two digits."""
    counts = {"open": trip / a_step, "new": launch / a_step}
    return {k: f"{float(f'{q.value:.2g}'):,.0f}" for k, q in counts.items()}


def for_certain(pools, a_step):
    ahead = ahead_from(pools, "series", "open pool")
    if not ahead:
        return "at none of the lengths measured"
    return f"from {ahead:,} steps on, {(ahead * a_step).about} a piece"


@expect
def open_pays_earlier(pools, trip, launch, steps):
    gain = pools.ratio("series", "open pool", steps[-1])
    return launch > 5 * trip, gain > 1.2


def pickling_both(pickling):
    return 2 * pickling.seconds("a task", 100)


@answer("pool-slower-than-loop")
def pool_slower_than_loop(pools, trip, launch, steps, a_step):
    """Open the pool once, and give it pieces of work that take several times
    as long as the trip to a worker and back, {trip.about}; starting a pool of
    two processes takes {launch.about}. Lists and text are pickled on the way
    out and back. If the work is only a pass over them, pickling costs more
    than it saves: keep numbers in one array, and send file names in place of
    text.
    """
    on_its_side = []
    for way, cost in {"open pool": trip, "processes": launch}.items():
        for n in steps:
            gain = pools.ratio("series", way, n)
            over = n * a_step.value / cost.value
            if not 0.5 < over < 2:  # clear of the limit
                on_its_side.append(gain > 1 if over > 1 else gain < 1)
    return on_its_side, launch > 5 * trip


def megabytes(most):
    return 8 * most // 10**6


def a_megabyte(handed, most, megabytes):
    longer = handed.seconds("sent", most) - handed.seconds("sent", 10)
    return longer / megabytes


def over_sum(handed, most):
    return handed.ratio("sent", "here", most)


def by_memory(handed, most):
    return handed.ratio("sent", "shared memory", most)


def pays_from(handed):
    least = ahead_from(handed, "sent", "shared memory")
    return f"from {least:,} numbers on" if least else "at none"


@answer("send-an-array")
def send_an_array(over_sum, by_memory):
    """{a_megabyte.about} per megabyte of a large array, which the pool
    pickles. Adding {megabytes} MB here is {over_sum.about} faster than
    sending them to a worker that adds them. With the numbers in shared memory
    the worker is {by_memory.about} faster than with numbers that are sent; of
    the sizes measured, shared memory is certainly faster than sending
    {pays_from}. Better still, let the workers load or make their data.
    """
    return over_sum > 2, by_memory > 1.2


def of_a_second(seconds, independent):
    off = models.root_mean_square([pi - math.pi for pi in seconds])
    return off.named("×") / independent


@expect
def repeat(of_a_second, worth):
    return of_a_second > 1.5, worth < 1.1


@judge("threads-map-reduce-of-pi")
def map_reduce_of_pi(worth):
    return worth


def beyond(law, processors):
    enough, twice = processors, 2 * processors
    return law.seconds("waits", enough) / law.seconds("waits", twice)


def waiting(speeds, processors):
    return speeds["waits"][processors]


def steady(speeds, processors):
    return speeds["never waits"][processors]


@expect
def up_to_the_cores(speeds, cores, beyond):
    return cores == 1 or speeds["waits"][cores] > 1.2, beyond < 1.2


def gains_in_c(in_c):
    """Return {threads: how many times as fast as one}, of the loop in C."""
    took = {n: in_c.seconds("GIL released", n) for n in in_c.sizes()}
    return {n: took[1] / took[n] for n in took}


@answer("how-many-workers")
def how_many_workers(processors, waiting, beyond):
    """One for each processor that your process may use: {processors} here.
    Ask `os.process_cpu_count()`, before Python 3.13
    `len(os.sched_getaffinity(0))`. With that many threads a compiled loop is
    {waiting.about} faster than with one; twice as many threads gain nothing
    more.
    """
    return processors == 1 or waiting > 1.2, beyond < 1.2


@judge("threads-min-n-m-law")
def min_n_m_law(cores, gains_in_c=None, speeds=None):
    in_numba = speeds and speeds["waits"]
    return [_furthest(gains, cores) for gains in (gains_in_c, in_numba)]


def _furthest(gains, cores):
    """Return the speed-up that is furthest from the law, over the law's."""
    more = {n: q for n, q in (gains or {}).items() if n > 1}
    parts = [q / min(n, cores) for n, q in more.items()]
    return max(parts, key=lambda q: abs(math.log(q.value)), default=None)


def lasts(by_length, processors):
    enough = f"{processors} threads"
    return {n: by_length.seconds(enough, n) for n in (BRIEF, LONG)}


def late(by_length):
    """Return what one thread too many costs, {"free", "tied"}, by size."""
    enough, free, tied = by_length.names
    sizes = by_length.sizes(enough)
    return {
        name: {n: by_length.ratio(way, enough, n) for n in sizes}
        for name, way in {"free": free, "tied": tied}.items()
    }


@expect
def moved(late, processors):
    free, tied = late["free"], late["tied"]
    found = free[BRIEF] > free[LONG], tied[LONG] > free[LONG]
    return [processors == 1 or each for each in found]


@figure(
    x="shots that each processor has",
    y="times slower by an extra thread",
    logy=False,
)
def one_too_many_figure(late):
    """How many times slower one extra thread makes the work: with threads
    that the system may move (free), and with threads that it may not (tied).
    """
    return late


def shared(waiting, steady, processors):
    """Return whether two processors share a core; None where it is open."""
    dense = (steady / processors < 0.75).holds
    slowed = dense and not waiting > steady  # something else slows both
    return None if slowed else dense


def core_says(shared):
    return {
        True: "So these processors share cores, whatever the system says.",
        False: "So they are cores of their own.",
        None: "Which of the two they are, this run leaves open.",
    }[shared]


@answer("is-it-a-core")
def is_it_a_core(waiting, steady, processors):
    """No. Two hyper-threads share the units of one core. A loop that often
    waits should still gain from the second, and a loop that never waits
    hardly. (This is expected, and not measured where there are none.) The
    operating system need not say what a processor is, but these two loops
    show it (`.venv/bin/python scripts/run.py how-many-workers`): on the
    {processors} processors here the loop that never waits is {steady.about}
    faster than one thread, and the loop that waits {waiting.about} faster.
    {core_says}
    """
    dense = steady / processors
    if dense.value < 0.75:
        return waiting > steady, dense < 0.75
    return dense > 0.75


@judge("threads-beyond-real-cores")
def beyond_real_cores(book, law, shared, processors, cores):
    """A loop that never waits gains {steady.about} from {processors}
    processors.
    """
    siblings = book.machine["cores"]["threads_per_core"] > 1
    if siblings or shared:
        real = cores if siblings else processors // 2
        return law.seconds("waits", real) / law.seconds("waits", processors)
    if shared is None:
        return unresolved("whether two processors share a core is open")
    return unmeasured("needs hyper-threads, and none are here")


@judge("threads-on-one-core-law")
def alone(pinned):
    return pinned.seconds("waits", 1) / pinned.seconds("waits", 2)


def crowded(blas, sides):
    """Return how much longer workers take beside their threads of BLAS."""
    both, one = "workers and BLAS", "workers, one thread each"
    ratios = {n: blas.ratio(both, one, n) for n in sides}
    rows = max(ratios, key=lambda n: ratios[n].value)
    return {"most": ratios[rows], "rows": rows, "last": ratios[sides[-1]]}


def blas_alone(blas, sides):
    return blas.ratio("workers, one thread each", "BLAS alone", sides[-1])


@answer("blas-beside-a-pool")
def blas_beside_a_pool(crowded, blas_alone, processors):
    """Both want all cores. With {processors} workers and {processors} threads
    of BLAS in each, products of matrices were {crowded[most].about} slower
    than with one BLAS thread a worker, at {crowded[rows]} rows. Set
    `OPENBLAS_NUM_THREADS=1` before the workers load NumPy. Or use no pool:
    with the largest matrices BLAS on all cores is {blas_alone.about} faster
    than workers with one thread each.
    """
    return processors == 1 or crowded["most"] > 1.1, blas_alone > 1


def whole(rounds):
    return rounds.ratio("three", "two")


def cut(rounds):
    return rounds.ratio("in pieces", "two")


@answer("one-job-too-many")
def one_job_too_many(rounds):
    """Two workers need {whole.about} the time of two jobs for three equal
    jobs, because one worker is idle at the end. Cut into six pieces, the same
    work takes {cut.about}; the least is 1.5×. Give a pool several pieces for
    each worker.
    """
    return rounds.ratio("three", "in pieces") > 1


def by_coroutines(turns):
    return turns.ratio("series", "coroutines", 10**6)


@answer("asyncio")
def does_asyncio_help(by_coroutines):
    """No. Coroutines share one thread, and switch only where one of them
    waits. Two loops that count are no faster as coroutines than in series.
    `asyncio` is for programs that wait, for a network or a disk.
    """
    return by_coroutines < 1.1
