"""A service desk, simulated event by event.

Customers arrive and queue for a few servers; one who finds the queue full
leaves.  Each version takes the times at which the customers arrive and the
seconds of service that each needs, two arrays of the module `array`, and
returns (mean waiting time, number of customers served), the same to the last
bit.
"""

from array import array

SERVERS = 5
ROOM = 20  # customers who may wait at a time
LOAD = 0.95  # of the servers, if nobody left
SERVICE = 180.0  # seconds that a customer takes, on average


def data(customers, seed=2018):
    """Return (arrivals, services): seconds, for so many customers."""
    import numpy as np  # here: PyPy may have none

    draw = np.random.default_rng(seed)
    gap = SERVICE / SERVERS / LOAD
    arrivals = draw.exponential(gap, customers).cumsum()
    services = draw.exponential(SERVICE, customers)
    return array("d", arrivals.tobytes()), array("d", services.tobytes())
