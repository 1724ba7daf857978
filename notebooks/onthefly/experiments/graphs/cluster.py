"""Sessions over the tasks of a cluster, and what crosses between them."""

from typing import NamedTuple

from onthefly.experiments.graphs import wire
from onthefly.experiments.graphs.counting_wire import crossing
from onthefly.experiments.graphs.node_facts import source_of
from onthefly.kernels.count.counter_split import counter, task
from onthefly.tools.quiet_tensorflow import tf

v1 = tf.compat.v1
LIMIT = 20_000  # milliseconds that one call of a server may take


def config(addresses=()):
    """Return the ConfigProto of a session over the tasks at `addresses`.

    Without addresses it is that of a session in this process.  The graph is
    taken as it was written: Grappler does not rewrite it.  Every call of a
    server has a limit.
    """
    made = v1.ConfigProto()
    made.graph_options.rewrite_options.disable_meta_optimizer = True
    if addresses:
        made.operation_timeout_in_ms = LIMIT
        job = made.cluster_def.job.add(name="worker")
        job.tasks.update(enumerate(addresses))
    return made


class Session(v1.Session):
    """A v1 Session over some servers; the first runs it as master.

    servers  servers.Servers, listening
    graph    the graph, whose devices are the tasks
    wired    whether all goes through the counting wires

    Where a server has ended, `run` raises processes.Ended: one line.  A
    server that hangs costs LIMIT.
    """

    def __init__(self, servers, graph, wired=True):
        addresses = servers.addresses(wired)
        self._servers = servers
        super().__init__(f"grpc://{addresses[0]}", graph, config(addresses))

    def run(self, *arguments, **options):
        """Run as a v1.Session does."""
        self._servers.check()
        try:
            return super().run(*arguments, **options)
        except tf.errors.OpError:
            self._servers.check(patience=1.0)
            raise

    def crossing(self, fetch, feed=None):
        """Run, and return what crossed: see ``counting_wire.crossing``."""
        return crossing(self._servers.wires, self.run, fetch, feed)

    def close(self):
        """Close as a v1.Session does; with its server gone, do nothing."""
        if not any(task.ended() for task in self._servers.tasks):
            super().close()


class Echo(NamedTuple):
    """A graph that takes an array `x`, and the ways it may go."""

    graph: object
    x: object
    ways: dict


def echo():
    """Return an Echo: x is fed to task 0, which is asked for its size, for
    x itself, or for a copy that task 1 makes.
    """
    graph = tf.Graph()
    with graph.as_default():
        with tf.device(task(0)):
            x = v1.placeholder(tf.float64, [None], "x")
            size, same = tf.size(x), tf.identity(x)
        with tf.device(task(1)):
            copy = tf.identity(x)
    ways = {"fed": size, "fed and fetched": same, "by the other task": copy}
    return Echo(graph, x, ways)


def partitions(session, fetch):
    """Run `fetch`; return the GraphDefs that the runtime made of it."""
    metadata = v1.RunMetadata()
    options = v1.RunOptions(output_partition_graphs=True)
    session.run(fetch, options=options, run_metadata=metadata)
    return list(metadata.partition_graphs)


WHO = {
    ("task 0", "MasterService"): "Python → 0",
    ("task 0", "WorkerService"): "1 → 0",
    ("task 1", "WorkerService"): "0 → 1",
}


def messages(runs):
    """Return a table's rows: who asks for what in some runs, and its bytes.

    runs  {name: what `Session.crossing` returns}
    """
    return [
        {
            "run": name,
            "who asks": WHO[key],
            "message": call,
            "times": times,
            "bytes": sum(map(len, part.pick(call))),
            "answer": sum(map(len, part.pick(call, asks=False))),
        }
        for name, traffic in runs.items()
        for key, part in sorted(traffic.items())
        for call, times in part.calls().items()
    ]


def from_python(traffic):
    """Return the Crossing between Python and the master.

    traffic  what `Session.crossing` returns
    """
    return traffic["task 0", "MasterService"]


def total(traffic):
    """Return the bytes of both ways on all wires.

    traffic  what `Session.crossing` returns
    """
    return sum(part.both for part in traffic.values())


def all_bytes(session, fetch, feed, tries=3):
    """Return the `total` of a run whose graph has crossed, or crosses once.

    The fewest of some tries: HTTP/2 housekeeps now and then.
    """
    return min(total(session.crossing(fetch, feed)) for _ in range(tries))


def sent_nodes(traffic):
    """Return the nodes that Python sends to the master: a list a message.

    traffic  what `Session.crossing` returns
    """
    python = from_python(traffic)
    # The number of the field that holds the GraphDef, by master.proto.
    fields = {"CreateSession": 1, "ExtendSession": 2}
    return [
        list(v1.GraphDef.FromString(wire.body(data, number)).node)
        for name, number in fields.items()
        for data in python.pick(name)
    ]


def nodes_edges(parts):
    """Return a graph in parts: {key: label}, [(from, to)], {key: task}.

    An edge from each _Send to its _Recv, told by the name of the tensor.
    A name of one part may stand in another, so keys hold the part.
    """
    nodes, edges, kinds, ends = {}, [], {}, {}
    for k, part in enumerate(parts):
        for node in part.node:
            key = f"{k} {node.name}"
            nodes[key] = node.op
            place = node.device.split("/task:")[1].split("/")[0]
            kinds[key] = f"task {place}"
            edges += [(f"{k} {source_of(name)}", key) for name in node.input]
            if node.op in ("_Send", "_Recv"):
                pair = ends.setdefault(node.attr["tensor_name"].s, {})
                pair[node.op] = key
    edges += [(p["_Send"], p["_Recv"]) for p in ends.values() if len(p) == 2]
    return nodes, edges, kinds


def stages(addresses):
    """Return [(name, action)]: the counter's life, with and without servers.

    addresses  of two servers
    """
    made = counter()
    remote = counter(task(1), task(0))
    here = v1.Session(graph=made.graph)
    fresh, none = counter(), config()
    none.graph_options.optimizer_options.opt_level = -1  # L0
    plain = v1.Session(graph=fresh.graph, config=none)
    there = v1.Session(
        f"grpc://{addresses[0]}", remote.graph, config(addresses)
    )
    one = tf.constant(1)
    traced = tf.function(lambda x: x + 1)
    return [
        ("the graph is asked for", made.graph.as_graph_def),
        ("Session, first run", lambda: here.run(made.init)),
        ("the same, no optimisers", lambda: plain.run(fresh.init)),
        ("Session, new fetch", lambda: here.run(made.update)),
        ("Session, later run", lambda: here.run(made.update)),
        ("eager operation", lambda: one + 1),
        ("tf.function, first call", lambda: traced(one)),
        ("tf.function, later call", lambda: traced(one)),
        ("servers, first run", lambda: there.run(remote.init)),
        ("servers, new fetch", lambda: there.run(remote.update)),
        ("servers, later run", lambda: there.run(remote.update)),
    ]
