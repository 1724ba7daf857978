"""Repair of markup that screen readers reject.

A bibliography is a list without list items; its entries' role is deprecated.
The sidebar's buttons, which unfold a part, have no name.
"""

import functools

WRONG = (' role="list" class="citation-list"', ' role="doc-biblioentry"')


def repair(app, pagename, templatename, context, doctree):
    """Drop the wrong roles from a page's body, if it has any."""
    for role in WRONG if "body" in context else ():
        context["body"] = context["body"].replace(role, "")
    if tree := context.get("generate_toctree_html"):
        context["generate_toctree_html"] = functools.partial(_named, tree)


def _named(tree, *arguments, **options):
    """Return what the theme's function does, with names for its buttons."""
    made = tree(*arguments, **options)
    for button in (
        made.find_all("summary") if hasattr(made, "find_all") else ()
    ):
        button["aria-label"] = "pages of this part"
    return made


def setup(app):
    """Register the repair with Sphinx."""
    app.connect("html-page-context", repair, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
