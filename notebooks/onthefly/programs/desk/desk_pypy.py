"""A service desk: desk_next.py under PyPy, without a change."""

from onthefly.programs import pypy
from onthefly.programs.desk import desk_pypy_child


def desk_pypy(arrivals, services):
    """Return the mean waiting time and the number of customers served.

    PyPy runs in a process of its own, which is sent the arrays once.
    """
    program = pypy.program(desk_pypy_child.__name__)
    key = id(arrivals), id(services), len(arrivals)
    if not program.ask("has", key):
        program.ask("keep", key, arrivals, services)
    return program.ask("run")
