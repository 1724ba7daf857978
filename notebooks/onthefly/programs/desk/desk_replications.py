"""Many simulations of a desk, each with customers of its own."""

from onthefly.programs import desk
from onthefly.programs.desk.desk_tuples import desk_tuples


def day(customers, seed, simulate):
    """Return the mean waiting time of one simulation."""
    mean, _ = simulate(*desk.data(customers, seed))
    return mean


def in_turn(runs, customers, simulate=desk_tuples):
    """Return the mean waiting time of each simulation."""
    return [day(customers, seed, simulate) for seed in range(runs)]


def in_processes(runs, customers, simulate=desk_tuples):
    """Return the same; joblib shares the simulations among processes."""
    from joblib import Parallel, delayed

    one = delayed(day)
    return Parallel(n_jobs=-1)(
        one(customers, seed, simulate) for seed in range(runs)
    )


def in_threads(runs, customers, simulate):
    """Return the same; by threads, for what lets go of the GIL."""
    from joblib import Parallel, delayed

    one = delayed(day)
    return Parallel(n_jobs=-1, prefer="threads")(
        one(customers, seed, simulate) for seed in range(runs)
    )
