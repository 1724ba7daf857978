"""Repair of roles that docutils writes and screen readers reject.

A bibliography is a list without list items; its entries' role is deprecated.
"""

WRONG = (' role="list" class="citation-list"', ' role="doc-biblioentry"')


def repair(app, pagename, templatename, context, doctree):
    """Drop the wrong roles from a page's body, if it has any."""
    for role in WRONG if "body" in context else ():
        context["body"] = context["body"].replace(role, "")


def setup(app):
    """Register the repair with Sphinx."""
    app.connect("html-page-context", repair)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
