"""What *Carve out and compile* concludes."""

from onthefly.kernels import z_score
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, figure, judge


@judge("graphs-are-transformable-subgraphs")
def pieces_are_the_same(same):
    return Quantity.share_of(same)


@figure(against="eager")
def headline(times):
    return times


def graph_gain(times):
    return times.ratio("eager", "tf.function")


def xla_gain(times):
    return times.ratio("eager", "XLA")


def over(times):
    return times.ratio("tf.function", "XLA")


@judge("selective-compilation-future")
def one_function_compiled(program, ways, shots):
    found = [program(ways[name]) for name in ("tf.function", "XLA")]
    right = [z_score(each, 5 * shots) < 5 for each in found]
    return Quantity.share_of(right)


def fused_gain(fused):
    return fused.ratio("graph", "XLA")


def steps(compiled):
    return len(compiled)


@answer("xla-gains")
def xla_gains(xla_gain, fused_gain, steps, ops):
    """Of a Python program that makes five estimates of π, each by {shots:,}
    points, only the function that estimates is compiled: by XLA the program
    is {xla_gain.as_speed} the eager one, and {over.as_speed} the one by
    `tf.function` alone. XLA makes one loop of many operations: the {ops}
    behind the draws become {steps} steps, {fused_gain.as_speed} their graph.
    Try `jit_compile=True` on what computes element by element.
    """
    return xla_gain > 1, fused_gain > 1, steps < ops


def trap_cost(trap):
    return trap.ratio("unnamed", "named")


@judge("xla-compiler")
def programs_gain_by_xla(over, fused_gain, own_gain):
    """The program that draws gains {over.about}."""
    return Quantity.held([q > 1 for q in (over, fused_gain, own_gain)])
