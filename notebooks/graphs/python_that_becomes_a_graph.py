"""What *How does tf.function turn a Python loop into a graph?* concludes."""

from onthefly.experiments.tensorflow import printed
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, figure, judge

SLIDE = printed.then("eager-collatz-output")


def _on_slide(lines):
    return [*printed.compared(SLIDE, "; ".join(lines)).values()]


def python_2(talks, then):
    return talks.lines(then, "1.5", "collatz_python_2")


@judge("eager-collatz-output")
def collatz_output(lines, python_2=None):
    return python_2 and Quantity.share_of(
        _on_slide(python_2)
    ), Quantity.share_of(_on_slide(lines))


@figure(x="steps")
def steps_figure(times):
    """The same loop in plain Python, as a graph, and eagerly."""
    return times


def gain(times, begin):
    return times.ratio("eager", "graph", max(begin))


def python(times, begin):
    return times.ratio("graph", "Python's numbers", max(begin))


def retraced(retracing):
    return retracing.ratio("number", "tensor")


def small(called):
    return {k: called.seconds(k, 1) for k in ("eager", "tf.function")}


@answer("retracing")
def retracing_answer(by_number, retraced, small):
    """Make the `tf.function` once, outside the loop, and pass tensors. Give
    it an `input_signature` or `reduce_retracing=True` if shapes vary. A new
    graph comes from each new Python value, shape or dtype: one small
    operation is {retraced.about} slower with a new number than with a tensor.
    If `experimental_get_tracing_count()` stays low, the function has too
    little to do, and eager execution is faster.
    """
    slower = small["tf.function"] > small["eager"]
    return by_number == 5, retraced > 1, slower


@judge("same-code-eager-and-graph")
def same_code(agreement, shared_then=None):
    then = shared_then and Quantity.share_of([shared_then["predict"]])
    return then, Quantity.share_of([all(agreement["close"])])


def shared(rows):
    return [row["the same in both"] for row in rows[:3]]


def each_then(rows, shared_then):
    return [shared_then[row["published"]] for row in rows[:3]]


@judge("eager-shares-model-apis")
def shares_interfaces(shared, each_then=None):
    return each_then and Quantity.share_of(each_then), Quantity.share_of(
        shared
    )
