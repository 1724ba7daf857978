"""A service desk: desk_classes.py, compiled by mypyc to functions in C."""

from onthefly.programs import compiled


def desk_native(arrivals, services, servers=5, room=20):
    """Return the mean waiting time and the number of customers served."""
    module = compiled.module("mypyc", "desk/desk_classes.py")
    return module.desk_classes(arrivals, services, servers, room)
