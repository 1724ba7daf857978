"""Ways of adding 1 so many times, and how often Python speaks for it.

Source: TensorFlow and protocol buffers, an article: that protobuf reduces the
switching between Python and distributed computers.
"""

from typing import NamedTuple

from onthefly.experiments.graphs import cluster
from onthefly.experiments.graphs.counting_wire import crossing
from onthefly.kernels.count import counter_split as parts
from onthefly.measure import clock

v1 = cluster.v1


def by_client(client, way):
    """Return the function of the number of steps that a client takes.

    client  a process of servers.Servers, connected to them
    way     "eager" or "function", see counter_split.STEPS
    """
    return lambda steps: client.ask("steps", way, steps)


def by_runs(session, counter):
    """Return the function of the number of steps that runs so often.

    session  over the graph of `counter`, a Counter
    """

    def run(steps):
        for _ in range(steps):
            session.run(counter.update.op)

    return run


def by_loop(session, loop):
    """Return the function of the number of steps that is one run of a Loop.

    session  over the graph of `loop`
    """
    return lambda steps: int(session.run(loop.total, {loop.steps: steps}))


def looped(servers, home, adder, work=parts.add_one, wired=True):
    """Return the function of the number of steps of a loop on servers.

    home, adder  numbers of the tasks of the loop, and of its work
    work         as of counter_split.loop
    wired        whether all goes through the counting wires
    """
    made = parts.loop(parts.task(home), parts.task(adder), work)
    return by_loop(cluster.Session(servers, made.graph, wired), made)


def _started(counter, session):
    session.run(counter.init)
    return by_runs(session, counter)


def here():
    """Return {name: function of the number of steps} in this process."""
    counter, loop = parts.counter(), parts.loop()
    first, second = (
        v1.Session(graph=made.graph, config=cluster.config())
        for made in (counter, loop)
    )
    return {
        "eager": parts.STEPS["eager"],
        "Session.run": _started(counter, first),
        "while_loop": by_loop(second, loop),
        "tf.function": parts.STEPS["function"],
    }


def timed(servers):
    """Return {name: function of the number of steps}, past the wires.

    Runs of a counter and of a loop in this process, on one server, and cut
    in two: the counter's variable, or the loop's addition, is on the other.
    """
    inside = here()
    ways = {
        "run, this process": inside["Session.run"],
        "loop, this process": inside["while_loop"],
    }
    for name, other in (("one server", 0), ("cut in two", 1)):
        counter = parts.counter(parts.task(other), parts.task(0))
        session = cluster.Session(servers, counter.graph, wired=False)
        ways[f"run, {name}"] = _started(counter, session)
        ways[f"loop, {name}"] = looped(servers, 0, other, wired=False)
    return ways


def times(servers, **options):
    """Return the Samples of `timed`: a run of one step, a loop of a hundred.

    options  of `clock.measure`
    """
    ways = timed(servers)
    sizes = {name: [100 if "loop" in name else 1] for name in ways}
    return clock.measure(ways, sizes=sizes, **options)


class Spoken(NamedTuple):
    """What so many steps sent: messages that ask, and bytes.

    python   messages from Python
    between  messages that the tasks sent to each other
    bytes    of both ways, on all wires
    calls    {name: number} of Python's messages
    """

    python: int
    between: int
    bytes: int
    calls: dict


def spoken(servers, way, counts):
    """Return {number of steps: Spoken} of a way through the wires.

    way     function of the number of steps
    counts  numbers of steps

    Two steps come first, so that graphs and functions have crossed.
    """
    way(2)
    return {n: _spoken(crossing(servers.wires, way, n)) for n in counts}


def _spoken(traffic):
    """Return the Spoken of what crossed.

    Eager execution has no master: there all that asks is Python.
    """
    eager = any(
        "EagerService" in message.method
        for part in traffic.values()
        for message in part.messages
    )
    python = [
        part
        for (_, service), part in traffic.items()
        if eager or service == "MasterService"
    ]
    asks = sum(part.asks for part in python)
    calls = {}
    for part in python:
        for name, times in part.calls().items():
            calls[name] = calls.get(name, 0) + times
    return Spoken(
        asks,
        sum(part.asks for part in traffic.values()) - asks,
        sum(part.both for part in traffic.values()),
        calls,
    )
