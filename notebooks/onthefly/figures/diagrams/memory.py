"""Memory: where values lie, and what passes through it."""

from onthefly.figures.diagrams.canvas import (
    COMPILED,
    COST,
    IDLE,
    INK,
    PYTHON,
    WIDTH,
    Canvas,
)


def temporaries():
    """In an array expression, each operation reads whole arrays from memory
    and writes a whole new one. A fused loop reads the inputs once, and writes
    the result alone.
    """
    canvas, left, pitch = Canvas(), 88, 55
    arrays = ["x", "y", "x * x", "y * y", "sum", "result"]

    def row(y, name, reads, writes, code=True):
        """Draw which arrays, by their places, an operation passes through."""
        canvas.words(0, y + 13, name, at="start", code=code)
        for k in reads:
            canvas.box(left + k * pitch, y, pitch - 4, 26, "read", PYTHON)
        x = left + writes * pitch
        canvas.box(x, y, pitch - 4, 26, "write", COST)

    canvas.heading("One operation after the other")
    for k, name in enumerate(arrays):
        middle = left + k * pitch + (pitch - 4) / 2
        canvas.words(middle, 34, name, code=k < 4)
    row(46, "x * x", [0], 2)
    row(76, "y * y", [1], 3)
    row(106, "… + …", [2, 3], 4)
    row(136, "… <= 1", [4], 5)
    ends = left + 2 * pitch, left + 5 * pitch - 4
    canvas.bracket(*ends, 172, "temporaries", below=True)
    canvas.heading("A fused loop")
    row(canvas.bottom + 8, "all at once", [0, 1], 5, code=False)
    return canvas


def boxed_list():
    """A list holds pointers to number objects, which lie anywhere in memory;
    each has a type and a count of its references. An array holds the numbers
    themselves, side by side.
    """
    canvas, left, cell = Canvas(), 104, 52
    objects = {"7.5": (290, 108), "0.5": (112, 92), "9.0": (364, 94)}
    objects["2.5"] = 200, 104
    canvas.heading("A list of floats")
    canvas.words(0, 39, "pointers,\n8 bytes each", at="start")
    canvas.words(0, 130, "objects,\n24 bytes each", at="start")
    for k, (value, (x, y)) in enumerate(objects.items()):
        canvas.box(left + k * cell, 26, cell, 26, colour=PYTHON)
        canvas.arrow((left + (k + 0.5) * cell, 40), (x + 27, y))
        canvas.box(x, y, 54, 24, "type")
        canvas.box(x, y + 24, 54, 24, "count")
        canvas.box(x, y + 48, 54, 24, value, COMPILED)
    canvas.heading("An array of floats")
    top = canvas.bottom + 12
    canvas.words(0, top + 13, "numbers,\n8 bytes each", at="start")
    for k, value in enumerate(objects):
        canvas.box(left + k * cell, top, cell, 26, value, COMPILED)
    return canvas


def cache_lines():
    """The processor fetches memory in cache lines of 64 bytes: eight numbers
    of 8 bytes. Reading in order uses all of a line; a stride of eight fetches
    a whole line for each number. The system hands out memory in pages of
    4 KiB, each when it is first touched.
    """
    canvas, cell, line, page = Canvas(), 17, 8, 100

    def numbers(used):
        """Draw an array, and which of its numbers are read."""
        top = canvas.bottom + 8
        for k in range(3 * line):
            x = 1 + k * cell + 5 * (k // line)
            canvas.box(x, top, cell, 26, "", COMPILED if used(k) else IDLE)

    canvas.heading("Read in order: a line serves eight reads")
    numbers(lambda k: True)
    ends, y = (1, 1 + line * cell), canvas.bottom + 8
    canvas.bracket(*ends, y, "cache line: 64 bytes", below=True)
    canvas.heading("Read every eighth: a line for each read")
    numbers(lambda k: k % line == 0)
    canvas.heading("A new array: a page comes when it is touched")
    top, touched = canvas.bottom + 8, {"first touch": COST}
    for k, text in enumerate(
        ("page", "page", "first touch", "not there yet")
    ):
        place = 1 + k * (page + 5), top, page, 26
        colour = touched.get(text, COMPILED if k < 2 else IDLE)
        canvas.box(*place, text, colour, dashed=k == 3)
    canvas.bracket(1, 1 + page, top + 34, "4 KiB: 64 lines", below=True)
    return canvas


def copy_on_write():
    """After a fork, parent and child share the pages of memory. The first
    write to a page copies it. In Python, reading an object writes too: it
    changes the count of its references.
    """
    canvas = Canvas()
    canvas.heading("After the fork: shared pages")
    shared = [0, 1, 2]
    _mapped(canvas, ["page 1", "page 2", "page 3"], shared, shared)
    canvas.heading("The child reads an object on page 2")
    pages = ["page 1", "page 2", "copy of 2", "page 3"]
    _mapped(canvas, pages, parent=[0, 1, 3], child=[0, 2, 3])
    return canvas


def _mapped(canvas, pages, parent, child):
    """Draw pages in memory, and at which places two processes find theirs."""
    top, pitch, height, width = canvas.bottom + 30, 31, 24, 84
    middle, right = (WIDTH - width) / 2, WIDTH - width - 1
    for k, name in enumerate(pages):
        colour = COST if name.startswith("copy") else COMPILED
        canvas.box(middle, top + k * pitch, width, height, name, colour)
    canvas.words(WIDTH / 2, top - 14, "memory")
    for name, places, x in ("parent", parent, 1), ("child", child, right):
        canvas.words(x + width / 2, top - 14, name)
        for k, place in enumerate(places):
            y = top + (k + (len(pages) - len(places)) / 2) * pitch
            canvas.box(x, y, width, height, f"{k + 1}", PYTHON)
            start, end = x + width, middle
            if x == right:
                start, end = right, middle + width
            colour = COST if pages[place].startswith("copy") else INK
            target = end, top + place * pitch + height / 2
            canvas.arrow((start, y + height / 2), target, colour)
