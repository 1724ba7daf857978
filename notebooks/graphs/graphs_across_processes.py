"""What *What is sent when a TensorFlow graph runs on servers?* concludes."""

from onthefly import figures
from onthefly.measure import models
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, judge, table


def graph_bytes(apart):
    return apart.graph.as_graph_def().ByteSize()


@figure(alt="The nodes of each task, and the edges between them")
def split_figure(nodes, edges, kinds):
    """What the two servers run for one update, by task."""
    return figures.graph(nodes, [*map(tuple, edges)], kinds, columns=True)


@table
def messages_table(messages):
    """Messages of the first run and of a later update, with their answers."""
    return [row for row in messages if row["run"] != "update"]


def once(is_ours, quiet_update, nodeless, new_names, ours):
    (new,) = new_names
    known = {node.name for node in ours}
    return [is_ours, quiet_update, all(nodeless), not known & {*new}]


@judge("across-graph-crosses-once")
def crosses_once(once):
    return Quantity.share_of(once)


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
    """Build the whole graph first and work on data where they are: the
    graph is sent once ({graph_bytes} bytes for a counter). After that a run
    sends only what it feeds and fetches: {later} bytes for an update.
    """
    return (
        once,
        later < graph_bytes / 4,
        slopes["by the other task"] > 3 * slopes["fed"],
    )


def rate(pace):
    times = [pace.seconds("fed", n) for n in pace.sizes()]
    law = models.line(pace.sizes(), times)
    return (8 / law["b"] / 1e9).named("GB/s")


def asks(by_steps):
    """Return {way: {steps: messages from Python}}."""
    return {
        way: {n: python for n, (python, *_) in by_count}
        for way, by_count in by_steps.items()
    }


def between(by_steps):
    return {n: between for n, (_, between, *_) in by_steps["while_loop, cut"]}


def a_step(asks, most):
    return (asks["eager"][most] - asks["eager"][10]) / (most - 10)


def cut_step(between, most):
    return (between[most] - between[10]) / (most - 10)


@figure(x="steps", y="messages", alt="Messages against the number of steps")
def steps_figure(asks, between):
    """Messages of a run. All but those of the last series are from Python."""
    sent = asks | {"cut loop, between servers": between}
    del sent["while_loop, cut"]
    return {
        name: {n: Quantity.exact(k) for n, k in by_count.items()}
        for name, by_count in sent.items()
    }


@table
def steps_table(by_steps):
    """Messages and bytes of {most} steps."""
    at_most = {way: by_count[-1][1] for way, by_count in by_steps.items()}
    return [
        {
            "version": way,
            "messages from Python": python,
            "by kind": ", ".join(
                f"{kind} {count}" for kind, count in sorted(calls.items())
            ),
            "between servers": between,
            "bytes": f"{size:,}",
        }
        for way, (python, between, size, calls) in at_most.items()
    ]


@judge("across-loop-crosses-once")
def loop_crosses_once(asks):
    return Quantity.exact(max(asks["while_loop"].values()))


@table
def calls_table(calls):
    """Calls from Python into the runtime."""
    return [
        {"version": name, "2 steps": of_two, "100 steps": of_hundred}
        for name, (of_two, of_hundred) in calls.items()
    ]


def graphs(stages):
    """Return how many graphs became bytes."""
    _, *within = [name for name in stages if "servers" not in name]
    return {
        "asked for": stages["the graph is asked for"]["GraphDef"],
        "within": sum(stages[name]["GraphDef"] for name in within),
        "servers": stages["servers, first run"]["GraphDef"],
    }


@expect
def handed_then(handed):
    alike = handed["1.4"] == handed["1.5"]
    return len(handed["1.4"]) == 1, alike, handed["1.9"] == []


def works_then(said_then, handed, calls_then):
    both = said_then, calls_then
    fewer = [by["by_loop"][1] < by["by_runs"][1] for by in both]
    return [sum(said_then["nodes"]) > 0, sum(handed["1.4"]) > 0, *fewer]


def works_today(graphs, asks, most, calls):
    messages = asks["while_loop"][most] < asks["eager"][most]
    fewer = [messages, calls["while_loop"][1] < calls["eager"][1]]
    return [graphs["servers"] > 0, graphs["within"] > 0, *fewer]


@judge("protobuf-externalises-work")
def externalises(works_today, works_then=None):
    today = Quantity.share(sum(works_today), 4)
    return works_then and Quantity.share(sum(works_then), 4), today


def step(times):
    return {
        name: times.seconds(name, n) / n
        for name in sorted(times.names, reverse=True)
        for n in times.sizes(name)
    }


def gain(step):
    return step["run, one server"] / step["loop, one server"]


def away(step):
    return step["run, one server"] / step["run, this process"]


def cut_loop(step):
    return step["loop, cut in two"] / step["loop, one server"]


@figure(x="time of a step", log=True)
def time_figure(step):
    return step
