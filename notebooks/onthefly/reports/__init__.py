"""Reports of commands: one HTML page each, that needs no other file."""

import functools
import re

import jinja2
import markupsafe

from onthefly.folders import PACKAGE
from onthefly.measure import timings

FOLDER = PACKAGE / "reports"


def environment(*folders):
    """Return jinja2's environment of templates: those of reports, too.

    folders  that are looked in first; in HTML, text is escaped
    """
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader([*folders, FOLDER]),
        autoescape=jinja2.select_autoescape(["html"]),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["code"] = _code
    made.globals |= {"colours": _colours, "table": timings.table}
    return made


_reports = functools.cache(environment)


def render(template, **values):
    """Return the page that a report's template makes of some values.

    template  a file of this folder
    values    by the names that it uses

    Raises jinja2.UndefinedError for a name without a value.
    """
    return _reports().get_template(template).render(values)


def _code(text):
    """Return text as HTML, what stands between `backticks` as code."""
    escaped = str(markupsafe.escape(text))
    return markupsafe.Markup(
        re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped)
    )


def _colours():
    """Return the book's light and its dark colours, as CSS declarations."""
    style = (FOLDER / "colours.css").read_text(encoding="utf-8")
    blocks = re.findall(r"^html.*?{(.*?)^}", style, re.S | re.M)
    return ["".join(re.findall(r"--otf-\S+: [^;]+;", b)) for b in blocks]
