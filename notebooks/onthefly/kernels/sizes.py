"""At which sizes, and for how long, the eight problems are measured.

Each by preset; one without an entry of its own takes that of the nearest (see
`presets.nearest`).
"""

_SMALL = [10, 50, 200, 1000, 5000, 20_000, 100_000]
SIZES = {"S": _SMALL, "M": [*_SMALL, 400_000, 1_500_000, 4_000_000, 10**7]}

# Seconds of a call behind which a variant stops: longer ones leave few
# rounds.
LIMIT = {"S": 0.004, "M": 0.06}

# Of the preset's time for one measurement: a problem has a hundred series.
SHARE = {"S": 1.5, "M": 4.0}
