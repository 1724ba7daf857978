"""The article's graph as TensorFlow of its own year makes it.

Source: TensorFlow and protocol buffers, an article: the nodes that it
printed.
"""

from onthefly.experiments.then import environments, programs
from onthefly.tools.processes import answer

CHILD = "onthefly.experiments.then.nodes_child"
ENVIRONMENT = {"protobuf-2016": "TensorFlow 0.12, of the article's year"}
PYTHON = environments.python(*ENVIRONMENT)


def here():
    """Tell whether this machine has it."""
    return PYTHON.exists()


def counted():
    """Return what nodes_child.counted says, for a look."""
    return answer(
        CHILD,
        "counted",
        python=PYTHON,
        environment=programs.QUIET,
    )


def graph_def(said):
    """Return the GraphDef of what `counted` said."""
    from onthefly.tools.quiet_tensorflow import tf

    return tf.compat.v1.GraphDef.FromString(bytes.fromhex(said["message"]))


def definitions(said):
    """Return {type of a node: its OpDef} of what `counted` said."""
    from tensorflow.core.framework.op_def_pb2 import OpDef

    found = {}
    for text in filter(None, said["definitions"].values()):
        one = OpDef.FromString(bytes.fromhex(text))
        found[one.name] = one
    return found
