"""The sizes at which the eight problems are measured, by preset."""

_SMALL = [10, 50, 200, 1000, 5000, 20_000, 100_000]

# A preset without sizes of its own takes those of `presets.nearest`.
SIZES = {"S": _SMALL, "M": [*_SMALL, 500_000, 2 * 10**6, 10**7]}
