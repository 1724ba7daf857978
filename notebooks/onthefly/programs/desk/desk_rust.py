"""A service desk: objects in Rust, which Python calls by PyO3."""

from onthefly.programs import rust


def desk_rust(arrivals, services, servers=5, room=20):
    """Return the mean waiting time and the number of customers served."""
    module = rust.module("desk_rust", "desk/crate")
    return module.simulate(arrivals, services, servers, room)
