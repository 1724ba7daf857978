"""What *Threads or processes: which speed up Python code?* concludes."""

from onthefly import figures
from onthefly.experiments.gil import turns
from onthefly.experiments.speed import rates
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, judge, table
from onthefly.page.missing import Missing
from onthefly.page.verdicts import unmeasured
from onthefly.tools import interpreters


def by_threads(times, most):
    return times.ratio("series", "threads", most)


def by_processes(times, most):
    return times.ratio("series", "processes", most)


def few_slower(times, least):
    return times.ratio("processes", "series", least)


@figure(x="times as fast as series", reference=1)
def headline_figure(by_threads, by_processes):
    return {"threads": by_threads, "processes": by_processes}


def gain(times, most, least):
    """Return what processes gain without their launch."""
    series, processes = (
        times.seconds(way, most) - times.seconds(way, least)
        for way in ("series", "processes")
    )
    return series / processes


def at_once(watched):
    """Return in which part of the time both of a kind run."""
    return {k: turns.at_once(watched, k) for k in ("thread", "process")}


@expect
def at_the_same_time(at_once):
    thread, process = at_once["thread"], at_once["process"]
    return thread < 0.1, process > thread


@figure(alt="Threads run one after the other, processes at the same time.")
def turns_figure(watched):
    """The two threads run at once in {at_once[thread].about} of the time, the
    two processes in {at_once[process].about} of it.
    """
    return figures.spans(turns.spans(watched), x="time")


@figure(
    x="ms of switch interval", y="length of a turn", logx=False, logy=False
)
def interval_figure(lengths):
    return lengths


def turn(lengths):
    return {ms: lengths.seconds("two threads", ms) for ms in (2, 5, 10)}


@expect
def turns_follow(turn):
    # One interval or two, to the nearest.
    return [(q > 0.0005 * ms, q < 0.0025 * ms) for ms, q in turn.items()]


@answer("switch-interval")
def switch_interval(turn):
    """A thread that computes releases the GIL once another has waited for the
    switch interval, 5 ms unless you change it. `sys.setswitchinterval(0.002)`
    makes that 2 ms. A turn of two threads then lasts {turn[2].about}, and
    {turn[10].about} with an interval of 10 ms. A shorter interval lets others
    answer sooner. It does not let two threads compute at the same time.
    """
    return [(q > 0.0005 * ms, q < 0.0025 * ms) for ms, q in turn.items()]


def sides(times, pays, steps):
    """Return [(loop over launch, whether processes gain as that says)]."""
    found = []
    for n in steps:
        loop = (times.seconds("series", n) / 2 / pays).value
        gain = times.ratio("series", "processes", n)
        found.append((loop, gain > 1 if loop > 1 else gain < 1))
    return found


def as_predicted(sides):
    return Quantity.held(agrees for _, agrees in sides).note


@expect
def launch_decides(sides):
    # Not those so near that neither side is far off.
    return [agrees for loop, agrees in sides if not 0.5 < loop < 2]


def losing(times, steps):
    return _listed(n for n in steps if not _gain(times, n))


def winning(times, steps):
    return _listed(n for n in steps if _gain(times, n))


def _listed(lengths):
    return " and ".join(f"{n:,}" for n in lengths) or "no number of"


def _gain(times, n):
    return times.ratio("series", "processes", n).value > 1


def steps_due(times, pays, most):
    due = pays / (times.seconds("series", most) / 2 / most)
    return f"{float(f'{due.value:.2g}'):,.0f}"


@expect
def starts_sooner(bare, launches):
    process, both = bare.seconds("process"), launches.seconds("processes", 0)
    return 2 * process < both, process / bare.seconds("thread") > 5


@judge("thread-launch-cost")
def thread_launch_cost(bare):
    return bare.seconds("thread")


def rows(two):
    return [
        dict(zip(("CPython", "build"), label.split(), strict=True))
        | {way: loops.ratio("series", way) for way in loops.names[1:]}
        | ({"recorded": loops.origin} if loops.origin else {})
        for label, loops in two.items()
    ]


def own_rows(rows):
    return [row for row in rows if "recorded" not in row]


@table
def by_interpreter(rows):
    """Two loops, times as fast as in series."""
    return rows


@figure(x="times as fast as in series", reference=1)
def interpreters_figure(own_rows, pythons):
    newest = {i["version"] for i in interpreters.newest(pythons, since=12)}
    bars = {
        f"{row['CPython']} {row['build']}, {k}": row[k]
        for row in own_rows
        for k in ("threads", "processes", "subinterpreters")
        if k in row and row["CPython"] in newest
    }
    return bars or Missing("no such interpreter is here")


@expect
def lock_decides(own_rows):
    shared = [
        row["threads"] < 1.2 for row in own_rows if row["build"] == "GIL"
    ]
    way = "subinterpreters"
    own = [row[way] > 1.2 for row in own_rows if way in row]
    return shared, own or None


def free_threads(rows):
    free = [row["threads"].about for row in rows if row["build"] != "GIL"]
    return ", ".join(free) or Missing("no such build was measured")


def of_then(two):
    """Return the loops of a Python of the talk's time that ran here."""
    for label, loops in two.items():
        if label.startswith(("3.6.", "3.7.")) and not loops.origin:
            return loops
    return Missing("no Python 3.6 or 3.7 is here")


def _pair(of_then, way, today):
    then = None if of_then is None else of_then.ratio("series", way)
    return then, today


@judge("threads-against-series-speed")
def threads_against_series(by_threads, of_then=None):
    return _pair(of_then, "threads", by_threads)


@judge("processes-against-series-speed")
def processes_against_series(by_processes, of_then=None):
    return _pair(of_then, "processes", by_processes)


@judge("threads-turbo-penalty")
def turbo_penalty(book, ahead, by_threads, of_then=None):
    turbo = book.machine["turbo"]
    seen = turbo == "unknown" and ahead is not None and ahead > rates.TURBO
    if turbo == "on" or seen:
        return _pair(of_then, "threads", by_threads)
    needs = "needs a processor whose turbo is on"
    return unmeasured(f"{needs}; here it is {turbo}")
