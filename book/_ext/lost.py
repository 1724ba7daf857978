"""Where a page lost cells for want of a library, their numbers are dashes.

The prose names a number with the role glue:text.  One that no cell gave is
an error, unless the page says that something was lost: `onthefly.lost` marks
the line that says so.
"""

import html
import json
import re

from onthefly.lost import DASH

FOLDER = "notebooks/"
NUMBER = re.compile(r"\{glue:text\}`([^`:]+)(:[^`]*)?`")


def replace(app, docname, source):
    """Put dashes in the place of a chapter's lost numbers."""
    if docname.startswith(FOLDER):
        notebook = json.loads(source[0])
        if filled(notebook):
            source[0] = json.dumps(notebook)


def filled(notebook):
    """Put the dashes into a notebook; tell whether it had lost anything."""
    abouts = [
        output.get("metadata", {})
        for cell in notebook["cells"]
        for output in cell.get("outputs", [])
    ]
    names = [about.get("onthefly", {}).get("lost") for about in abouts]
    given = {about.get("scrapbook", {}).get("name") for about in abouts}
    libraries = ", ".join(dict.fromkeys(filter(None, names)))
    dash = DASH.format(html.escape(libraries))

    def number(match):
        return match[0] if match[1] in given else dash

    for cell in notebook["cells"] if libraries else ():
        if cell["cell_type"] == "markdown":
            cell["source"] = NUMBER.sub(number, "".join(cell["source"]))
    return bool(libraries)


def setup(app):
    """Register the replacement with Sphinx, behind that of `executed`."""
    app.connect("source-read", replace, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
