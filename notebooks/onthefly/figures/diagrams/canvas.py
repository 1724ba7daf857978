"""What all diagrams are drawn with: boxes, arrows, brackets and words.

A diagram is SVG whose text stays text.  Ink takes the page's own colour, and
fills let the page shine through: it is readable in light and dark.
"""

import html
import xml.etree.ElementTree as ET

from onthefly.figures import charts

WIDTH = 420  # in units; a phone shows it at about four fifths of that
SIZE = 13  # of the type, in units; code is a little smaller
LINE = 17  # from one line of words to the next
ENLARGED = 1.15  # pixels a unit, where there is room: type as in the charts

# What a colour means: Python runs, overhead or the point, compiled code or
# data, and another thread or step that is to be told from Python's blue.
PYTHON, COST, COMPILED, OTHER = charts.COLOURS[:4]
IDLE = charts.GREY
INK = "currentColor"

_HEAD = 4  # half the width of an arrow's head


class Canvas:
    """An SVG picture, WIDTH units wide; x grows to the right, y down.

    It is as high as what was drawn: `bottom` is where that ends so far.
    """

    def __init__(self):
        self._root = ET.Element("svg")
        self.bottom = 0

    def svg(self, alt):
        """Return the picture as text; `alt` says what it shows."""
        self._root.attrib = {
            "role": "img",
            "aria-label": alt,
            "viewBox": f"0 0 {WIDTH} {_short(self.bottom + 2)}",
            "width": _short(ENLARGED * WIDTH),
            "font-family": "sans-serif",
            "font-size": _short(SIZE),
            "fill": INK,
            "stroke-linejoin": "round",
        }
        return ET.tostring(self._root, encoding="unicode")

    def words(self, x, y, text, *, at="middle", code=False, bold=False):
        """Write words, whose lines are centred on y.

        at  where x is: at the "start", "middle" or "end" of the words
        """
        style = {"text-anchor": at} if at != "start" else {}
        if code:
            style |= {"font-family": "monospace", "font-size": SIZE - 1}
        if bold:
            style["font-weight"] = "bold"
        lines = text.split("\n")
        y -= (len(lines) - 1) / 2 * LINE
        for k, line in enumerate(lines):
            place = {"x": x, "y": y + k * LINE + 0.35 * SIZE}
            self._add("text", place | style, place["y"] + 2).text = line

    def heading(self, text):
        """Write below all that was drawn what the next part shows."""
        y = self.bottom + (24 if self.bottom else LINE / 2)
        self.words(0, y, text, at="start", bold=True)

    def key(self, meanings):
        """Say below all that was drawn what colours mean: {words: colour}."""
        y = self.bottom + 18
        for k, (text, colour) in enumerate(meanings.items()):
            x = 1 + k * WIDTH / len(meanings)
            self.box(x, y - 6, 12, 12, colour=colour)
            self.words(x + 19, y, text, at="start")

    def box(
        self, x, y, width, height, text="", colour=IDLE, dashed=False, **style
    ):
        """Draw a box with words in its middle; x and y are its corner's.

        dashed  for what is not there
        style   of the words
        """
        fill = {"fill": colour, "fill-opacity": 0.22}
        if dashed:
            fill = {"fill": "none", "stroke-dasharray": "3 3"}
        place = {"x": x, "y": y, "width": width, "height": height}
        look = {"rx": 2, "stroke": colour}
        self._add("rect", place | look | fill, y + height)
        if text:
            self.words(x + width / 2, y + height / 2, text, **style)

    def line(self, *points, colour=IDLE, dashed=False):
        """Draw a line through points (x, y)."""
        look = {"fill": "none", "stroke": colour, "stroke-width": 1.5}
        if dashed:
            look["stroke-dasharray"] = "3 3"
        self._through("polyline", points, look)

    def arrow(self, start, end, colour=INK):
        """Draw an arrow from a point (x, y) to another."""
        (x0, y0), (x, y) = start, end
        length = ((x - x0) ** 2 + (y - y0) ** 2) ** 0.5
        right, down = (x - x0) / length * _HEAD, (y - y0) / length * _HEAD
        foot = x - 2 * right, y - 2 * down
        self.line(start, foot, colour=colour)
        sides = (
            (foot[0] + down, foot[1] - right),
            (foot[0] - down, foot[1] + right),
        )
        self._through("polygon", (end, *sides), {"fill": colour})

    def bracket(self, start, end, y, text, below=False):
        """Span start to end at height y, with words above it or below."""
        sign = 1 if below else -1
        ends = y - 5 * sign
        self.line(
            (start, ends), (start, y), (end, y), (end, ends), colour=INK
        )
        self.words((start + end) / 2, y + sign * (LINE / 2 + 2), text)

    def _through(self, tag, points, look):
        path = " ".join(f"{_short(x)},{_short(y)}" for x, y in points)
        self._add(tag, {"points": path, **look}, max(y for _, y in points))

    def _add(self, tag, attributes, bottom):
        """Add an element, which ends at a height; return it."""
        self.bottom = max(self.bottom, bottom)
        given = {name: _short(value) for name, value in attributes.items()}
        return ET.SubElement(self._root, tag, given)


def _short(value):
    """Return a number as a text of at most two decimals; a text as it is."""
    return value if isinstance(value, str) else f"{round(value, 2):g}"


def as_html(canvas, caption):
    """Return a picture as the HTML of a figure; its caption is its alt."""
    return (
        f'<figure class="otf-figure otf-diagram">{canvas.svg(caption)}'
        f"<figcaption>{html.escape(caption)}</figcaption></figure>"
    )
