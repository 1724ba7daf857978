"""A build by hand (jupyter-book build .) shows the executed chapters.

In git a chapter has no outputs.  In its place the page is made from its copy
in _build/executed; where that is missing, from its headings, and one line
that says what to run.  What scripts/build_book.py staged is executed already.
"""

import json
import os
import pathlib

from markdown_it import MarkdownIt
from mdit_py_plugins.myst_blocks import myst_block_plugin

FOLDER = "notebooks/"
MISSING = """\
```{{note}}
This page has not been run: `scripts/run.py {stem}` runs it, `make book` all.
```
"""
KEPT = {"heading_open", "myst_target"}  # other pages refer to these labels
PARSER = MarkdownIt("commonmark").use(myst_block_plugin)


def replace(app, docname, source):
    """Put what is to be shown in the place of a chapter's source."""
    if not docname.startswith(FOLDER):
        return
    notebook = json.loads(source[0])
    if "papermill" in notebook["metadata"]:
        return
    build = os.environ.get("ONTHEFLY_BUILD") or f"{app.srcdir}/_build"
    stem = docname.removeprefix(FOLDER)
    executed = pathlib.Path(build, "executed", f"{stem}.ipynb")
    app.env.note_dependency(str(executed))
    if executed.exists():
        source[0] = executed.read_text(encoding="utf-8")
    else:
        notebook["cells"] = _outline(notebook["cells"], stem)
        source[0] = json.dumps(notebook)


def _outline(cells, stem):
    """Return a notebook's headings, and what to run below the first."""
    found = [
        {**cell, "source": _headings("".join(cell["source"]))}
        for cell in cells
        if cell["cell_type"] == "markdown"
    ]
    found[0]["source"] += MISSING.format(stem=stem)
    return found


def _headings(text):
    """Return the headings and labels of a Markdown text."""
    lines = text.splitlines()
    kept = [t.map for t in PARSER.parse(text) if t.type in KEPT]
    return "".join("\n".join(lines[a:b]) + "\n\n" for a, b in kept)


def setup(app):
    """Register the replacement with Sphinx."""
    app.connect("source-read", replace)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
