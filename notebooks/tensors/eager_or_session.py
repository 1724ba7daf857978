"""What *Eager execution or a graph: what differs?* concludes."""

from operator import eq

from onthefly.experiments.tensorflow import printed
from onthefly.experiments.then import talks
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, figure, judge, table

SLIDES = printed.then("session-matmul-output").split("; ")
EAGER_SLIDE = printed.then("eager-matmul-output")


def said_then(then):
    session = talks.lines(then, "1.4", "product_in_session")
    return [*session, talks.text(then, "1.5", "product")]


def said_today(m, product, m_eager):
    return [str(m), str(product), str(m_eager)]


@judge("session-matmul-output")
def session_output(said_then, said_today):
    session = [said[:2] for said in (said_then, said_today)]
    return tuple(
        Quantity.share_of(map(eq, SLIDES, lines)) for lines in session
    )


@judge("eager-matmul-output")
def eager_output(said_then, said_today):
    both = said_then[2], said_today[2]
    held = [printed.compared(EAGER_SLIDE, said) for said in both]
    return tuple(Quantity.share_of(parts.values()) for parts in held)


def _draws(graph, eager):
    return Quantity.share_of([{*graph} == {4}, {*eager} == {1}])


@judge("eager-random-elements-loop")
def random_elements(drawn_then, drawn, kept):
    then = _draws(drawn_then["graph"], drawn_then["eager"])
    return then, _draws(drawn, kept)


@table
def kernels_table(rows):
    """Kernels of some operations."""
    return rows


def same(rows, kernels_seen):
    return [kernels_seen.same(row) for row in rows]


@judge("eager-ops-called-directly")
def called_directly(same):
    return Quantity.share_of(same)


@figure(x="operations in a call")
def headline(times):
    """The time of one call, by the number of operations in it."""
    return times


def each(times):
    """Return the seconds of one operation more, by each way."""
    return {
        k: (times.seconds(k, 100) - times.seconds(k, 1)) / 99
        for k in times.names
    }


def pays(times, each):
    """Return how many eager operations take the time of a graph of one."""
    return {
        k: (times.seconds(k, 1) / each["eager"]).named("operations")
        for k in ("Session.run", "tf.function")
    }


def gain(times):
    return times.ratio("eager", "tf.function", 100)


@answer("price-of-an-operation")
def price_of_an_operation(each, gain):
    """Put a `tf.function` around code that calls many small operations: one
    on ten numbers costs {each[eager].about} called from Python, and
    {each[tf.function].about} inside a graph. Let a long loop in it run over a
    `tf.range`, since a Python loop adds a node for each step.
    """
    slower = [each["eager"] > each[k] for k in ("Session.run", "tf.function")]
    return slower, gain > 1


@table
def placement_table(places):
    """Where a matrix and its square lie."""
    return [
        {"asked for": name or "nothing", "soft placement": soft, "lie on": at}
        for (name, soft), at in places.items()
    ]


@judge("eager-offers-and-advantages")
def offers(came_then, rows_of_all):
    rows = [row for row in rows_of_all if "recorded" not in row]
    came = [row["came out"] for row in rows]
    return Quantity.share_of(came_then.values()), Quantity.share_of(came)
