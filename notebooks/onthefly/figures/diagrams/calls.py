"""Calls from Python into compiled code, and what they cost."""

from onthefly.figures.diagrams.canvas import COMPILED, COST, Canvas
from onthefly.figures.diagrams.lanes import Lanes

OVERHEAD = 8  # of a call


def call_into_c():
    """Each call from Python into compiled code costs a fixed overhead,
    whatever the size, and then a little for each element. An array expression
    pays the overhead once for each operation, a compiled loop only once.
    """
    canvas, lanes = Canvas(), ["Python", "compiled"]
    canvas.heading("A compiled loop: one call")
    once = Lanes(canvas, lanes)
    once.box(0, 0, 22, "f(x, y)", code=True)
    end = _call(once, 22, 4 * 12)
    once.box(0, end, 100)
    canvas.heading("An array expression: a call for each operation")
    each = Lanes(canvas, lanes, room=20)
    for k, operation in enumerate(("x * x", "y * y", "… + …", "… <= 1")):
        each.words(25 * k + 11, operation, code=True)
        each.box(0, 25 * k, 25 * k + 5)
        _call(each, 25 * k + 5, 12)
    canvas.key({"overhead of the call": COST, "work": COMPILED})
    return canvas


def eager_and_graph():
    """Eagerly, Python calls the library for each operation, and pays the
    overhead of a call each time. A graph is traced once; after that, one call
    runs all its operations, with no Python in between.
    """
    canvas, lanes = Canvas(), ["Python", "library"]
    canvas.heading("Eager: a call for each operation")
    eager = Lanes(canvas, lanes)
    for k in range(4):
        eager.box(0, 25 * k, 25 * k + 7)
        _call(eager, 25 * k + 7, 8, [str(k + 1)])
    canvas.heading("A graph: all operations in one call")
    graph = Lanes(canvas, lanes, room=26)
    graph.box(0, 0, 25, "trace", COST)
    graph.bracket(0, 25, "once")
    graph.box(0, 35, 42)
    end = _call(graph, 42, 4 * 8, "1234")
    graph.bracket(35, end, "each time")
    canvas.key({"overhead": COST, "operations": COMPILED})
    return canvas


def compile_once():
    """The first call of a compiled function compiles it, and only then runs.
    Later calls are so fast that it overtakes Python after some calls; with
    fewer calls, compiling does not pay.
    """
    canvas, calls = Canvas(), 6
    slow, compiling, fast = 16, 45, 3.5
    lanes = Lanes(canvas, ["Python", "compiled"], room=22)
    lanes.box(1, 0, compiling, "compiling", COST)
    for k in range(calls):
        start = compiling + k * fast
        lanes.box(0, k * slow, (k + 1) * slow, f"call {k + 1}")
        lanes.box(1, start, start + fast, colour=COMPILED)
    lanes.mark(4 * slow, "compiled is ahead from call 4 on")
    first, last = compiling + fast, compiling + calls * fast
    lanes.bracket(0, first, "call 1", below=True)
    lanes.bracket(first, last, "2 to 6", below=True)
    lanes.axis()
    return canvas


def _call(lanes, start, work, parts=("",)):
    """Draw a call of compiled code, which works for a while.

    parts  of the work, by name, each as long as the others

    Returns when it ends.
    """
    lanes.arrow(start, 0, 1)
    begin = start + OVERHEAD
    lanes.box(1, start, begin, colour=COST)
    for part in parts:
        end = begin + work / len(parts)
        lanes.box(1, begin, end, part, COMPILED)
        begin = end
    lanes.arrow(begin, 1, 0)
    return begin
