"""Presets: their names and time budgets, and nothing else.

A preset is named by how long a reader waits: ``S`` for a first look, ``M``
for a coffee, ``L`` for results worth keeping, ``talk`` for the sizes and
repeats of the 2018 talks.
"""

NAMES = ("S", "M", "L", "talk")

# Seconds that one call of clock.measure may take, and its rounds at most.  At
# S what is fast ends sooner, so that what is slow gets more than six samples:
# their interval is nearly all that was seen, and settles little.
BUDGET = {"S": 2.75, "M": 12.0, "L": 60.0, "talk": 60.0}
ROUNDS = {"S": 24, "M": 60, "L": 60, "talk": 60}

# Seconds after which the runner ends a chapter.  At S, one that measures on a
# GPU takes two to three minutes: most of it compiles, or starts processes.
LIMIT = {"S": 360, "M": 900, "L": 3600, "talk": 3600}


def check(preset):
    """Return `preset`, or raise ValueError with the names that exist."""
    if preset not in NAMES:
        raise ValueError(
            f"preset {preset!r}: choose one of {', '.join(NAMES)}"
        )
    return preset


def nearest(preset, choices):
    """Return the choice for a preset, or for the nearest that has one.

    choices  {preset: value}, some at least

    A preset without one takes that of the next smaller preset that has one;
    where none is smaller, the smallest.
    """
    place = NAMES.index(preset)
    upwards = [name for name in NAMES if name in choices]
    smaller = [name for name in upwards if NAMES.index(name) <= place]
    return choices[smaller[-1] if smaller else upwards[0]]
