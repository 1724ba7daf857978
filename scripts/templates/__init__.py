"""Pages and reports from templates: jinja2.

HTML lies in scripts/templates/ and is escaped; a page of the book that is
filled from data is a template itself: book/NAME.md, with values in Markdown.
"""

import functools
import re

from markupsafe import Markup, escape

from commandline import ROOT
from onthefly import reports

FOLDER = ROOT / "scripts" / "templates"


@functools.cache
def _environment(root):
    made = reports.environment(FOLDER, root, ROOT)
    made.filters["plain"] = plain
    made.filters["coded"] = coded
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


def coded(text):
    """Return text as HTML, with what stands in backticks as code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def plain(text):
    """Return text as Markdown that shows it as it stands."""
    return re.sub(r"([\\`*_{}\[\]<>$|])", r"\\\1", text)
