"""What a source printed, beside what the same code prints today.

The ledger holds the text printed then.  A printed tensor is compared by its
parts: each number, each type, each shape.
"""

import re

from onthefly import claims
from onthefly.quantity import Quantity

_TYPE = re.compile(r"dtype=(?:tf\.)?(\w+)")
_SHAPE = re.compile(r"shape=\(([\d, ]*)\)")
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
    rest = _SHAPE.sub("", _TYPE.sub("", text))
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


def verdict(held, today):
    """Return the share of parts that hold, and a sentence, for `judge`.

    held   {part: whether it is so today}
    today  the text printed today
    """
    wrong = [part for part, holds in held.items() if not holds]
    said = f"not so: {', '.join(wrong)}" if wrong else "all the same"
    return (
        Quantity.share(sum(held.values()), len(held)),
        f"parts of what was printed: {said}; printed today: {today}",
    )
