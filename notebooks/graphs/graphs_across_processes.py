"""What *One graph, several processes* concludes."""

from onthefly import figures
from onthefly.measure import models
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, judge, table


def graph_bytes(apart):
    return apart.graph.as_graph_def().ByteSize()


@figure(alt="The nodes of each task, and the edges between them")
def split_figure(nodes, edges, kinds):
    """What the two tasks run for one update: a _Send and a _Recv at a cut."""
    return figures.graph(nodes, [*map(tuple, edges)], kinds, columns=True)


@table
def messages_table(messages):
    """Messages of the first three runs."""
    return messages


def once(is_ours, quiet_update, nodeless, new_names, ours):
    (new,) = new_names
    known = {node.name for node in ours}
    return [is_ours, quiet_update, all(nodeless), not known & {*new}]


@judge("across-graph-crosses-once")
def crosses_once(once):
    return Quantity.share_of(once)


@figure(x="bytes from Python to task 0")
def runs_figure(sent):
    return {name: Quantity.exact(count) for name, count in sent.items()}


def laws(total, sizes):
    return {way: models.line(sizes, counts) for way, counts in total.items()}


def slopes(laws):
    return {way: law["b"].named("") for way, law in laws.items()}


@figure
def sizes_figure(total, sizes, laws):
    series = {
        way: dict(zip(sizes, map(Quantity.exact, counts), strict=True))
        for way, counts in total.items()
    }
    return figures.lines(series, x="numbers", y="bytes of a run", fits=laws)


@judge("across-bytes-of-an-element")
def bytes_of_an_element(slopes):
    return slopes["fed"]


@expect
def crossings(slopes):
    fed, back, far = slopes.values()
    few = [fed > 7.9, fed < 8.1, back > 15.8, back < 16.2]
    return few, far > 31.6, far < 32.4


@answer("what-crosses")
def what_crosses(once, later, graph_bytes, slopes):
    """The graph once, as it is built ({graph_bytes} bytes), then only what a
    run feeds and fetches: an update of a counter sends {later} bytes. A
    number of eight bytes takes {slopes[fed].about} bytes if it is fed, and
    {slopes[by the other task].about} if another server works on it and
    Python fetches the result, so work on data where they are.
    """
    return (
        once,
        later < graph_bytes / 4,
        slopes["by the other task"] > 3 * slopes["fed"],
    )


def longer(pace):
    return pace.seconds("fed", 10**6) / pace.seconds("fed", 1)


def rate(pace):
    times = [pace.seconds("fed", n) for n in pace.sizes()]
    law = models.line(pace.sizes(), times)
    return (8 / law["b"] / 1e9).named("GB/s")


@table
def fetches(rows):
    """An update with and without its value."""
    return rows
