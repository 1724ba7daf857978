"""Pages from the templates of scripts/templates/: jinja2, which escapes."""

import functools
import re

import jinja2

from commandline import ROOT
from onthefly import timings

FOLDER = ROOT / "scripts" / "templates"


@functools.cache
def _environment():
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {"colours": _colours, "table": timings.table}
    return made


def render(name, **values):
    """Return the text that a template makes of some values.

    name    of a file in scripts/templates/
    values  by the names that it uses; text is escaped, unless the template
            says ``|safe``

    Raises jinja2.UndefinedError for a name without a value.
    """
    return _environment().get_template(name).render(values)


def _colours():
    """Return the book's light and its dark colours, as CSS declarations."""
    style = (ROOT / "book/_static/onthefly.css").read_text(encoding="utf-8")
    blocks = re.findall(r"^html.*?{(.*?)^}", style, re.S | re.M)
    return [
        "".join(re.findall(r"--otf-\S+: [^;]+;", block))
        for block in blocks[:2]
    ]
