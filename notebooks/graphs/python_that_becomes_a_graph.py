"""What *Python that becomes a graph* concludes."""

from onthefly.experiments.tensorflow import printed
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, judge, table

SLIDE = printed.then("eager-collatz-output")


def _on_slide(lines):
    return [*printed.compared(SLIDE, "; ".join(lines)).values()]


def python_2(talks, then):
    return talks.lines(then, "1.5", "collatz_python_2")


def python_3(talks, then):
    return talks.lines(then, "1.5", "collatz")


@judge("eager-collatz-output")
def collatz_output(lines, python_2=None):
    return python_2 and Quantity.share_of(
        _on_slide(python_2)
    ), Quantity.share_of(_on_slide(lines))


@table
def collatz_table(python_2, python_3, lines):
    """Collatz numbers, on the slide and printed."""
    columns = {
        "TensorFlow 1.5, Python 2's /": python_2,
        "TensorFlow 1.5, Python 3's /": python_3,
        "today": lines,
    }
    return printed.rows(SLIDE.split("; "), columns)


@expect
def as_printed(lines, whole, python_2, python_3):
    slide = all(_on_slide(whole)), not all(_on_slide(lines))
    return slide, python_2 == whole, python_3 == lines


@figure(x="steps")
def steps_figure(times):
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
    """Perhaps each call makes a new graph, as each new Python number and each
    new shape does: a call of one small operation with a new number is
    {retraced.as_time} one with a tensor. So pass tensors, give an
    `input_signature`, and watch `experimental_get_tracing_count()`. Or it has
    too little to do: one operation on ten numbers takes
    {small[tf.function].about} by a call of a `tf.function`, and
    {small[eager].about} eagerly.
    """
    slower = small["tf.function"] > small["eager"]
    return by_number == 5, retraced > 1, slower


@judge("same-code-eager-and-graph")
def same_code(agreement, shared_then=None):
    then = shared_then and Quantity.share_of([shared_then["predict"]])
    return then, Quantity.share_of([all(agreement["close"])])


@table
def interfaces_table(rows):
    """Interfaces, eagerly and in a session."""
    return rows


def shared(rows):
    return [row["the same in both"] for row in rows[:3]]


def each_then(rows, shared_then):
    return [shared_then[row["published"]] for row in rows[:3]]


@judge("eager-shares-model-apis")
def shares_interfaces(shared, each_then=None):
    return each_then and Quantity.share_of(each_then), Quantity.share_of(
        shared
    )
