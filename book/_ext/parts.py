"""The pages that open the parts, where the book is built by hand.

`make book` writes them with what was measured.  ``jupyter-book build .`` has
none: here they get a title, a sentence and their pages, so that all pages
stand in the menu.
"""

from pathlib import Path

import yaml

PAGE = """\
(book-parts-{name})=
# {title}

After this part you can {after}.

{rows}
"""


def page(name, about):
    """Return the page of a part as Markdown.

    name   its folder
    about  it, as book/parts.yml has it
    """
    rows = "\n\n".join(
        f"{{doc}}`/{document}`\n: {line}"
        for document, line in about["pages"].items()
    )
    return PAGE.format(name=name, rows=rows, **about)


def write(app, config):
    """Write the pages that are not there, before the contents are read."""
    book = Path(app.srcdir, "book")
    listed = book / "parts.yml"
    if not listed.exists():  # as where make builds, which has the pages
        return
    parts = yaml.safe_load(listed.read_text("utf-8"))
    for name, about in parts.items():
        path = book / "parts" / f"{name}.md"
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            path.write_text(page(name, about), "utf-8")


def setup(app):
    """Register it with Sphinx, before the table of contents is read."""
    app.connect("config-inited", write, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
