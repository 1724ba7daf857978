"""Calls from Python into compiled code, and what they cost."""

from onthefly.figures.diagrams.canvas import COMPILED, COST, Canvas, Lanes

CALLER = ["Python", "compiled"]


def call_into_c():
    """Each call from Python into compiled code costs a fixed overhead,
    whatever the size, and then a little for each element. An array expression
    pays the overhead once for each operation, a compiled loop only once.
    """
    canvas = Canvas(258)
    canvas.heading(8, "A compiled loop: one call")
    once = Lanes(canvas, CALLER, top=22)
    once.box(0, 0, 22, "f(x, y)", code=True)
    _call(once, 22, 48)
    once.box(0, 78, 100)
    canvas.heading(120, "An array expression: a call for each operation")
    each = Lanes(canvas, CALLER, top=158)
    for k, operation in enumerate(("x * x", "y * y", "… + …", "… <= 1")):
        each.box(0, 25 * k, 25 * k + 5)
        _call(each, 25 * k + 5, 12)
        each.words(25 * k + 11, operation, code=True)
    canvas.key(250, {"overhead of the call": COST, "work": COMPILED})
    return canvas


def _call(lanes, start, work):
    """Draw a call of compiled code, which works for a while."""
    lanes.arrow(start, 0, 1)
    lanes.box(1, start, start + 8, colour=COST)
    lanes.box(1, start + 8, start + 8 + work, colour=COMPILED)
    lanes.arrow(start + 8 + work, 1, 0)
