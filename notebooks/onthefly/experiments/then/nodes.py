"""The article's graph as the oldest TensorFlow that installs makes it.

Source: TensorFlow and protocol buffers, an article: the nodes that it
printed.
"""

from onthefly.experiments.then import talks
from onthefly.tools.processes import answer

CHILD = "onthefly.experiments.then.nodes_child"
OLDEST = "1.4"


def here():
    """Tell whether this machine has it."""
    return talks.here(OLDEST)


def counted():
    """Return what nodes_child.counted says, for a look."""
    return answer(
        CHILD,
        "counted",
        python=talks.pythons()[OLDEST],
        environment=talks.QUIET,
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
