"""The eight problems for mypyc: Python's loops over lists, with hints.

Each takes what `<problem>_python` takes, and returns the same.  Without mypyc
this is a module like any other; with it the hints are what the machine's own
numbers and the lists' own functions are taken by.
"""

import random

from mypy_extensions import i64


def pi_mypyc(shots: int, rng: random.Random | None = None) -> float:
    """Return π estimated from `shots` points."""
    if shots < 1:
        raise ValueError(f"shots must be at least 1, not {shots}")
    draw = rng.random if rng else random.random
    hits = 0
    for _ in range(shots):
        x = draw()
        y = draw()
        if x * x + y * y <= 1.0:
            hits += 1
    return 4.0 * hits / shots


def polynomial_mypyc(x: list[float]) -> list[float]:
    """Return the list of the cubic's values."""
    y: list[float] = []
    for v in x:
        y.append(((2.0 * v + 3.0) * v - 5.0) * v + 7.0)
    return y


def dot_mypyc(x: list[float], y: list[float]) -> float:
    """Return the sum of products."""
    total = 0.0
    for k in range(len(x)):
        total += x[k] * y[k]
    return total


def filter_mypyc(x: list[float]) -> list[float]:
    """Return the list of filtered numbers."""
    y: list[float] = []
    last = 0.0
    for v in x:
        last = 0.9 * last + 0.1 * v
        y.append(last)
    return y


def stencil_mypyc(grid: list[list[float]]) -> list[list[float]]:
    """Return the grid after ten sweeps."""
    before = [row[:] for row in grid]
    after = [row[:] for row in grid]
    for _ in range(10):
        for i in range(1, len(grid) - 1):
            above, row, below = before[i - 1], before[i], before[i + 1]
            new = after[i]
            for j in range(1, len(row) - 1):
                new[j] = 0.25 * (
                    above[j] + below[j] + row[j - 1] + row[j + 1]
                )
        before, after = after, before
    return before


def histogram_mypyc(values: list[int], bins: int) -> list[int]:
    """Return the counts, one for each bin."""
    counts = [0] * bins
    for value in values:
        counts[value] += 1
    return counts


def collatz_mypyc(starts: list[int]) -> list[int]:
    """Return the steps from each start to 1."""
    counts: list[int] = []
    for start in starts:
        x: i64 = start
        steps: i64 = 0
        while x != 1:
            x = x // 2 if x % 2 == 0 else 3 * x + 1
            steps += 1
        counts.append(steps)
    return counts


def words_mypyc(text: str) -> dict[str, int]:
    """Return {word: count} of a text."""
    counts: dict[str, int] = {}
    for word in text.split():
        counts[word] = counts.get(word, 0) + 1
    return counts
