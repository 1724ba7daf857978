"""Threads: who runs when, and what they do to each other."""

from onthefly.figures.diagrams.canvas import (
    COMPILED,
    COST,
    IDLE,
    OTHER,
    PYTHON,
    WIDTH,
    Canvas,
)
from onthefly.figures.diagrams.lanes import LEFT, Lanes


def gil():
    """The GIL lets one thread at a time run Python, and passes to a waiting
    thread about every 5 ms. A C function that releases the GIL computes while
    another thread runs Python, and waits for the GIL when it returns.
    """
    canvas, threads = Canvas(), ["thread 1", "thread 2"]
    canvas.heading("Python code: the threads take turns")
    turns = Lanes(canvas, threads, room=26)
    for turn in range(4):
        start, end = 25 * turn, 25 * turn + 25
        runs, waits = turn % 2, 1 - turn % 2
        turns.box(runs, start, end, "Python")
        turns.wait(waits, start, end)
        if turn:
            turns.arrow(start, waits, runs)
    turns.bracket(0, 25, "about 5 ms")
    canvas.heading("A C function that releases the GIL: both at once")
    both = Lanes(canvas, threads)
    both.box(0, 0, 20, "Python")
    both.wait(1, 0, 20)
    both.arrow(20, 0, 1)
    both.box(0, 20, 60, "C function", COMPILED)
    both.box(1, 20, 80, "Python")
    both.wait(0, 60, 80)
    both.arrow(80, 1, 0)
    both.box(0, 80, 100, "Python")
    both.wait(1, 80, 100)
    both.axis()
    return canvas


def lost_update():
    """The first thread has read the counter when Python switches to the
    second, which counts down from the same value. The first then writes its
    own result over that, and an update is lost.
    """
    canvas = Canvas()
    left, middle, right = 71, WIDTH / 2, WIDTH - 71
    for x, name in {left: "thread 1", middle: "g", right: "thread 2"}.items():
        canvas.words(x, 8, name, bold=True)
    canvas.words(left, 27, "g = g + one()", code=True)
    canvas.words(right, 27, "g = g - one()", code=True)

    def step(y, text, x=left, reads="", writes="", colour=IDLE):
        """Draw a step of a thread, and the value of g that it meets."""
        canvas.box(x - 70, y, 140, 26, text, PYTHON if x == left else OTHER)
        side = 1 if x == left else -1
        ends = (x + 70 * side, y + 13), (middle - 16 * side, y + 13)
        if reads or writes:
            canvas.box(middle - 16, y, 32, 26, reads or writes, colour)
            canvas.arrow(*(ends if writes else reversed(ends)))

    def switch(y):
        canvas.line((0, y), (120, y), dashed=True)
        canvas.words(middle, y, "Python switches")
        canvas.line((WIDTH - 120, y), (WIDTH, y), dashed=True)

    step(44, "reads 7", reads="7")
    step(76, "calls one()")
    switch(118)
    step(134, "reads 7", right, reads="7")
    step(166, "calls one()", right)
    step(198, "writes 7 − 1", right, writes="6")
    switch(240)
    step(256, "writes 7 + 1", writes="8", colour=COST)
    canvas.words(right, 269, "its update is lost")
    return canvas


def prange():
    """prange deals out the iterations of a loop to threads, in blocks of
    neighbours. Where later iterations take longer, the last thread works
    longest, and the loop ends when that does.
    """
    canvas = Canvas()
    cell, share, colours = 26, 4, (PYTHON, OTHER, COMPILED)
    names = [f"thread {thread + 1}" for thread in range(len(colours))]
    canvas.heading("for i in prange(12)")
    top = canvas.bottom + 8
    canvas.words(0, top + 13, "iterations", at="start")
    for thread, name in enumerate(names):
        left = LEFT + share * thread * cell
        for k in range(share):
            i = str(share * thread + k)
            canvas.box(left + k * cell, top, cell, 26, i, colours[thread])
        ends = left + 2, left + share * cell - 2
        canvas.bracket(*ends, top + 34, name, below=True)
    lanes, end = Lanes(canvas, names, room=16), [0, 0, 0]
    for i in range(share * len(names)):
        thread = i // share
        start, end[thread] = end[thread], end[thread] + 7 + 1.6 * i
        lanes.box(thread, start, end[thread], str(i), colours[thread])
    for thread in range(len(names) - 1):
        lanes.wait(thread, end[thread], end[-1], "waits")
    lanes.mark(end[-1])
    lanes.axis()
    return canvas


def oversubscription():
    """With more threads than cores, the threads take turns on the cores. The
    work does not get less, and each switch of threads costs some time: the
    same work ends no earlier, and often later.
    """
    canvas, cores = Canvas(), ["core 1", "core 2"]
    work, switch = 20, 5
    canvas.heading("Two threads on two cores")
    enough = Lanes(canvas, cores)
    for core in range(2):
        enough.box(core, 0, 4 * work, f"thread {core + 1}")
    canvas.heading("The same work in four threads")
    many = Lanes(canvas, cores)
    for core in range(2):
        for turn in range(4):
            start = turn * (work + switch)
            end, colour = start + work, OTHER if turn % 2 else PYTHON
            name = f"thread {core + 1 + 2 * (turn % 2)}"
            many.box(core, start, end, name, colour)
            if turn < 3:
                many.box(core, end, end + switch, colour=COST)
    many.axis()
    canvas.key({"switch of threads": COST})
    return canvas
