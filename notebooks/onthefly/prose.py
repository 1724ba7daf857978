"""Numbers in the prose: {eval}`expression`, and what a run stored of it."""

import re

# A backtick before it opens code, or ends another role, right behind a word.
CODE = r"(?<!\\)(?<!``)(?<!\s`)(?<!^`)"
ROLE = re.compile(CODE + r"\{eval\}(`+)(.+?)\1", re.DOTALL)
STORED = "user_expressions"  # jupyterlab-myst's name


def expressions(source):
    """Return the expressions of a Markdown text, each once, in its order."""
    texts = (match[2].replace("\n", " ") for match in ROLE.finditer(source))
    return list(dict.fromkeys(texts))


def stored(cell):
    """Return {expression: its result} of a cell, in Jupyter's form."""
    kept = cell["metadata"].get(STORED, [])
    return {each["expression"]: each["result"] for each in kept}
