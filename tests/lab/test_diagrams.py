"""Diagrams: text that fits its place, alt texts, unknown names."""

import base64
import itertools
import xml.etree.ElementTree as ET

import pytest
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from linting import drawings
from onthefly.errors import UserError
from onthefly.figures import diagrams
from onthefly.figures.diagrams import lanes
from onthefly.figures.diagrams.canvas import WIDTH, Canvas
from onthefly.page import showing
from rendering import plain


def parsed(name):
    """Return the parsed picture of a diagram."""
    text = diagrams.diagram(name)
    return ET.fromstring(text[text.index("<svg") : text.index("<figcaption")])


def corners(element):
    """Return the left, top, right and bottom end of a part of a picture."""
    number = {k: float(v) for k, v in element.attrib.items() if _is_number(v)}
    if element.tag == "text":  # in a wide font
        mono = element.get("font-family") == "monospace"
        size = number.get("font-size", 13)
        font = FontProperties(
            family="DejaVu Sans Mono" if mono else "DejaVu Sans",
            weight=element.get("font-weight"),
            size=size,
        )
        width, *_ = text_to_path.get_text_width_height_descent(
            element.text, font, ismath=False
        )
        share = {"middle": 0.5, "end": 1}.get(element.get("text-anchor"), 0)
        left, base = number["x"] - share * width, number["y"]
        return left, base - 0.75 * size, left + width, base + 0.2 * size
    if element.tag == "rect":
        left, top = number["x"], number["y"]
        return left, top, left + number["width"], top + number["height"]
    points = [p.split(",") for p in element.get("points").split()]
    xs, ys = zip(*[map(float, point) for point in points], strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _is_number(text):
    return text.replace(".", "", 1).removeprefix("-").isdigit()


def within(one, other):
    """Tell whether corners lie within others."""
    a, b = one, other
    return a[0] >= b[0] and a[1] >= b[1] and a[2] <= b[2] and a[3] <= b[3]


def apart(one, other):
    """Tell whether corners have no point in common."""
    a, b = one, other
    return a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def pieces(picture, tag):
    """Return (element, corners) of the parts of a kind; of lines, each."""
    found = [(e, corners(e)) for e in picture.iter(tag)]
    if tag != "polyline":
        return found
    lines = []
    for element, _ in found:
        points = element.get("points").split()
        for start, end in itertools.pairwise(points):
            line = ET.Element(tag, {"points": f"{start} {end}"})
            lines.append((element, corners(line)))
    return lines


@pytest.mark.parametrize("name", diagrams.DRAWINGS)
def test_a_diagram_lies_within_its_frame(name):
    picture = parsed(name)
    left, top, width, height = map(float, picture.get("viewBox").split())
    frame = left, top, left + width, top + height
    assert width <= 440
    for element in picture.iter():
        if element is not picture:
            where = element.text, element.attrib, corners(element)
            assert within(corners(element), frame), where


@pytest.mark.parametrize("name", diagrams.DRAWINGS)
def test_no_words_run_into_anything(name):
    picture = parsed(name)
    texts = pieces(picture, "text")
    assert texts
    for k, (text, own) in enumerate(texts):
        for other, place in texts[k + 1 :]:
            assert apart(own, place), (text.text, other.text)
        for _, place in pieces(picture, "rect"):
            assert apart(own, place) or within(own, place), (text.text, place)
        for tag in ("polygon", "polyline"):
            for line, place in pieces(picture, tag):
                level = place[0] == place[2] or place[1] == place[3]
                if level or tag == "polygon":
                    assert apart(own, place), (text.text, line.attrib)


@pytest.mark.parametrize("name", diagrams.DRAWINGS)
def test_a_diagram_says_what_it_shows(name):
    picture, caption = parsed(name), diagrams.caption(name)
    assert picture.get("role") == "img"
    assert picture.get("aria-label") == caption
    assert len(caption) > 80 and caption.endswith(".") and "\n" not in caption


def test_ink_is_the_pages_own_and_a_picture_as_high_as_what_is_in_it():
    canvas = Canvas()
    canvas.box(0, 0, 10, 40)
    text = canvas.svg("a box")
    assert 'fill="currentColor"' in text and 'aria-label="a box"' in text
    assert f'viewBox="0 0 {WIDTH} 42"' in text


def test_time_runs_along_lanes_below_what_was_drawn():
    canvas = Canvas()
    canvas.heading("First")
    first = canvas.bottom
    drawn = lanes.Lanes(canvas, ["one", "two"])
    drawn.box(1, 0, 100)
    assert canvas.bottom > first + lanes.PITCH + lanes.HEIGHT
    width = f'width="{lanes.RIGHT - lanes.LEFT}"'
    assert width in canvas.svg("") and f'x="{lanes.LEFT}"' in canvas.svg("")


def test_an_unknown_name_is_refused_in_a_line():
    with pytest.raises(UserError) as refused:
        diagrams.diagram("gill")
    said = str(refused.value)
    assert "'gill'" in said and "gil" in said and "\n" not in said


@pytest.mark.parametrize(
    ("asked", "wrong"),
    [
        ('diagram("gil")', False),
        ('diagram("gill")', True),
        ("diagram(name)", True),
        ("diagram()", True),
        ('program("kernels/pi/pi_numba.py")', False),
        ('program("kernels/pi/pi_rust.py")', True),
        ("program()", True),
        ("gain.about", False),
    ],
)
def test_the_linter_knows_the_names(asked, wrong):
    cell = {"cell_type": "markdown", "source": f"{{eval}}`{asked}`"}
    found = list(drawings.broken({"cells": [cell]}))
    assert bool(found) == wrong


def test_a_download_has_it_as_an_image():
    data = {"text/html": showing.diagram("gil").data, "text/plain": ""}
    asked = 'diagram("gil")'
    result = {"status": "ok", "data": data}
    cell = {"metadata": {"user_expressions": [
        {"expression": asked, "result": result},
    ]}}  # fmt: skip
    images = {}
    text = plain.filled(f"{{eval}}`{asked}`", cell, images)
    assert diagrams.caption("gil") in text and "](attachment:" in text
    (image,) = images.values()
    svg = base64.b64decode(image["image/svg+xml"])
    assert ET.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"
