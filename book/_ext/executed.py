"""A build by hand (jupyter-book build .) shows the executed chapters.

In git a chapter has no outputs.  In its place the page is made from its copy
in _build/executed; where that is missing, from its headings, and a line that
says what to run.  What scripts/build_book.py staged is executed already.
"""

import json
import os
import pathlib
import re

FOLDER = "notebooks/"
MISSING = """\
```{{admonition}} Not run yet
This page needs a run of its code. `make book` runs all of them and builds the
book; for this one, `scripts/run.py {stem}`, then build again.
```
"""
# A heading, or a label that other pages refer to.
KEPT = re.compile(r"#+ .+|\([\w-]+\)=")


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
    found = []
    for cell in cells:
        if cell["cell_type"] == "markdown":
            lines = "".join(cell["source"]).splitlines()
            kept = "\n\n".join(line for line in lines if KEPT.fullmatch(line))
            found.append({**cell, "source": kept})
    found[0]["source"] += "\n\n" + MISSING.format(stem=stem)
    return found


def setup(app):
    """Register the replacement with Sphinx."""
    app.connect("source-read", replace)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
