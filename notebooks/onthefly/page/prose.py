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


def is_condition(expression):
    """Tell whether an expression is a condition that stands in the prose."""
    return expression.startswith("holds(")


def sentences(texts):
    """Return {expression: the sentence that it stands behind}.

    texts  of Markdown cells; in a sentence, gaps stand for other values
    """
    return {
        match[2].replace("\n", " "): _sentence(text[: match.start()])
        for text in texts
        for match in ROLE.finditer(text)
    }


def _sentence(before):
    """Return the last sentence of a text, without marks and values."""
    paragraph = re.split(r"\n\s*\n|\n\s*(?:[-*]|\d+\.)\s", before)[-1]
    plain = re.sub(r"(\{eval\}`[^`]*`)+$", "", paragraph.rstrip())
    plain = re.sub(r"(?<=[^\s(])\{eval\}`holds\([^`]*`", "", plain)
    plain = ROLE.sub("…", re.sub(r"(?<=[.!?:;])\{eval\}`[^`]*`", "", plain))
    plain = re.sub(r"\{[\w:]+\}`([^`<]*?)(?:\s*<[^`]*>)?`", r"\1", plain)
    last = re.split(r"(?<=[.!?])[*_]*\s+(?=[A-Z*`…(])", plain.strip())[-1]
    return " ".join(re.sub(r"[*_`#]+", "", last).split()).rstrip(".")
