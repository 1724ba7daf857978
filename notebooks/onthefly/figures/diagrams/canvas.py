"""What all diagrams are drawn with: boxes, arrows, brackets and words.

A diagram is SVG whose text stays text.  Ink takes the page's own colour, and
fills let it shine through, so that it is readable in light and dark.
"""

import html
import xml.etree.ElementTree as ET

from onthefly.figures import charts

WIDTH = 420  # in units; a phone shows it at about four fifths of that
SIZE = 13  # of the type, in units
LINE = 17  # from one line of words to the next
ENLARGED = (
    1.15  # pixels a unit where there is room: type as large as a chart's
)

# What a colour means, in every diagram.
PYTHON, COST, COMPILED, OTHER = charts.COLOURS[:4]
IDLE = charts.GREY
INK = "currentColor"

_HEAD = 4  # half the width of an arrow's head


class Canvas:
    """An SVG picture, WIDTH units wide; x grows to the right, y down."""

    def __init__(self, height):
        self._root = ET.Element(
            "svg",
            {
                "role": "img",
                "aria-label": "",
                "viewBox": f"0 0 {WIDTH} {height}",
                "width": f"{ENLARGED * WIDTH:.0f}",
                "font-family": "sans-serif",
                "font-size": str(SIZE),
                "fill": INK,
                "stroke-linejoin": "round",
            },
        )

    def svg(self, alt):
        """Return the picture as text; `alt` says what it shows."""
        self._root.set("aria-label", alt)
        return ET.tostring(self._root, encoding="unicode")

    def words(self, x, y, text, *, at="middle", **style):
        """Write words, whose lines are centred on y.

        at     where x is: "start", "middle" or "end" of the words
        style  `code` for code, `bold`
        """
        lines = text.split("\n")
        for k, line in enumerate(lines):
            middle = y + (k - (len(lines) - 1) / 2) * LINE
            attributes = {"x": x, "y": middle + 0.35 * SIZE}
            if at != "start":
                attributes["text-anchor"] = at
            if style.get("code"):
                attributes |= {"font-family": "monospace", "font-size": 12}
            if style.get("bold"):
                attributes["font-weight"] = "bold"
            self._add("text", attributes).text = line

    def heading(self, y, text):
        """Write what the part of the picture below it shows."""
        self.words(0, y, text, at="start", bold=True)

    def box(self, x, y, width, height, text="", colour=IDLE, **style):
        """Draw a box with words in its middle; x and y are its corner's.

        style  `dashed` for what is not there; else as in `words`
        """
        attributes = {"x": x, "y": y, "width": width, "height": height}
        attributes |= {"rx": 2, "fill": colour, "fill-opacity": 0.22}
        if style.pop("dashed", False):
            attributes |= {"fill": "none", "stroke-dasharray": "3 3"}
        self._add("rect", attributes | {"stroke": colour})
        if text:
            self.words(x + width / 2, y + height / 2, text, **style)

    def line(self, *points, colour=IDLE, dashed=False):
        """Draw a line through points (x, y)."""
        attributes = {"points": _path(*points), "fill": "none"}
        if dashed:
            attributes["stroke-dasharray"] = "3 3"
        self._add(
            "polyline", attributes | {"stroke": colour, "stroke-width": 1.5}
        )

    def arrow(self, *points, colour=INK, dashed=False):
        """Draw a line through points (x, y), with a head at the last."""
        (x0, y0), (x, y) = points[-2:]
        length = ((x - x0) ** 2 + (y - y0) ** 2) ** 0.5
        right, down = (x - x0) / length * _HEAD, (y - y0) / length * _HEAD
        foot = x - 2 * right, y - 2 * down
        self.line(*points[:-1], foot, colour=colour, dashed=dashed)
        left = foot[0] + down, foot[1] - right
        other = foot[0] - down, foot[1] + right
        head = _path((x, y), left, other)
        self._add("polygon", {"points": head, "fill": colour})

    def bracket(self, start, end, y, text, below=False):
        """Span start to end at height y, with words above it or below."""
        sign = 1 if below else -1
        ends = y - 5 * sign
        self.line(
            (start, ends), (start, y), (end, y), (end, ends), colour=INK
        )
        lines = text.count("\n")
        away = sign * (LINE * (1 + lines) / 2 + 2)
        self.words((start + end) / 2, y + away, text)

    def key(self, y, meanings):
        """Say what colours mean, {words: colour}, side by side."""
        for k, (text, colour) in enumerate(meanings.items()):
            x = k * WIDTH / len(meanings)
            self.box(x + 1, y - 6, 12, 12, colour=colour)
            self.words(x + 19, y, text, at="start")

    def _add(self, tag, attributes):
        given = {name: _short(value) for name, value in attributes.items()}
        return ET.SubElement(self._root, tag, given)


class Lanes:
    """Lanes of a canvas, in which time runs to the right from 0 to 100.

    names  of the lanes, from the top
    top    y of the first
    """

    LEFT, RIGHT = 92, WIDTH - 6
    HEIGHT, PITCH = 26, 36

    def __init__(self, canvas, names, top):
        self._canvas, self._top = canvas, top
        self._names = names
        for lane, name in enumerate(names):
            canvas.words(0, self._middle(lane), name, at="start")

    def axis(self):
        """Say below the lanes where time runs."""
        y = self._middle(len(self._names)) - 4
        self._canvas.words(self.LEFT, y, "time", at="start")
        ends = (self.LEFT + 40, y), (self.RIGHT, y)
        self._canvas.arrow(*ends, colour=IDLE)

    def box(self, lane, start, end, text="", colour=PYTHON, **style):
        """Draw what happens in a lane from start to end."""
        x, y = self.x(start), self._top + lane * self.PITCH
        width = self.x(end) - x
        self._canvas.box(x, y, width, self.HEIGHT, text, colour, **style)

    def words(self, time, text, **style):
        """Write words over the first lane."""
        self._canvas.words(self.x(time), self._top - 10, text, **style)

    def wait(self, lane, start, end, text=""):
        """Draw that nothing happens in a lane from start to end."""
        y = self._middle(lane)
        ends = (self.x(start) + 3, y), (self.x(end) - 3, y)
        self._canvas.line(*ends, dashed=True)
        if text:
            middle = self.x((start + end) / 2)
            self._canvas.words(middle, y - LINE / 2 - 1, text)

    def arrow(self, time, lane, other, **style):
        """Draw an arrow from one lane to another."""
        down = other > lane
        start = self._top + lane * self.PITCH + self.HEIGHT * down
        end = self._top + other * self.PITCH + self.HEIGHT * (not down)
        x = self.x(time)
        self._canvas.arrow((x, start), (x, end), **style)

    def bracket(self, start, end, text, lane=0, below=False):
        """Span a time with words, above a lane or below it."""
        y = self._top + lane * self.PITCH
        y += self.HEIGHT + 8 if below else -8
        self._canvas.bracket(self.x(start), self.x(end), y, text, below)

    def x(self, time):
        """Return where a time lies."""
        return self.LEFT + time / 100 * (self.RIGHT - self.LEFT)

    def _middle(self, lane):
        return self._top + lane * self.PITCH + self.HEIGHT / 2


def _path(*points):
    """Return points (x, y) as SVG writes them."""
    return " ".join(f"{_short(x)},{_short(y)}" for x, y in points)


def _short(value):
    """Return a number as a text of at most two decimals; a text as it is."""
    if isinstance(value, str):
        return value
    return f"{value:.2f}".rstrip("0").rstrip(".")


def as_html(canvas, caption):
    """Return a picture as the HTML of a figure; its caption is its alt."""
    return (
        f'<figure class="otf-figure">{canvas.svg(caption)}'
        f"<figcaption>{html.escape(caption)}</figcaption></figure>"
    )
