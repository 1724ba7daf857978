"""What *When does XLA make a function faster?* concludes."""

from onthefly.kernels import z_score
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, figure, judge


@figure(against="eager")
def headline(times):
    """The program with its function run eagerly, as a graph and by XLA."""
    return times


def graph_gain(times):
    return times.ratio("eager", "tf.function")


def xla_gain(times):
    return times.ratio("eager", "XLA")


def over(times):
    return times.ratio("tf.function", "XLA")


def fused_gain(fused):
    return fused.ratio("graph", "XLA")


def steps(compiled):
    return len(compiled)


def trap_cost(trap):
    return trap.ratio("unnamed", "named")


@answer("xla-gains")
def xla_gains(over, fused_gain, steps, ops):
    """Try `jit_compile=True` on a function of element-wise operations, and
    compare it with `tf.function` alone. A program that estimates π from
    {shots:,} points a call runs {over.about} faster with XLA, and its
    arithmetic without the random draws {fused_gain.about} faster.
    """
    return over > 1, fused_gain > 1, steps < ops


@judge("graphs-are-transformable-subgraphs")
def pieces_are_the_same(same):
    return Quantity.share_of(same)


@judge("selective-compilation-future")
def one_function_compiled(program, ways, shots):
    found = [program(ways[name]) for name in ("tf.function", "XLA")]
    right = [z_score(each, 5 * shots) < 5 for each in found]
    return Quantity.share_of(right)


@judge("xla-compiler")
def programs_gain_by_xla(over, fused_gain, own_gain):
    """The program that draws gains {over.about}."""
    return Quantity.held([q > 1 for q in (over, fused_gain, own_gain)])
