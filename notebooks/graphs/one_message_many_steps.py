"""What *One message, many steps* concludes."""

from onthefly.measure.quantity import Quantity
from onthefly.page import expect, figure, judge, table


def asks(messages):
    """Return {way: {steps: messages from Python}}."""
    return {
        way: {n: python for n, (python, *_) in by_count}
        for way, by_count in messages.items()
    }


def between(messages):
    return {n: between for n, (_, between, *_) in messages["while_loop, cut"]}


def a_step(asks, most):
    return (asks["eager"][most] - asks["eager"][10]) / (most - 10)


def cut_step(between, most):
    return (between[most] - between[10]) / (most - 10)


@figure(x="steps", y="messages", alt="Messages against the number of steps")
def steps_figure(asks, between):
    """Messages of a run, from Python if not said otherwise."""
    sent = asks | {"cut loop, between servers": between}
    del sent["while_loop, cut"]
    return {
        name: {n: Quantity.exact(k) for n, k in by_count.items()}
        for name, by_count in sent.items()
    }


@table
def steps_table(messages):
    """Messages and bytes of {most} steps."""
    at_most = {way: by_count[-1][1] for way, by_count in messages.items()}
    return [
        {
            "way": way,
            "Python asks": python,
            "by": ", ".join(f"{k} {n}" for k, n in sorted(calls.items())),
            "tasks ask each other": between,
            "bytes": f"{size:,}",
        }
        for way, (python, between, size, calls) in at_most.items()
    ]


@judge("across-loop-crosses-once")
def crosses_once(asks):
    return Quantity.exact(max(asks["while_loop"].values()))


@table
def calls_table(calls):
    """Calls from Python into the runtime."""
    return [
        {"way": name, "2 steps": of_two, "100 steps": of_hundred}
        for name, (of_two, of_hundred) in calls.items()
    ]


@table
def serialised(stages):
    """Messages turned into bytes, by kind."""
    return [
        {"what was done": stage} | kinds for stage, kinds in stages.items()
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


def cut_run(step):
    return step["run, cut in two"] / step["run, one server"]


def cut_loop(step):
    return step["loop, cut in two"] / step["loop, one server"]


@figure(x="time of a step", log=True)
def time_figure(step):
    return step
