"""A build by hand (jupyter-book build .) shows what the project made.

In git a chapter has no outputs, and some pages of book/ are templates.  In
the place of a chapter comes its copy in _build/executed, in that of a
template the page that scripts/build_book.py made of it; where that is
missing, the headings, and one line that says what to run.  What
scripts/build_book.py staged is all made already.
"""

import json
import os
import pathlib
import re

from markdown_it import MarkdownIt
from mdit_py_plugins.front_matter import front_matter_plugin
from mdit_py_plugins.myst_blocks import myst_block_plugin

CHAPTERS = "notebooks/"
TEMPLATE = re.compile(r"\{[{%#]")  # jinja2's marks
MISSING = """\
```{{note}}
This page has not been {done}: {repair}.
```

"""
RUN = "`scripts/run.py {topic}` runs it, `make book` all"
KEPT = {"heading_open", "myst_target"}  # other pages refer to these labels
PARSER = (
    MarkdownIt("commonmark").use(myst_block_plugin).use(front_matter_plugin)
)


def replace(app, docname, source):
    """Put what is to be shown in the place of a page's source."""
    build = os.environ.get("ONTHEFLY_BUILD") or f"{app.srcdir}/_build"
    if not docname.startswith(CHAPTERS):
        if TEMPLATE.search(source[0]):
            made = pathlib.Path(build, "stage", f"{docname}.md")
            source[0] = _text(app, made) or _unfilled(source[0])
        return
    notebook = json.loads(source[0])
    if "papermill" in notebook["metadata"]:
        return
    name = docname.removeprefix(CHAPTERS)
    executed = pathlib.Path(build, "executed", f"{name}.ipynb")
    source[0] = _text(app, executed) or _unexecuted(notebook, executed.stem)


def _text(app, path):
    """Return the text of a file that is made, "" where it is not there."""
    app.env.note_dependency(str(path))
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _unfilled(text):
    """Return a template's headings, and what fills it below the first."""
    note = MISSING.format(done="made", repair="`make book` makes it")
    first, *others = _headings(text)
    return "".join([first, note, *others])


def _unexecuted(notebook, topic):
    """Return a notebook of the headings, and what to run below the first."""
    found = [
        {**cell, "source": "".join(_headings("".join(cell["source"])))}
        for cell in notebook["cells"]
        if cell["cell_type"] == "markdown"
    ]
    repair = RUN.format(topic=topic)
    found[0]["source"] += MISSING.format(done="run", repair=repair)
    return json.dumps({**notebook, "cells": found})


def _headings(text):
    """Return the headings of a Markdown text, each with its labels.

    A label counts once: a template may have it in each of two branches.
    """
    lines, labels, found = text.splitlines(), set(), [""]
    for token in PARSER.parse(text):
        if token.type not in KEPT:
            continue
        part = "\n".join(lines[slice(*token.map)])
        if part in labels or TEMPLATE.search(part):
            continue
        found[-1] += f"{part}\n\n"
        if token.type == "heading_open":
            found.append("")
        else:
            labels.add(part)
    return found


def setup(app):
    """Register the replacement with Sphinx."""
    app.connect("source-read", replace)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
