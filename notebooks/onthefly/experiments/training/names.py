"""The names of then: where they are today, and what has taken their place."""

from onthefly.tools.quiet_tensorflow import tf

PLACES = "tf", "tf.compat.v1"


def resolved(name):
    """Return the object of a name as "tf.train.Saver", or the error."""
    value = tf
    try:
        for part in name.split(".")[1:]:
            value = getattr(value, part)
    except (AttributeError, ImportError) as error:
        return error
    return value


def place(name):
    """Say where a name of then is today: "tf", "tf.compat.v1" or "gone"."""
    for prefix in PLACES:
        if not isinstance(resolved(f"{prefix}.{name}"), Exception):
            return prefix
    return "gone"


def rows(successors):
    """Return the rows of a table of names.

    successors  {name of then, without "tf.": name of today, or words}

    Raises ValueError for a successor with "tf." that is not there.
    """
    for now in successors.values():
        if now.startswith("tf.") and isinstance(resolved(now), Exception):
            raise ValueError(f"{now} is not there: {resolved(now)}")
    return [
        {"printed": f"tf.{then}", "today": place(then), "successor": now}
        for then, now in successors.items()
    ]
