"""What *Memory and order* concludes."""

from onthefly import figures
from onthefly.measure.quantity import Quantity
from onthefly.page import expect, figure, judge, table


def peak(chain, array):
    """Return how many arrays each way needs at once."""
    return {
        name: chain.count("bytes", name) / array.nbytes
        for name in chain.names
    }


@figure(x="arrays in memory at once, beside the input", better="less")
def headline(peak):
    """Arrays in memory at once, beside the input: {peak[eager, named].about}
    eagerly with a name for each result, {peak[graph].about} in a graph.
    """
    return peak


@judge("graphs-are-optimizable-buffers")
def buffers(peak):
    return (peak["eager, rebound"] / peak["graph"]).named("×")


def held(trade, trades):
    """Return how many layers' values each gradient holds at once."""
    return {
        name: trade.count("bytes", name) / trades.VALUES
        for name in trade.names
    }


@table
def gradients(held, trade):
    """A gradient through {trades.LAYERS} layers."""
    return [
        {"gradient": k, "values in memory": values, "time": trade.seconds(k)}
        for k, values in held.items()
    ]


@figure(x="layers' values in memory at once")
def trade_figure(held):
    return held


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
    """One call of the graph: with one thread, one operation waits for the
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
    graph, rebound = peak["graph"], peak["eager, rebound"]
    return (
        graph < rebound,
        rebound < peak["eager, named"],
        operations / graph > 1,
    )


@expect
def only_graphs_overlap(side_by_side, alone, spans, gain, eager_gain):
    apart = side_by_side.overlap(alone) <= 0 < side_by_side.overlap(spans)
    return apart, gain > 1, gain / eager_gain > 1
