"""Lanes, in which time runs to the right: threads, cores, Python and C."""

from onthefly.figures.diagrams.canvas import IDLE, INK, LINE, PYTHON, WIDTH

LEFT, RIGHT = 92, WIDTH - 6
HEIGHT, PITCH = 26, 36


def x(time):
    """Return where a time lies, from 0 to 100."""
    return LEFT + time / 100 * (RIGHT - LEFT)


class Lanes:
    """Named lanes below all that was drawn on a canvas so far.

    room  above them, for words and brackets
    """

    def __init__(self, canvas, names, room=0):
        self._canvas = canvas
        self._tops = [
            canvas.bottom + 8 + room + k * PITCH for k in range(len(names))
        ]
        for top, name in zip(self._tops, names, strict=True):
            canvas.words(0, top + HEIGHT / 2, name, at="start")

    def box(self, lane, start, end, text="", colour=PYTHON, **style):
        """Draw what happens in a lane from start to end."""
        size = x(end) - x(start), HEIGHT
        corner = x(start), self._tops[lane]
        self._canvas.box(*corner, *size, text, colour, **style)

    def wait(self, lane, start, end, text=""):
        """Draw that nothing happens in a lane from start to end."""
        y = self._tops[lane] + HEIGHT / 2
        self._canvas.line((x(start) + 3, y), (x(end) - 3, y), dashed=True)
        if text:
            middle = (x(start) + x(end)) / 2
            self._canvas.words(middle, y - LINE / 2 - 1, text)

    def arrow(self, time, lane, other, arrives=None):
        """Draw an arrow from one lane to another.

        arrives  when, if it is not at once
        """
        down = other > lane
        start = x(time), self._tops[lane] + HEIGHT * down
        end = x(arrives or time), self._tops[other] + HEIGHT * (not down)
        self._canvas.arrow(start, end)

    def words(self, time, text, **style):
        """Write words over the lanes."""
        self._canvas.words(x(time), self._tops[0] - 10, text, **style)

    def bracket(self, start, end, text, below=False):
        """Span a time, with words above the lanes or below them."""
        y = self._tops[-1] + HEIGHT + 8 if below else self._tops[0] - 8
        self._canvas.bracket(x(start) + 1, x(end) - 1, y, text, below)

    def mark(self, time, text=""):
        """Draw a line across the lanes at a time, with words over it."""
        top, bottom = self._tops[0] - 6, self._tops[-1] + HEIGHT + 6
        self._canvas.line((x(time), top), (x(time), bottom), colour=INK)
        if text:
            self._canvas.words(x(time), top - 10, text)

    def axis(self):
        """Say below all that was drawn that this is time."""
        y = self._canvas.bottom + 14
        self._canvas.words(LEFT, y, "time", at="start")
        self._canvas.arrow((LEFT + 40, y), (RIGHT, y), colour=IDLE)
