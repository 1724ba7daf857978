"""What *Eager or session?* concludes."""

from operator import eq

from onthefly.experiments.tensorflow import printed
from onthefly.experiments.then import talks
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, judge, table

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


@table
def lines_table(then, said_today):
    """A product, on the slides and printed."""
    columns = talks.columns(then, said_today, "product_in_session", "product")
    return printed.rows([*SLIDES, EAGER_SLIDE], columns)


def old_numpy(then):
    return then["1.4"]["product_by_old_numpy"][0][1]


@expect
def same_since(then, said_then, said_today, old_numpy):
    *session, eager = said_today
    return (
        [talks.lines(then, v, "product_in_session") == session for v in then],
        said_then[2] == eager != EAGER_SLIDE,
        old_numpy not in session,
    )


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
    return times


def each(times):
    """Return the seconds of one operation more, by each way."""
    return {
        k: (times.seconds(k, 100) - times.seconds(k, 1)) / 99
        for k in times.names
    }


def gain(times):
    return times.ratio("eager", "tf.function", 100)


def million(each):
    return each["eager"] * 10**6


@answer("price-of-an-operation")
def price_of_an_operation(each, gain):
    """Called from Python it costs {each[eager].about} for ten numbers; one
    more in the graph of a session takes {each[Session.run].about}, in that of
    a `tf.function` {each[tf.function].about}. A million of them from Python
    take {million.about}: put a `tf.function` around what calls many small
    operations, which with a hundred of them is {gain.as_speed} eager
    execution. A loop of a million steps is to be a `tf.range` in it, since
    one of Python's writes a node for each step.
    """
    dearer = [each["eager"] > each[k] for k in ("Session.run", "tf.function")]
    return dearer, gain > 1


@table
def placement_table(places):
    """Where a matrix and its square lie."""
    return [
        {"asked for": name or "nothing", "soft placement": soft, "lie on": at}
        for (name, soft), at in places.items()
    ]


@table
def advantages_table(rows_of_all):
    """What eager brings."""
    return rows_of_all


@judge("eager-offers-and-advantages")
def offers(came_then, rows_of_all):
    rows = [row for row in rows_of_all if "recorded" not in row]
    came = [row["came out"] for row in rows]
    return Quantity.share_of(came_then.values()), Quantity.share_of(came)
