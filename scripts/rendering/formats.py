"""How the build's pages write times and sizes."""

import datetime


def moment(text):
    """Return an ISO 8601 time as a reader writes it, in UTC."""
    when = datetime.datetime.fromisoformat(text).astimezone(datetime.UTC)
    return f"{when:%Y-%m-%d %H:%M} UTC"


def duration(seconds):
    """Return seconds as ``41 s`` or ``3 min 05 s``."""
    minutes, rest = divmod(round(seconds), 60)
    text = f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
    return text.replace(" ", "\N{NO-BREAK SPACE}")


def size(count):
    """Return bytes as KiB, MiB or GiB."""
    for unit in ("bytes", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.4g} {unit}"
        count /= 1024
    return f"{count:.4g} GiB"
