"""Sphinx writes pages side by side once it has read them one by one.

Not every extension of this book says that reading side by side is safe.
"""

import os


def several(app, env):
    """Let as many processes write as there are cores for this one."""
    app.parallel = len(os.sched_getaffinity(0))


def setup(app):
    """Register the change with Sphinx."""
    app.connect("env-updated", several)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
