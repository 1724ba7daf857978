"""What TensorFlow's graph optimiser makes of a function.

The optimiser is called Grappler.  It runs when a graph is called for the
first time, and its passes are switched by options of the process.  What it
made is in the metadata of that call: TensorFlow keeps both graphs there.

Source: TensorFlow's guide "TensorFlow graph optimization with Grappler",
https://www.tensorflow.org/guide/graph_optimization.
"""

import collections
import contextlib
import dataclasses
import functools
import random
import re

import numpy as np

from onthefly.tools.quiet_tensorflow import tf

v1 = tf.compat.v1

# The passes of this subject, as the options name them.
PASSES = "constant_folding", "arithmetic_optimization"
_OFF = "disable_meta_optimizer"  # all passes at once
# What hands values in and out, and computes nothing.
_EDGES = {"_Arg", "_Retval", "Identity", "NoOp"}


@dataclasses.dataclass(frozen=True)
class Graphs:
    """A function's graph as it was written, and as it runs.

    Both are {name: operation's kind} of the nodes that hold or compute a
    value; `result` is what the call returned.
    """

    written: dict[str, str]
    runs: dict[str, str]
    result: object

    def kinds(self):
        """Return a table's rows: each kind, and how many before and after."""
        before, after = (
            collections.Counter(nodes.values())
            for nodes in (self.written, self.runs)
        )
        return [
            {"kind": k, "written": before[k], "runs": after[k]}
            for k in sorted(before | after)
        ]


@contextlib.contextmanager
def only(*passes):
    """Switch the optimiser's passes: these on, the others of PASSES off.

    Without any, the whole optimiser is off.  Afterwards all are on, which
    is TensorFlow's default.
    """
    _set({name: name in passes for name in PASSES} | {_OFF: not passes})
    try:
        yield
    finally:
        _set(dict.fromkeys(PASSES, True) | {_OFF: False})


def _set(options):
    tf.config.optimizer.set_experimental_options(options)


def _eager():
    """Return the module of TensorFlow that keeps a call's options.

    Imported after `tf`: otherwise TensorFlow is not quiet.
    """
    from tensorflow.python.eager import context

    return context


def under(function, *passes):
    """Return a function's graph, to be called with these passes alone.

    The options are those of a call.  They are drawn up once, since that
    takes longer than a small graph does.
    """
    traced, asked = tf.function(function), _eager().context()
    with only(*passes):
        options = asked.function_call_options

    def call(*arguments):
        before = asked.function_call_options
        asked.function_call_options = options
        try:
            return traced(*arguments)
        finally:
            asked.function_call_options = before

    return call


def switched(function, x):
    """Return {"Grappler", "off": calls} of a function's graph with x."""
    ways = {"Grappler": under(function, *PASSES), "off": under(function)}
    return {k: functools.partial(way, x) for k, way in ways.items()}


def graphs(function, *arguments, passes=PASSES):
    """Return the Graphs of a function: trace it, call it, look at both."""
    traced = tf.function(function).get_concrete_function(*arguments)
    context = _eager()
    context.enable_run_metadata()
    try:
        context.export_run_metadata()  # of what was called before
        with only(*passes):
            result = traced(*arguments)
        functions = context.export_run_metadata().function_graphs[0]
    finally:
        context.disable_run_metadata()
    return Graphs(
        _nodes(functions.pre_optimization_graph),
        _nodes(functions.post_optimization_graph),
        result,
    )


def _nodes(graph):
    return {n.name: n.op for n in graph.node if n.op not in _EDGES}


_JOINS = tf.add, tf.subtract, tf.multiply, tf.maximum
_CHANGES = tf.sin, tf.tanh, tf.abs, tf.square


def folded(seed):
    """Tell whether the constant part of a graph drawn by chance is folded.

    seed  of the graph: two to eight operations on constants, whose result
          is added to the argument

    True where no operation of that part is left with constant folding on,
    all of them are without the optimiser, and both give the same numbers.
    """
    names = []

    def function(x):
        chance = random.Random(seed)
        value = tf.constant(_numbers(chance))
        for _ in range(chance.randint(2, 8)):
            if chance.random() < 0.5:
                value = chance.choice(_CHANGES)(value)
            else:
                other = tf.constant(_numbers(chance))
                value = chance.choice(_JOINS)(value, other)
            names.append(value.op.name)
        return x + value

    x = tf.constant(np.linspace(-1, 1, 4, dtype=np.float32))
    on = graphs(function, x, passes=["constant_folding"])
    left = [on.runs.get(name, "Const") != "Const" for name in names]
    names.clear()
    off = graphs(function, x, passes=[])
    same = np.allclose(on.result, off.result, rtol=1e-6)
    return same and not any(left) and set(names) <= off.runs.keys()


def _numbers(chance):
    return [chance.uniform(-2, 2) for _ in range(4)]


class Ways:
    """One function under each of TensorFlow's two optimisers, and neither.

    function  of one tensor
    example   array that it is called with

    `calls` is {way: the call}.  A Session has the options of both
    optimisers; a tf.function has those of Grappler, and the runtime's own is
    always on there.  Each session is opened at its first call.
    """

    NAMES = "neither", "runtime", "Grappler", "both"

    def __init__(self, function, example):
        self._function, self._example = function, example
        self._opened = {}
        self.calls = {n: functools.partial(self._call, n) for n in self.NAMES}

    @functools.cached_property
    def _graph(self):
        return tf.function(self._function).get_concrete_function(
            tf.TensorSpec(self._example.shape, self._example.dtype)
        )

    @property
    def _ends(self):
        """The names of the function's result and of its argument."""
        return self._graph.outputs[0].name, self._graph.inputs[0].name

    def _open(self, name):
        """Return (session, call) of one way."""
        if name not in self._opened:
            fetch, feed = self._ends
            with tf.Graph().as_default() as graph:
                definition = self._graph.graph.as_graph_def()
                tf.import_graph_def(definition, name="")
            session = v1.Session(graph=graph, config=config(name))
            call = session.make_callable(fetch, [feed])
            self._opened[name] = session, call
        return self._opened[name]

    def _call(self, name):
        _, call = self._open(name)
        return call(self._example)

    def kernels(self):
        """Return {way: how many nodes that compute a call runs}.

        All ways must give the same numbers.
        """
        first, *others = (call() for call in self.calls.values())
        assert all(np.allclose(first, x, rtol=1e-3) for x in others)
        fetch, feed = self._ends
        return {
            name: _kernels(self._open(name)[0], fetch, {feed: self._example})
            for name in self.NAMES
        }


def config(name):
    """Return the options of a Session under one of `Ways.NAMES`."""
    made = v1.ConfigProto()
    options = made.graph_options
    grappler = name in ("Grappler", "both")
    options.rewrite_options.disable_meta_optimizer = not grappler
    if name not in ("runtime", "both"):
        options.optimizer_options.opt_level = v1.OptimizerOptions.L0
    return made


def _kernels(session, fetch, feeds):
    """Return how many nodes of a second run computed something."""
    session.run(fetch, feeds)
    full = v1.RunOptions(trace_level=v1.RunOptions.SOFTWARE_TRACE)
    metadata = v1.RunMetadata()
    session.run(fetch, feeds, options=full, run_metadata=metadata)
    labels = [
        node.timeline_label
        for device in metadata.step_stats.dev_stats
        for node in device.node_stats
    ]
    kinds = [re.search(r"= (\w+)", label)[1] for label in labels]
    return sum(kind not in _EDGES | {"Const"} for kind in kinds)
