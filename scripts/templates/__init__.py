"""Pages and reports from templates: jinja2.

HTML lies in scripts/templates/ and is escaped; a page of the book that is
filled from data is a template itself: book/NAME.md, with values in Markdown.
"""

import functools
import re

import jinja2

from commandline import ROOT
from onthefly import timings

FOLDER = ROOT / "scripts" / "templates"


@functools.cache
def _environment(root):
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader([FOLDER, root, ROOT]),
        autoescape=jinja2.select_autoescape(["html"]),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["plain"] = plain
    made.globals |= {"colours": _colours, "table": timings.table}
    return made


def render(name, root=ROOT, **values):
    """Return the text that a template makes of some values.

    name    of a file in scripts/templates/, or book/NAME.md
    root    folder of book/; what it lacks is this checkout's
    values  by the names that it uses; in HTML text is escaped, unless the
            template says ``|safe``

    Raises jinja2.UndefinedError for a name without a value.
    """
    return _environment(root).get_template(name).render(values)


def plain(text):
    """Return text as Markdown that shows it as it stands."""
    return re.sub(r"([\\`*_{}\[\]<>$|])", r"\\\1", text)


def _colours():
    """Return the book's light and its dark colours, as CSS declarations."""
    style = (ROOT / "book/_static/onthefly.css").read_text(encoding="utf-8")
    blocks = re.findall(r"^html.*?{(.*?)^}", style, re.S | re.M)
    return [
        "".join(re.findall(r"--otf-\S+: [^;]+;", block))
        for block in blocks[:2]
    ]
