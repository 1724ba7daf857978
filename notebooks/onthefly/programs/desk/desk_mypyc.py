"""A service desk: desk_next.py, compiled by mypyc without a change."""

from onthefly.programs import compiled


def desk_mypyc(arrivals, services, servers=5, room=20):
    """Return the mean waiting time and the number of customers served."""
    module = compiled.module("mypyc", "desk/desk_next.py")
    return module.desk_next(arrivals, services, servers, room)
