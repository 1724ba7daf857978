"""Steps to 1 from each number of a list, by the interpreter's loops."""


def collatz_python(starts):
    """Return the list of steps, one for each of a list of whole numbers.

    starts  at least 1 each
    """
    counts = []
    for x in starts:
        steps = 0
        while x != 1:
            x = x // 2 if x % 2 == 0 else 3 * x + 1
            steps += 1
        counts.append(steps)
    return counts
