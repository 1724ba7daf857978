"""Exercises as sphinx-exercise makes them, but for two things.

They are counted from one on each page, as JupyterLab counts them.  And their
contents have no id: it would be the same for all exercises of a page.
"""

IDS = (' id="exercise-content"', ' id="solution-content"')


def count(app, env):
    """Number the exercises of each page, once Sphinx has numbered all."""
    for numbers in env.toc_fignumbers.values():
        found = numbers.get("exercise", {})
        for number, name in enumerate(sorted(found, key=found.get), 1):
            found[name] = (number,)
    return []  # pages to write again: all are written in any case


def repair(app, pagename, templatename, context, doctree):
    """Drop the ids from a page's body, if it has any."""
    for text in IDS if "body" in context else ():
        context["body"] = context["body"].replace(text, "")


def setup(app):
    """Register both with Sphinx, the first behind Sphinx's own numbers."""
    app.setup_extension("sphinx_exercise")
    app.connect("env-get-updated", count, priority=900)
    app.connect("html-page-context", repair)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
