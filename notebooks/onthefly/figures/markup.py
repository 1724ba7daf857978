"""A chart as SVG and HTML."""

import html
import io
import re

import matplotlib.style

from onthefly import files
from onthefly.figures import charts
from onthefly.measure.timings import table


def svg(chart, name):
    """Return the chart as an SVG text that fits into a page.

    Text stays text, ink takes the page's own colour, the size follows the
    column, and ids start with `name`, so that figures do not collide.
    """
    file = io.StringIO()
    with matplotlib.style.context(charts.STYLE):
        # What lays it out is done once: savefig would draw it twice.
        chart.figure.get_layout_engine().execute(chart.figure)
        chart.figure.set_layout_engine("none")
        chart.figure.savefig(file, format="svg", metadata={"Date": None})
    text = file.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    text = text.replace(charts.INK, "currentColor")
    text = re.sub(r'\bid="', f'id="{name}-', text)
    text = re.sub(r'href="#', f'href="#{name}-', text)
    text = text.replace("url(#", f"url(#{name}-")
    text = re.sub(r"font-family: [^;\"]+|'DejaVu Sans'[^;\"]*", _fonts, text)
    # A style sheet inside would apply to the whole page.
    text = re.sub(
        r"<defs>\s*<style.*?</style>\s*</defs>", "", text, flags=re.S
    )
    width = float(re.search(r'width="([\d.]+)pt"', text)[1]) * 4 / 3
    text = re.sub(r' (width|height)="[\d.]+pt"', "", text, count=2)
    return text.replace(
        "<svg ",
        f'<svg width="{width:.0f}" style="--width: {width:.0f}px" '
        'stroke-linejoin="round" ',
        1,
    )


def whose(origin):
    """Return the line that says whose numbers follow.

    origin  of Quantities that this run did not measure
    """
    return f"Recorded, not measured in this run: {origin}."


def as_html(chart, name, *, alt="", caption="", file=None):
    """Return a Chart as the HTML of a figure, its data one click away.

    name     tells it from the other figures of its page
    alt      the finding in words and numbers, for those who cannot see
    caption  the finding in one sentence
    file     where to write the picture by itself, as SVG

    By default both are the chart's own finding; where it has none, the
    caption stands for the other.

    What another run measured is said to be so in caption and alt.  Raises
    ValueError without alt or caption.
    """
    alt = alt or chart.finding or caption
    caption = caption or chart.finding
    if not alt.strip() or not caption.strip():
        raise ValueError(f"figure {name!r}: needs alt and caption")
    data = _folded(chart, name)
    if chart.origin:
        caption, alt = (f"{whose(chart.origin)} {t}" for t in (caption, alt))
    picture = svg(chart, name)
    if file:
        files.write(file, picture)
    label = f'role="img" aria-label="{html.escape(alt)}"'
    return (
        f'<figure class="otf-figure"><div class="otf-scroll" tabindex="0" '
        f'role="region" aria-label="Figure {html.escape(name)}">'
        f"{picture.replace('<svg ', f'<svg {label} ', 1)}</div>"
        f"<figcaption>{html.escape(caption)}</figcaption>{data}</figure>"
    )


def _folded(chart, name):
    """Return the data of a chart as HTML, one click away."""
    data = table(chart.head, chart.rows, f"Data of the figure {name}")
    return (
        f'<details class="otf-data"><summary>Data</summary>{data}</details>'
    )


def _fonts(match):
    """Name the page's font family in place of matplotlib's."""
    named = match[0].startswith("font-family")
    return "font-family: sans-serif" if named else "sans-serif"
