"""What *Does a TensorFlow graph save memory …?* concludes."""

from onthefly import figures
from onthefly.measure.quantity import Quantity
from onthefly.page import expect, figure, judge, table

GRADIENTS = {
    "pass off": "Session",
    "pass on": "Session, recomputing pass",
    "graph": "tf.function",
    "by hand": "tf.function, tf.recompute_grad",
    "XLA": "tf.function, XLA",
}


def peak(chain, array):
    """Return how many arrays each version needs at its peak."""
    return {
        name: chain.count("bytes", name) / array.nbytes
        for name in chain.names
    }


@figure(x="arrays in memory at the peak, beside the input", better="less")
def peak_figure(peak):
    """Arrays in memory at the peak, beside the input:
    {peak[eager, named].about} eagerly with a name for each result, one in a
    graph.
    """
    return peak


@judge("graphs-are-optimizable-buffers")
def buffers(peak):
    return (peak["eager, rebound"] / peak["graph"]).named("×")


def held(trade, trades):
    """Return how many layers' values each gradient holds at its peak."""
    return {
        name: trade.count("bytes", name) / trades.VALUES
        for name in trade.names
    }


@table
def gradients(held, trade):
    """A gradient through {trades.LAYERS} layers. The unit of memory is the
    output of one layer, 1 MiB.
    """
    return [
        {
            "gradient": name,
            "memory at the peak": held[k],
            "time": trade.seconds(k),
        }
        for k, name in GRADIENTS.items()
    ]


def saved(held):
    return (held["pass off"] / held["pass on"]).named("×")


def by_hand(held):
    return (held["graph"] / held["by hand"]).named("×")


def by_default(held):
    return (held["pass off"] / held["graph"]).named("×")


def longer(trade):
    return trade.seconds("pass on") / trade.seconds("pass off")


def hand_longer(trade):
    return trade.seconds("by hand") / trade.seconds("graph")


@judge("graphs-are-optimizable-memory-compute")
def memory_for_compute(saved, longer, by_default):
    """Without the pass, the memory is {by_default.about} that of a graph by
    tf.function.
    """
    return Quantity.held([saved > 1.25, longer > 1, by_default > 1.25])


@judge("graphs-are-optimizable-inter-op")
def gain(order):
    return order.ratio("graph, 1 thread", "graph, 2 threads")


def eager_gain(order):
    return order.ratio("eager, 1 thread", "eager, 2 threads")


@figure(alt="One call of the graph, with one thread and with two")
def order_figure(alone, spans):
    """One call of the graph. With one thread, one operation waits for the
    other.
    """
    bars = [
        (f"{lane}, {name}", name, *[Quantity.exact(end, "s") for end in ends])
        for lane, lasted in (("1 thread", alone), ("2 threads", spans))
        for name, *ends in lasted
    ]
    return figures.spans(bars, x="time since the call began")


@expect
def graph_needs_least(peak, operations):
    named = peak["eager, named"] / operations
    return 0.9 < named.value < 1.1, 0.9 < peak["graph"].value < 1.1


@expect
def one_and_two(peak):
    one, two = peak["XLA"], peak["eager, rebound"]
    return 0.9 < one.value < 1.1, 1.8 < two.value < 2.2


@expect
def only_graphs_overlap(side_by_side, alone, spans, gain, eager_gain):
    apart = side_by_side.overlap(alone) <= 0 < side_by_side.overlap(spans)
    return apart, gain > 1, gain / eager_gain > 1, not eager_gain > 1
