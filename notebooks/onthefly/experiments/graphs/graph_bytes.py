"""Graphs of TensorFlow as messages: made, found, written and loaded."""

import tempfile
from pathlib import Path

from onthefly.tools.quiet_tensorflow import tf

GraphDef = tf.compat.v1.GraphDef


def chain(nodes):
    """Return a GraphDef of so many nodes, a constant and sums after it.

    No graph of TensorFlow is made: the message is written field by field.
    """
    graph = GraphDef(versions={"producer": tf.version.GRAPH_DEF_VERSION})
    last = graph.node.add(name="Const", op="Const")
    int32 = tf.int32.as_datatype_enum
    last.attr["dtype"].type = int32
    last.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(1))
    for k in range(nodes - 1):
        name = f"Add_{k}" if k else "Add"
        last = graph.node.add(name=name, op="AddV2", input=[last.name] * 2)
        last.attr["T"].type = int32
    return graph


def built(nodes):
    """Return the tf.Graph of `chain`, built by TensorFlow's functions."""
    graph = tf.Graph()
    with graph.as_default():
        value = tf.constant(1)
        for _ in range(nodes - 1):
            value = tf.add(value, value)
    return graph


def loaded(graph_def):
    """Return a tf.Graph with the nodes of a GraphDef."""
    graph = tf.Graph()
    with graph.as_default():
        tf.import_graph_def(graph_def, name="")
    return graph


def stages(counts):
    """Return {stage: function of a number of nodes} for ``clock.measure``.

    counts  the numbers of nodes, whose chains are made beforehand
    """
    messages = {n: chain(n) for n in counts}
    packed = {n: messages[n].SerializeToString() for n in counts}
    return {
        "build": built,
        "import": lambda n: loaded(messages[n]),
        "write fields": chain,
        "parse": lambda n: GraphDef.FromString(packed[n]),
        "serialise": lambda n: messages[n].SerializeToString(),
    }


class Doubler(tf.Module):
    """The smallest model: a function of one number."""

    @tf.function(input_signature=[tf.TensorSpec([], tf.int32)])
    def __call__(self, number):
        """Return twice the number."""
        return number + number


def caller():
    """Return the GraphDef of a graph that calls a tf.function."""
    model, graph = Doubler(), tf.Graph()
    with graph.as_default():
        model(tf.constant(1))
    return graph.as_graph_def()


def saved_model():
    """Return what tf.saved_model writes of a Doubler, as a SavedModel."""
    from tensorflow.core.protobuf.saved_model_pb2 import SavedModel

    log = tf.get_logger()
    level = log.level
    with tempfile.TemporaryDirectory() as folder:
        log.setLevel("WARNING")  # it reports where it wrote
        try:
            tf.saved_model.save(Doubler(), folder)
        finally:
            log.setLevel(level)
        data = Path(folder, "saved_model.pb").read_bytes()
    return SavedModel.FromString(data)


def nodes(message):
    """Return the NodeDefs of a GraphDef or SavedModel.

    Two lists: those of the graph, and those of its library of functions.
    """
    graph = message
    if hasattr(message, "meta_graphs"):
        graph = message.meta_graphs[0].graph_def
    inner = [n for f in graph.library.function for n in f.node_def]
    return [*graph.node], inner


def fixed(message):
    """Return a message's bytes with its maps in sorted order."""
    return message.SerializeToString(deterministic=True)
