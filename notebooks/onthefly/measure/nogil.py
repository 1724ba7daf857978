"""How much of a function runs outside the GIL, measured by its threads.

`measure` runs calls in 1 to M threads, and `reports` fits Amdahl's law.
Beside the calls runs a function known to release the GIL and one known to
hold it, for a machine's second core may be half a core, or a neighbour's.

The fraction is what threads gain, as Amdahl's law reads it.  The law lets no
thread compute while another holds the GIL; real threads may overlap there.
So a call that is half in, half out may come near 1 in two threads: the share
of its time outside the GIL lies between 1 − 1/s and the fraction.  Waiting
for the GIL, and any other lock or shared limit, lowers both.
"""

import contextlib
import dataclasses
import functools
import gc
import hashlib
import math
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from onthefly.measure import clock, libraries, machine
from onthefly.measure.quantity import Quantity, joined
from onthefly.measure.samples import MIN_ROUNDS, Reading, Samples, Series
from onthefly.measure.timings import Timings

FREE = "reference: SHA-256 of 1 MiB"  # known to run outside the GIL
HELD = "reference: Python loop"  # known to run inside it
SHORT = 200e-6  # seconds; a shorter call is its own dispatch to a good part
SAMPLE = (0.005, 0.03)  # seconds of one thread's sample, at least, at most
ROUNDS = 24  # that the budget should allow

# The verdict's bounds, on the relative fraction's interval.  They overlap,
# so that any interval narrower than 0.2 finds its word.
MOSTLY, HARDLY = 0.75, 0.25  # above it releases, below it holds the GIL
PART = (0.05, 0.95)  # within, and neither of the two: partly
SLOWER = -0.1  # below: in two threads 5 % slower than one after the other
WIDE = 0.4  # an interval wider than this names no other limit
QUIET = 0.05  # share of a sample in wait for a core that others have
OWN = 1.3  # cores that one call keeps busy, above which it has own threads

RELEASES, PARTLY, HOLDS = "releases the GIL", "partly", "holds the GIL"
SLOW, UNKNOWN = "slower in threads", "not resolved"
ELSEWHERE = "limited elsewhere"

# What is counted of a call beside its seconds.
USED, QUEUED = "processor seconds", "seconds in wait for a core"


@dataclasses.dataclass(frozen=True)
class Report:
    """What a call does in threads.

    name      the call
    times     Timings of it: sizes are threads, values the seconds of a call
              while so many threads make one each
    speedups  {threads: Quantity}: N·t(1)/t(N), the calls done in the time of
              one; 1 says that threads bring nothing
    fraction  the nogil fraction f, from s = 1/((1−f) + f/min(N, M)) over
              the N up to M, the usable cores; clipped to 0 to 1, and its
              note says so
    raw       the same, not clipped: below 0 the threads get in their way
    relative  f as a share of what FREE gets here and now (not clipped)
    busy      {threads: Quantity}: cores kept busy, from processor time
    verdict   one of the words above; `why` says what it rests on
    repeats   calls that a thread makes in one sample
    """

    name: str
    times: Timings
    speedups: dict[int, Quantity]
    fraction: Quantity
    raw: Quantity
    relative: Quantity
    busy: dict[int, Quantity]
    verdict: str
    why: str
    repeats: int


def default_threads():
    """Return 1, 2, 4, … up to the usable cores, and these themselves."""
    cores = max(2, machine.usable_cores())
    powers = [2**k for k in range(cores.bit_length()) if 2**k < cores]
    return (*powers, cores)


def measure(calls, threads=None, *, budget=10.0, seed=0, wait=None):
    """Run calls in threads; return their Samples, and those of references.

    calls    {name: function without arguments}, to be called from several
             threads at once
    threads  thread counts, 1 among them (default: `default_threads`)
    budget   seconds for all; at least one round is taken
    seed     of the order within a round
    wait     returns when all that the calls have started is done; a sample
             ends with it.  By default each loaded GPU library's own

    Their sizes are threads.  Beside the seconds of a call, what its threads
    USED of the processors is counted, and how long one was QUEUED.

    Every thread makes the same number of calls, enough for a sample of some
    milliseconds; a call shorter than 200 µs is thus repeated within the
    thread, and its Report says so.  Rounds interleave all calls and thread
    counts.

    Raises ValueError for bad arguments; an error in a call is raised with
    its name as a note.
    """
    counts = _check(calls, threads, budget)
    deadline = time.perf_counter() + budget
    everyone = {**calls, **_references()}
    aim = budget / (len(everyone) * (ROUNDS + 2) * sum(counts)) * 1.5
    aim = min(max(aim, SAMPLE[0]), SAMPLE[1])
    wait = wait or _idle
    repeats = {
        name: _repeats(name, call, aim, wait)
        for name, call in everyone.items()
    }
    with contextlib.ExitStack() as stack:
        pools = {n: stack.enter_context(_pool(n)) for n in counts}
        runs = {
            name: _Run(name, call, repeats[name], pools, wait)
            for name, call in everyone.items()
        }
        samples = clock.sample(
            runs,
            sizes=counts,
            budget=max(deadline - time.perf_counter(), 1e-3),
            least=1,
            seed=seed,
        )
    return _of_a_call(samples, repeats)


def _of_a_call(samples, repeats):
    """Return Samples in seconds a call.

    repeats  {name: calls in a sample}
    """
    return Samples(
        [_a_call(series, repeats[series.name]) for series in samples],
        samples.cores,
    )


def _a_call(series, calls):
    """Return a Series of so many calls in a sample, of one of them."""
    counts = {
        what: tuple(value / calls for value in values)
        for what, values in series.counts.items()
    }
    one = series.scaled(1 / calls)
    return dataclasses.replace(one, loops=calls, counts=counts)


def reports(times, cores, references=True):
    """Return {name: Report} of what `measure` measured.

    times       its Samples, as Timings
    cores       that the machine may use
    references  keep the Reports of FREE and HELD, at the end

    A round in which other programs took a call's cores, by the count of the
    kernel, says nothing of the GIL: it is left out where six quiet rounds of
    the session remain, and the notes tell.
    """
    taken = {name: _Taken.of(name, times, cores) for name in times.names}
    return {
        name: _report(one, taken[FREE], cores)
        for name, one in taken.items()
        if references or name not in (FREE, HELD)
    }


def profile(calls, threads=None, *, references=True, **options):
    """Measure calls in threads; return {name: Report}.

    As `measure` and `reports`, on this machine.
    """
    times = Timings.of(measure(calls, threads, **options))
    return reports(times, machine.usable_cores(), references)


def _check(calls, threads, budget):
    """Return the thread counts, ascending; ValueError names what is bad."""
    if not calls:
        raise ValueError("nogil.measure: no calls")
    for name in (FREE, HELD):
        if name in calls:
            raise ValueError(f"nogil.measure: the name {name!r} is taken")
    if not budget > 0:
        raise ValueError(f"nogil.measure: budget {budget!r} must be above 0")
    given = default_threads() if threads is None else threads
    counts = sorted(set(given))
    if any(not isinstance(n, int) or n < 1 for n in counts):
        raise ValueError(f"nogil.measure: threads {given}: whole, at least 1")
    if len(counts) < 2 or counts[0] != 1:
        raise ValueError(
            f"nogil.measure: threads {given}: give 1 and a larger count"
        )
    return counts


def _count(steps=20_000):
    """Count in plain Python, which holds the GIL."""
    total = 0
    for k in range(steps):
        total += k
    return total


def _references():
    """Return the calls whose fraction is known: 1, and 0 with a GIL."""
    return {
        FREE: functools.partial(hashlib.sha256, bytes(2**20)),
        HELD: _count,
    }


def _idle():
    """Wait until the devices of the loaded libraries are idle."""
    for wait in libraries.waits():
        wait()


def _repeats(name, call, aim, wait):
    """Return how many calls last `aim` seconds."""

    def run(loops):
        for _ in range(loops):
            call()
        wait()

    try:
        run(1)  # compiles, loads, fills caches
        loops = 1
        while (taken := clock.seconds(run, loops)) < aim / 4:
            loops = min(loops * 10, int(loops * aim / max(taken, 1e-9)) + 1)
    except Exception as error:
        error.add_note(f"in the call {name!r}")
        raise
    return max(1, math.ceil(aim * loops / taken))


@contextlib.contextmanager
def _pool(threads):
    """Yield a pool whose threads have all started."""
    with ThreadPoolExecutor(threads) as pool:
        start = threading.Barrier(threads)
        for job in [pool.submit(start.wait) for _ in range(threads)]:
            job.result()
        yield pool


@contextlib.contextmanager
def _uncollected():
    """Keep Python's collector off, as in a sample of `clock.measure`."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


class _Run:
    """One call, run by N threads at once: a sampler of `clock.sample`."""

    def __init__(self, name, call, repeats, pools, wait):
        self.name, self.call, self.repeats = name, call, repeats
        self.pools, self.wait = pools, wait

    def _loop(self, start):
        start.wait()
        before = machine.queued_seconds()
        for _ in range(self.repeats):
            self.call()
        return machine.queued_seconds() - before

    def _at_once(self, threads):
        """Run N threads; return the seconds that each waited for a core."""
        start = threading.Barrier(threads)
        submit = self.pools[threads].submit
        jobs = [submit(self._loop, start) for _ in range(threads)]
        try:
            return [job.result() for job in jobs]
        except Exception as error:
            error.add_note(f"in the call {self.name!r}, {threads} threads")
            raise

    def __call__(self, threads):
        """Return the Reading of some calls in each thread."""
        with _uncollected():
            clocks = time.perf_counter(), time.process_time()
            waits = self._at_once(threads)
            self.wait()
            seconds = time.perf_counter() - clocks[0]
            used = time.process_time() - clocks[1]
        return Reading(seconds, {USED: used, QUEUED: sum(waits) / threads})


@dataclasses.dataclass(frozen=True)
class _Taken:
    """The samples of one call; sizes are threads.

    name    the call
    times   its own
    quiet   the same, of the quiet rounds
    doubt   the worst of any number of threads, which share it
    groups  names of the measurements, as of a Quantity
    """

    name: str
    times: Timings
    quiet: Timings
    doubt: str
    groups: frozenset

    @classmethod
    def of(cls, name, times, cores):
        """Take one call's samples out of all."""
        own = [times.series(name, n) for n in times.sizes(name)]
        sessions = range(len(own[0].parts))
        rounds = [_quiet(own, cores, k) for k in sessions]
        quiet = _some(times, [_only(series, rounds) for series in own])
        notes = (quiet.seconds(name, series.size).note for series in own)
        doubt = max(notes, key=len)
        used, every = sum(map(len, rounds)), len(own[0].values)
        if used < every:
            part = f"{used} of {every} rounds used"
            doubt = joined((doubt, f"{part}, others had the cores"))
        groups = times.seconds(name, 1).groups
        return cls(name, _some(times, own), quiet, doubt, groups)

    @property
    def counts(self):
        """The numbers of threads, ascending."""
        return self.times.sizes(self.name)

    def _noted(self, quantity):
        return dataclasses.replace(
            quantity, note=self.doubt, groups=self.groups
        )

    def speeds(self):
        """Return {threads: N·t(1)/t(N)}."""
        one = self.quiet.seconds(self.name, 1)
        return {
            n: self._noted(one * n / self.quiet.seconds(self.name, n))
            for n in self.counts
        }

    def busy(self):
        """Return {threads: cores kept busy}."""
        return {
            n: self._noted(self._used(n)).named("cores") for n in self.counts
        }

    def _used(self, threads):
        used = self.quiet.count(USED, self.name, threads)
        return used / self.quiet.seconds(self.name, threads)

    def ran(self):
        """Return {threads: times the cores that one thread kept busy}."""
        busy = self.busy()
        return {n: q / busy[1] for n, q in busy.items()}


def _some(times, series):
    """Return some Series of Timings, or made from them, as Timings."""
    return Timings(series, times.cores, times.origin)


def _only(series, rounds):
    """Return a Series of some rounds of each session."""
    return Series.joined(map(_some_rounds, series.parts, rounds))


def _some_rounds(series, rounds):
    """Return a Series of some rounds."""
    counts = {
        what: tuple(values[k] for k in rounds)
        for what, values in series.counts.items()
    }
    values = tuple(series.values[k] for k in rounds)
    return dataclasses.replace(series, values=values, counts=counts)


def _quiet(own, cores, session):
    """Return the rounds of a session in which others left a call the cores.

    own  the Series of the call, by threads

    All of them where these are fewer than six.
    """
    # Threads beyond the cores wait for each other: no sign of others.
    alone = [s.parts[session] for s in own if s.size <= cores]
    shares = [np.divide(s.counts[QUEUED], s.values) for s in alone]
    worst = np.max(shares, axis=0)
    quiet = np.flatnonzero(worst < QUIET)
    return quiet if len(quiet) >= MIN_ROUNDS else np.arange(len(worst))


def fraction(speed, threads, cores):
    """Return Amdahl's f of one speed-up: s = 1/((1−f) + f/min(N, M)).

    speed  a Quantity or a number

    Raises ValueError where min(N, M) is 1: one core tells nothing of f.
    """
    if min(threads, cores) < 2:
        raise ValueError(f"fraction: {threads} threads on {cores} cores")
    return (1 - 1 / speed) / (1 - 1 / min(threads, cores))


def _fitted(speeds, cores):
    """Return Amdahl's f of {threads: speed-up}, as a share.

    1 − 1/s = f·(1 − 1/min(N, M)) is linear in f: least squares over the N
    from 2 up to M, in each round.
    """
    cores = max(cores, 2)
    counts = [n for n in speeds if 2 <= n <= cores]
    counts = counts or [n for n in speeds if n > 1]
    weights = [(1 - 1 / min(n, cores)) ** 2 for n in counts]
    first, *others = (
        fraction(speeds[n], n, cores) * (weight / sum(weights))
        for n, weight in zip(counts, weights, strict=True)
    )
    return sum(others, first).named("%")


def _report(taken, free, cores):
    """Return the Report of one call beside the free reference."""
    speeds, busy = taken.speeds(), taken.busy()
    raw, given = (_fitted(one.speeds(), cores) for one in (taken, free))
    ran, all_ran = (_fitted(one.ran(), cores) for one in (taken, free))
    relative = (raw / given).named("%")
    at_once = (ran / all_ran).named("%")
    verdict, why = _verdict(raw, relative, at_once, given, busy[1], cores)
    seconds = taken.times.seconds(taken.name, 1)
    calls = taken.times.series(taken.name, 1).loops
    if seconds.value < SHORT:
        why += (
            f"; a call takes {seconds.short}, so {calls} run in a loop in"
            " each thread, and the loop itself holds the GIL"
        )
    return Report(
        taken.name,
        taken.times,
        speeds,
        _clipped(raw),
        raw,
        relative,
        busy,
        verdict,
        why,
        calls,
    )


def _clipped(raw):
    """Return the fraction as a share, and say where the fit left 0 to 1."""
    share = raw.within(0.0, 1.0)
    if 0 <= raw.value <= 1:
        return share
    said = (
        "gets slower in threads"
        if raw.value < 0
        else "gains more than the cores' number"
    )
    note = joined((raw.note, f"fitted {raw.short}: {said}"))
    return dataclasses.replace(share, note=note)


def _verdict(raw, relative, ran, given, alone, cores):
    """Return the verdict's word and what it rests on.

    raw       the fraction from the speed-up, `relative` to the reference
    ran       the same from processor time: how far the threads ran at once
    given     the fraction of the reference that releases the GIL
    alone     cores that one thread kept busy
    """
    if cores < 2:
        return UNKNOWN, "one usable core: threads take turns anyway"
    if not math.isfinite(raw.low):
        return UNKNOWN, f"fewer than {MIN_ROUNDS} rounds"
    if given.low < 0.25:
        return UNKNOWN, (
            f"the machine gave even the reference only {given}: it is busy"
        )
    if relative.low >= MOSTLY:
        return RELEASES, "the threads ran at once"
    if alone.low > OWN:
        return ELSEWHERE, (
            f"one call keeps {alone.short} busy by itself: it has threads of"
            " its own"
        )
    narrow = relative.high - relative.low < WIDE
    if ran.low >= MOSTLY and relative.high < PART[1] and narrow:
        return ELSEWHERE, (
            "the threads ran at once, but a call cost more processor time:"
            " they share memory, a cache or a lock that spins"
        )
    if raw.high < SLOWER:
        return SLOW, "N threads take longer than their work in turn"
    # Work done at once keeps more cores busy: this bounds f from above.
    turns = ran.high <= HARDLY and relative.low <= HARDLY
    if turns or relative.high <= HARDLY:
        return HOLDS, "the threads took turns: the GIL or a lock of its own"
    if relative.low > PART[0] and relative.high < PART[1]:
        return PARTLY, "the threads took turns for a part of the call"
    hint = ", though the threads ran at once" if ran.low >= MOSTLY else ""
    return UNKNOWN, f"the interval is too wide: {relative.interval} %{hint}"
