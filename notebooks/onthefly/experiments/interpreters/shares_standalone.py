"""What two interpreters of one process can share, and what loads in both.

Stand-alone: runs under any Python from 3.13, with nothing installed.
"""

import sys

VALUES = {
    "None": None,
    "a whole number": 12,
    "a float": 0.5,
    "a text": "text",
    "bytes": b"bytes",
    "a tuple of these": (12, "text"),
    "a memoryview": memoryview(b"bytes"),
    "a list": [12],
    "a dict": {"k": 12},
    "a function": sorted,
    "an object of a class": ValueError(),
}


def shareable():
    """Return {what: whether it goes to another interpreter as it is}."""
    if sys.version_info >= (3, 14):
        from concurrent.interpreters import is_shareable
    else:
        from _interpreters import is_shareable
    return {name: is_shareable(value) for name, value in VALUES.items()}
