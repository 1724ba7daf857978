"""What *Why does a big program start processes slowly?* concludes."""

from onthefly import figures
from onthefly.experiments.launch import holdings
from onthefly.measure import models
from onthefly.page import answer, expect, figure, judge, table
from onthefly.page.verdicts import unmeasured


def bare(seen):
    return seen.seconds("a bare script")


def notebook(seen):
    return seen.seconds("this notebook")


@judge("process-launch-cost")
def process_launch_cost():
    """Start and join of a forked process that does nothing take {bare.about}
    from a bare script and {notebook.about} from this notebook.
    """
    return unmeasured("needs what the talk's script held, which decides")


@figure(
    x="MiB held by the parent", y="time of a fork", logx=False, logy=False
)
def held_figure(held):
    return held


def grown(held, least, most):
    ways = held.names
    return {k: held.seconds(k, most) / held.seconds(k, least) for k in ways}


@expect
def own_pages_count(grown):
    hardly = grown["huge pages"] < 1.5, grown["shared"] < 1.5
    return grown["every page"] > 2, hardly


@table
def parents_held(held, entries, most):
    """Four parents."""
    return [
        {
            f"{most} MiB": k,
            "bytes of page table": _whole(held.count("page tables", k, most)),
            "filled entries": _whole(entries[k][most]),
            "a fork": held.seconds(k, most).short,
        }
        for k in held.names
    ]


def _whole(count):
    return f"{count.value:,.0f}"


@expect
def equally_large(held, entries, most):
    large = [held.count("page tables", k, most).value for k in held.names]
    every = large[held.names.index("every page")]
    fewer = entries["huge pages"][most] < entries["every page"][most]
    return [abs(size / every - 1) < 0.1 for size in large], fewer


def off(held, entries, predicted, sizes):
    """Return the others' forks, each over what was predicted, ranked."""
    parts = [
        held.seconds(k, n) / predicted(entries[k][n])
        for k in held.names[1:]
        for n in sizes
    ]
    return sorted(parts, key=lambda q: q.value)


def mib(entry):
    return entry * (holdings.MIB / holdings.PAGE)


@figure
def entries_figure(held, entries, sizes):
    """The same forks by the number of entries that they copy. The dashed line
    runs through the parents with every page in use, at {entry.about} an
    entry.
    """
    drawn = {
        k: {entries[k][n].value: held.seconds(k, n) for n in sizes}
        for k in held.names
    }
    line = models.line(*zip(*drawn["every page"].items(), strict=True))
    return figures.lines(
        drawn,
        x="entries that a fork copies",
        y="time of a fork",
        time="y",
        logx=False,
        logy=False,
        fits={"every page": line},
    )


def part(twin):
    """Return {twin: its part of the notebook's time}."""
    whole = twin.seconds("this notebook")
    return {k: (twin.seconds(k) / whole).named("%") for k in twin.names[1:]}


@expect
def entries_are_too_few(part):
    first, second, third = part.values()
    grow = second > first, third > second
    return first < 0.9, grow, third > 0.67, third < 1.5


def growth(control):
    return {
        k: control.seconds(k, 128) / control.seconds(k, 1)
        for k in control.names
    }


@figure(x="times slower with 128 MiB in use than with 1 MiB", reference=1)
def headline_figure(growth):
    return growth


@expect
def only_fork_grows(growth):
    others = growth["forkserver"] < 1.5, growth["spawn"] < 1.5
    return growth["fork"] > 2, others


def spawn_slower(control):
    return control.ratio("spawn", "fork", 1)


@expect
def fork_is_cheapest(control):
    return [control.ratio(k, "fork", 1) > 1 for k in ("forkserver", "spawn")]


@expect
def pages_decide(notebook, bare, only_fork_grows, fork_is_cheapest, off):
    predicted = off[0] > 0.67, off[-1] < 1.5
    return notebook > 2 * bare, only_fork_grows, fork_is_cheapest, predicted


def each_mib(control):
    return (control.seconds("fork", 128) - control.seconds("fork", 1)) / 127


def launch(control):
    return {way: control.seconds(way, 128) for way in control.names}


def gigabyte(control, each_mib, mib):
    """Return what a fork with a gigabyte should take, by either series."""
    first = control.seconds("fork", 1)
    return {"short": first + 1023 * each_mib, "long": first + 1023 * mib}


@answer("fork-or-spawn")
def fork_or_spawn(only_fork_grows, launch, gigabyte):
    """If the workers only read the data, keep these in arrays and use `fork`.
    It takes {launch[fork].about} with 128 MiB, and by calculation about
    {gigabyte[long].about} with a gigabyte. In lists, memory grows afterwards,
    because reading a Python object writes its reference count, which copies
    its page. If the program has threads, use `forkserver` or `spawn`, or
    start the workers before you load the data. These take as long whatever
    the parent holds, but their workers do not have the data: let each load or
    map them.
    """
    like_spawn = [q / launch["spawn"] < 2 for q in gigabyte.values()]
    short = gigabyte["short"]
    return only_fork_grows, launch["forkserver"] < short, like_spawn
