"""Graphs of TensorFlow as messages: made, found, written and loaded."""

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


def fixed(message):
    """Return a message's bytes with its maps in sorted order."""
    return message.SerializeToString(deterministic=True)
