"""Threads: who runs when, and what they do to each other."""

from onthefly.figures.diagrams.canvas import (
    COMPILED,
    COST,
    IDLE,
    OTHER,
    PYTHON,
    WIDTH,
    Canvas,
    Lanes,
)


def gil():
    """The GIL lets one thread at a time run Python, and passes to a waiting
    thread about every 5 ms. A C function that releases the GIL computes while
    another thread runs Python, and waits for the GIL when it returns.
    """
    canvas = Canvas(244)
    canvas.heading(8, "Python code: the threads take turns")
    turns = Lanes(canvas, ["thread 1", "thread 2"], top=52)
    for turn in range(4):
        start, end = 25 * turn, 25 * turn + 25
        runs, waits = turn % 2, 1 - turn % 2
        turns.box(runs, start, end, "Python")
        turns.wait(waits, start, end)
        if turn:
            turns.arrow(start, waits, runs)
    turns.bracket(0, 25, "about 5 ms")
    canvas.heading(140, "A C function that releases the GIL: both at once")
    both = Lanes(canvas, ["thread 1", "thread 2"], top=154)
    both.box(0, 0, 20, "Python")
    both.box(0, 20, 60, "C function", COMPILED)
    both.wait(0, 60, 80)
    both.box(0, 80, 100, "Python")
    both.wait(1, 0, 20)
    both.arrow(20, 0, 1)
    both.box(1, 20, 80, "Python")
    both.arrow(80, 1, 0)
    both.wait(1, 80, 100)
    both.axis()
    return canvas


def lost_update():
    """Thread 1 has read the counter when Python switches to thread 2, which
    counts down from the same value. Thread 1 then writes its own result over
    that: 7 + 1 − 1 ends as 8, and an update is lost.
    """
    canvas = Canvas(284)
    left, middle, right = 71, WIDTH / 2, WIDTH - 71
    for x, name in {left: "thread 1", middle: "g", right: "thread 2"}.items():
        canvas.words(x, 8, name, bold=True)
    canvas.words(left, 27, "g = g + one()", code=True)
    canvas.words(right, 27, "g = g - one()", code=True)

    def step(y, text, x=left, reads=False, writes=False):
        """Draw a step of a thread, and what it does to g."""
        canvas.box(x - 70, y, 140, 26, text, PYTHON if x == left else OTHER)
        side = 1 if x == left else -1
        ends = (x + 70 * side, y + 13), (middle - 16 * side, y + 13)
        if writes:
            canvas.arrow(*ends)
        if reads:
            canvas.arrow(*reversed(ends))

    def value(y, text, colour=IDLE):
        canvas.box(middle - 16, y, 32, 26, text, colour)

    def switch(y, text):
        canvas.line((0, y), (120, y), dashed=True)
        canvas.words(middle, y, text)
        canvas.line((WIDTH - 120, y), (WIDTH, y), dashed=True)

    value(44, "7")
    step(44, "reads 7", reads=True)
    step(76, "calls one()")
    switch(118, "Python switches")
    value(134, "7")
    step(134, "reads 7", right, reads=True)
    step(166, "calls one()", right)
    value(198, "6")
    step(198, "writes 7 − 1", right, writes=True)
    switch(240, "Python switches")
    value(256, "8", COST)
    step(256, "writes 7 + 1", writes=True)
    canvas.words(right, 269, "its update is lost")
    return canvas
