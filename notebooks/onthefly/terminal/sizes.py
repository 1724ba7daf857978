"""Sizes and counts, as options name them: 1000, 1e3, 1e2:1e6, 10,100."""

import math

from onthefly.errors import UserError


def whole(text, option):
    """Return a count written as 1000, 1e3 or 1_000; at least 1.

    Raises UserError, which names the option.
    """
    try:
        number = float(text)
        count = int(number)
    except (ValueError, OverflowError):
        count = number = None
    if count is None or count != number:
        raise UserError(
            f"{option}: {text.strip()!r} is not a whole number; "
            "write 1000 or 1e3"
        )
    if count < 1:
        raise UserError(
            f"{option}: {text.strip()} is below 1; give 1 or more"
        )
    return count


def ends(text, option):
    """Return (low, high) of ``low:high``; raises UserError."""
    parts = text.split(":")
    if len(parts) != 2:
        raise UserError(f"{option} {text}: write smallest:largest")
    low, high = (whole(part, option) for part in parts)
    if low >= high:
        raise UserError(
            f"{option} {text}: {low} is not below {high}; "
            f"write {parts[1]}:{parts[0]} or a list"
        )
    return low, high


def sizes_of(text, option="--sizes"):
    """Return the sizes that an option asks for, ascending; raises UserError.

    Two with a colon stand for steps of half a decade, of whole ones beyond
    four decades.
    """
    if ":" not in text:
        return sorted({whole(part, option) for part in text.split(",")})
    low, high = ends(text, option)
    decades = math.log10(high / low)
    steps = max(4, round(decades if decades > 4 else 2 * decades))
    exact = [low * (high / low) ** (k / steps) for k in range(steps + 1)]
    return sorted({round(n) for n in exact})
