"""Where a counter can lie that two threads change.

Each function makes a counter and returns two functions: update(steps, step),
which adds `step` so often, and end(), which returns the sum.
"""

count = 0


def a_global():
    """A global variable."""
    global count
    count = 0

    def update(steps, step):
        global count
        for _ in range(steps):
            count += step

    return update, lambda: count


def an_attribute():
    """An attribute of an object that both threads have."""

    class Box:
        count = 0

    box = Box()

    def update(steps, step):
        for _ in range(steps):
            box.count += step

    return update, lambda: box.count


def an_item():
    """An item of a list that both threads have."""
    items = [0]

    def update(steps, step):
        for _ in range(steps):
            items[0] += step

    return update, lambda: items[0]


def a_closure():
    """A variable of the function around."""
    count = 0

    def update(steps, step):
        nonlocal count
        for _ in range(steps):
            count += step

    return update, lambda: count


def a_local():
    """A local variable: each call of `update` has its own."""
    ends = []

    def update(steps, step):
        count = 0
        for _ in range(steps):
            count += step
        ends.append(count)

    return update, lambda: sum(ends)


PLACES = {
    "global": a_global,
    "attribute": an_attribute,
    "item": an_item,
    "closure": a_closure,
    "local": a_local,
}
