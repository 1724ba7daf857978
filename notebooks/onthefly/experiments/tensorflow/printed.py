"""What a source printed, beside what the same code prints today.

The ledger holds the text printed then.  A printed tensor is compared by its
parts: each number, each type, each shape.
"""

import re

from onthefly.page import claims

_TYPE = re.compile(r"dtype=(?:tf\.)?(\w+)")
_SHAPE = re.compile(r"shape=\(([\d, ]*)\)")
_ID = re.compile(r"\bid=\d+, ")  # TensorFlow 1.5 counts its tensors
_NUMBER = re.compile(r"-?\d+\.?\d*(?:e[-+]?\d+)?|nan|inf")


def then(claim_id):
    """Return the text that a claim's source printed, from the ledger."""
    return claims.load().claims[claim_id].published


def parts(text):
    """Return what printed tensors say, as {kind: list of texts}.

    text  printed tensors, of today or of 2017; brackets that are missing or
          too many do not matter
    """
    types = [part.lower() for part in _TYPE.findall(text)]
    shapes = [part.replace(" ", "") for part in _SHAPE.findall(text)]
    rest = _SHAPE.sub("", _TYPE.sub("", _ID.sub("", text)))
    rest = re.sub(r"(?:tf\.)?Tensor|numpy=|array", " ", rest)
    values = [repr(float(part)) for part in _NUMBER.findall(rest)]
    return {"value": values, "type": types, "shape": shapes}


def compared(old, new):
    """Return {part of what was printed then: whether it is so today}.

    old  the text printed then; only its parts are asked for
    new  the text printed today, with the parts in the same order
    """
    before, today = parts(old), parts(new)
    return {
        f"{kind} {part}" if len(texts) == 1 else f"{kind} {k + 1}: {part}": (
            today[kind][k : k + 1] == [part]
        )
        for kind, texts in before.items()
        for k, part in enumerate(texts)
    }


def error_parts(text):
    """Return the kind, the sentence and the operation of a printed error.

    text  as "InvalidArgumentError: indices = 7 … [Op:Gather]"
    """
    kind, _, rest = text.partition(": ")
    sentence, mark, name = rest.partition(" [Op:")
    return kind, sentence, mark.strip() + name


def letters(old, new):
    """Return {line of what was printed then: whether it is so, letter by
    letter}; arguments as of `compared`, lines between semicolons.
    """
    before, today = old.split("; "), new.split("; ")
    return {line: today[k : k + 1] == [line] for k, line in enumerate(before)}


def error_held(old, new, at_line):
    """Return {part of an error that was printed then: whether it is so}.

    old, new  the text printed then, and another one
    at_line   whether the line that is wrong has raised the other one
    """
    kind, sentence, name = error_parts(old)
    return {
        "raised by the line": at_line,
        kind: new.startswith(f"{kind}: "),
        sentence: sentence in new,
        name: name in new,
    }


def rows(slide, by):
    """Return a table's rows: a line of a slide, and who prints it so.

    slide  lines
    by     {who: lines that they print}

    The last column names who prints it letter by letter.
    """
    said = {
        who: [*lines[: len(slide)], *[""] * (len(slide) - len(lines))]
        for who, lines in by.items()
    }
    return [
        {"on the slide": line}
        | {who: lines[k] for who, lines in said.items()}
        | {
            "to the letter": ", ".join(
                who for who, lines in said.items() if lines[k] == line
            )
            or "nobody"
        }
        for k, line in enumerate(slide)
    ]
