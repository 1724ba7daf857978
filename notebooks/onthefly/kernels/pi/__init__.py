"""π from points thrown at a square: random numbers above all."""


def data(n, seed=0):
    """Return the arguments of each way: n shots.  The streams are theirs."""
    return (n,)
