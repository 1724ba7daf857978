"""What *Dask: how long must a task be?* concludes."""

from onthefly import figures
from onthefly.experiments.dask import tasks
from onthefly.kernels import z_score
from onthefly.measure import models
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, judge, table


def _fitted(times, name):
    """Return overhead + slope · size of one series."""
    sizes = times.sizes(name)
    return models.line(sizes, [times.seconds(name, k) for k in sizes])


@figure(alt="three parts, each with an arrow to their mean")
def graph_figure(total):
    """Each part is a task. The mean waits for all of them."""
    nodes, edges = tasks.nodes_edges(total)
    means = {end for _, end in edges}
    kinds = {k: "the mean" if k in means else "a part" for k in nodes}
    return figures.graph(nodes, edges, kinds)


@judge("dask-delayed-defines-nodes")
def defines_nodes(total, before, estimate):
    nodes, edges = tasks.nodes_edges(total)
    checks = [
        len(nodes) == 4,  # one for each part and one for the mean
        len(edges) == 3,
        before["here"] and before["processes"] == 1,
        not before["caller"],
        z_score(estimate, 10**5) < 5,
    ]
    return Quantity.share_of(checks)


def fits(times):
    return {name: _fitted(times, name) for name in times.names}


@expect
def same_loop(fits, times, shots):
    graph, pool = fits["delayed, 3"], fits["pool, 3"]
    steeper = graph["b"] / pool["b"]
    short, *_, long = [
        times.ratio("delayed, 3", "pool, 3", size) for size in shots
    ]
    return graph["a"] > pool["a"], short > long, steeper > 0.5, steeper < 2


@figure(x="shots", y="time per call", time="y")
def calls_figure(times, shots):
    names = [f"{way}, {n}" for way in ("delayed", "pool") for n in (1, 3)]
    return {k: {n: times.seconds(k, n) for n in shots} for k in names}


@judge("dask-delayed-against-thread-pool")
def against_thread_pool(fits, times, counts, shots):
    pairs = [(f"delayed, {n}", f"pool, {n}") for n in counts]
    lower = [fits[a]["a"] > fits[b]["a"] for a, b in pairs]
    wins = [times.ratio(a, b, shots[-1]) > 1 for a, b in pairs]
    return Quantity.held(lower + wins)


@judge("dask-large-overhead-for-pi")
def large_overhead_for_pi(fits):
    fit = fits["delayed, 3"]
    return (1 / (1 + fit["b"] * 10**5 / fit["a"])).named("%").within(0, 1)


def price(handled):
    return {name: _fitted(handled, name)["b"] for name in handled.names}


def sum_of_stages(price):
    stages = list(price.values())[:4]
    return (sum(stages) / price["all of delayed"]).named("%")


def calls_of_a_task(called):
    return {name: round(count) for name, count in called.items()}


@expect
def no_single_one(price, sum_of_stages, called):
    whole = price["all of delayed"]
    return (
        sum_of_stages > 0.6,
        sum_of_stages < 1.5,
        [stage / whole < 0.75 for stage in list(price.values())[:4]],
        called["all of delayed"] > 3 * called["pool.submit"],
    )


@figure(x="time of one task")
def stages_figure(price):
    return price


def cost(handled):
    """Return what each task of three bears."""
    series = {"delayed": "all of delayed", "pool": "pool.submit"}
    return {k: _fitted(handled, s).at(3) / 3 for k, s in series.items()}


def need(cost):
    return {way: 9 * q for way, q in cost.items()}


def loads(work, lengths, need):
    """Return {way: {length of a task: the overhead's share of the time}}."""

    def load(way):
        shares = [1 - work.ratio("series", way, n) for n in lengths]
        seconds = [work.seconds("series", n).value / 3 for n in lengths]
        named = [share.named("%") for share in shares]
        return dict(zip(seconds, named, strict=True))

    return {way: load(way) for way in need}


@expect
def where_predicted(loads, need):
    return [
        load < 0.1 if seconds > need[way].value else load > 0.1
        for way in loads
        for seconds, load in loads[way].items()
        if not 0.5 < seconds / need[way].value < 2
    ]


@expect
def worth_it(price, where_predicted):
    return price["all of delayed"] / price["pool.submit"] > 2, where_predicted


@figure
def headline(loads, need):
    """Share of the time that is overhead, in three tasks. The marks are the
    predicted lengths for a tenth.
    """
    marks = [(q.value, f"a tenth, {way}") for way, q in need.items()]
    x, y = "length of a task", "overhead, share of the time"
    return figures.lines(loads, x=x, y=y, time="x", logy=False, marks=marks)


@answer("dask-too-dear")
def too_dear(cost, worth_it):
    """Let each task last at least nine times its overhead, and use a pool
    where tasks do not need each other's results. In a graph of three tasks
    `delayed` costs {cost[delayed].about} a task, a pool of threads
    {cost[pool].about}.
    """
    return cost["delayed"] > cost["pool"], worth_it


@table
def where(ran):
    """Where tasks run."""
    return [
        {
            "": how,
            "processes": at["processes"],
            "threads": at["threads"],
            "in this process": "yes" if at["here"] else "no",
        }
        for how, at in ran.items()
    ]


@judge("dask-futures-processes-delayed-threads")
def delayed_threads(before):
    return Quantity.share(int(before["here"] and not before["caller"]), 1)


def a_future(far):
    return _fitted(far, "futures")["b"]


@table
def in_place(in_threads, without_change, in_processes):
    """A task adds 1 to an array that held 0: its result, its result when run
    again, and the array afterwards.
    """
    rows = {
        "array += 1, in threads": in_threads,
        "array += 1, a Client open": in_processes,
        "array + 1, in threads": without_change,
    }
    return [
        {"task": k, "first": a, "again": b, "array after": c}
        for k, (a, b, c) in rows.items()
    ]


@judge("dask-no-gil-safe-guide")
def no_gil_safe_guide():
    """Dask's documents of 0.18.0, read by hand, name mutating operators such
    as “a += 1” as not supported by Delayed objects, without a reason; they
    mention the GIL for speed only, and about thread safety they say no more
    than to use a lock.
    """
    return Quantity.share(4, 4)  # of these; docs/source at the tag 0.18.0


@judge("dask-scope")
def scope(beyond):
    return Quantity.share((not beyond["NumPy"]) + beyond["Dask"], 2)
