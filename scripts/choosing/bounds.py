"""What may be asked for: the largest numbers, for terminal and page alike."""

MOST = {"size": 10**15, "calls": 10**15, "cores": 4096}


def wanted(name):
    """Return what the number of a name has to be, as a phrase."""
    return f"a whole number from 1 to {MOST[name]:g}, as 1000 or 1e3"
