"""After a question on why a grid of lists cannot be given to Numba."""

import random


def relaxed(rows):
    new = [row[:] for row in rows]
    for i in range(1, len(rows) - 1):
        for j in range(1, len(rows[0]) - 1):
            new[i][j] = (
                rows[i - 1][j]
                + rows[i + 1][j]
                + rows[i][j - 1]
                + rows[i][j + 1]
            ) / 4
    return new


def grid(n):
    draw, side = random.Random(1).random, int(n**0.5)
    return [[draw() for _ in range(side)] for _ in range(side)]
