"""What became of the probes: tables, and the share that Numba compiles.

A group's outcomes are {probe: outcome}, as `probing.outcomes` returns them.
"""

from onthefly.measure.quantity import Quantity

SAME = "same"
UNASKED = {"crash", "not in this Python", "not installed"}


def refused(outcomes):
    """Return the outcomes that are not the same as Python's."""
    return {name: text for name, text in outcomes.items() if text != SAME}


def rows(outcomes):
    """Return a group's outcomes as rows of a table: what compiles, first."""
    fine = " · ".join(name for name in outcomes if outcomes[name] == SAME)
    table = [{"": "compiles", "probe": fine, "says": "the same as Python"}]
    for name, text in refused(outcomes).items():
        kind, _, says = text.partition(": ")
        table.append({"": kind, "probe": name, "says": says})
    return table


def share(outcomes):
    """Return the share of a group's probes that are the same as Python."""
    return Quantity.share(
        len(outcomes) - len(refused(outcomes)), len(outcomes)
    )


def why(outcomes):
    """Return which of a group's probes are not, and why, as text."""
    reasons = [f"{name} ({text})" for name, text in refused(outcomes).items()]
    return f"not the same as Python: {', '.join(reasons) or 'none'}"


def as_said(outcomes, excluded):
    """Return {probe: whether it does as said}: all but the excluded compile.

    excluded  names of the probes that are said to be refused

    What could not be asked is left out.
    """
    return {
        name: (text == SAME) != (name in excluded)
        for name, text in outcomes.items()
        if text not in UNASKED
    }


def changed(then, now):
    """Return rows on the probes whose outcome is another one today.

    then, now  {group: {probe: outcome}}
    """
    return [
        {"probe": name, "in 2018": was, "today": now[group][name]}
        for group, outcomes in then.items()
        for name, was in outcomes.items()
        if _kind(was) != _kind(now[group][name])
    ]


def _kind(text):
    """Return an outcome without the words of an error."""
    return text.partition(":")[0]
