"""What crosses to C++ and to a server, and what eager execution lacks, then.

Sources: TensorFlow and protocol buffers, an article; Shin, The Flow of
TensorFlow, slide 38.
"""

import contextlib
import tempfile

from onthefly.experiments.graphs import cluster, servers
from onthefly.experiments.graphs.counting_wire import Wire, crossing
from onthefly.experiments.then import programs, trained
from onthefly.kernels import perceptron
from onthefly.tools import cpp

CHILD = f"{__package__}.served_child"
COUNTS = (2, 100)  # steps: what a graph saves does not grow with them


def handed_over(*versions):
    """Return {version: nodes of each GraphDef that a first run gives to C++}.

    Within a process, as bytes, before the session runs; [] for none.
    """
    with contextlib.ExitStack() as opened:
        running = {
            version: opened.enter_context(programs.program(CHILD, version))
            for version in versions
        }
        for program in running.values():
            program.send("handed_over")
        return {v: program.receive() for v, program in running.items()}


def calls(version):
    """Return {way: calls from Python into the runtime for COUNTS steps}."""
    with programs.program(CHILD, version) as program:
        program.ask("open_session")
        program.ask("first_run")
        return {
            way: [program.ask("runtime_calls", way, n) for n in COUNTS]
            for way in ("by_runs", "by_loop")
        }


@contextlib.contextmanager
def _pair(version):
    """Start a server and a client of it, both on loopback only.

    Yields (client, {name of the server: Wire}).  Raises libraries.Missing
    where there is no C compiler, or no Linux.
    """
    if lack := servers.missing():
        raise cpp.lacking(lack)
    servers.avoid_proxies()
    with contextlib.ExitStack() as opened:
        folder = opened.enter_context(tempfile.TemporaryDirectory())
        guard = str(servers.build(folder))
        server = opened.enter_context(
            programs.program(CHILD, version, LD_PRELOAD=guard)
        )
        client = opened.enter_context(server.fork())
        port = server.ask("listen", limit=servers.LIMIT)
        yield client, {"task 0": opened.enter_context(Wire(port))}


def messages(version):
    """Return what a session and a server say to each other.

    {"nodes": those of the GraphDefs that the first run sends, a list a
    message, "by_runs" and "by_loop": messages from Python for COUNTS steps}.
    """
    with _pair(version) as (client, wires):
        client.ask("open_session", f"grpc://{wires['task 0'].address}")
        first = crossing(wires, client.ask, "first_run")
        found = {"nodes": [*map(len, cluster.sent_nodes(first))]}
        for way in ("by_runs", "by_loop"):
            client.ask(way, 2)
            found[way] = [
                cluster.from_python(crossing(wires, client.ask, way, n)).asks
                for n in COUNTS
            ]
    return found


def monitored(version, eager, weights, batches, last_step):
    """Return {where: [step at the end, how far from eager training]}.

    A monitored session's training under one version, "here" and on a
    "server", beside the same optimiser's eager steps under another one.
    """
    start, told = [w.tolist() for w in weights], trained.listed(batches)
    asked = "monitored", start, told, last_step
    pairs = [(version, "graph"), (eager, "eager")]
    with (
        programs.started(trained.CHILD, pairs) as (program, alone),
        _pair(version) as (_, wires),
    ):
        _, plain = alone.ask("adagrad", start, told[:last_step])
        target = f"grpc://{wires['task 0'].address}"
        ends = {
            "here": program.ask(*asked, ""),
            "server": program.ask(*asked, target),
        }
    return {
        where: [step, perceptron.apart(learned, plain)]
        for where, (step, learned) in ends.items()
    }


def lacks(version):
    """Return {what the table says: what eager execution answers}.

    "interactive" twice a number, as a line gives it; the others an error, or
    "" where it works: an operation on a server, a monitored session on it,
    an operation on a second device, and towers on two.
    """
    first, second = "/cpu:0", "/cpu:1"
    with _pair(version) as (client, wires):
        client.ask("enable", 2)
        target = f"grpc://{wires['task 0'].address}"
        remote = "/job:worker/task:0"
        return {
            "interactive": client.ask("at_once", 21),
            "operation on a server": client.ask("on_device", remote),
            "monitored session": client.ask("monitored", target),
            "operation on a second device": client.ask("on_device", second),
            "towers": client.ask("replicated", [first, second]),
        }
