"""A device that has run warm: its clock stands.

An idle device saves power at a low clock.  Work brings it to the clock that
it then keeps, and that takes a while: what is measured first would be slow.
"""

import contextlib
import time

from onthefly.measure import libraries, nvml

LEAST, MOST = 0.5, 3.0  # seconds of work
BLIND = 1.5  # seconds, where the device does not tell its clock
READINGS = 5  # in a row that say the same
SAME = 0.02  # how far apart the lowest and the highest may be


def sm_clock():
    """Return the MHz of the multiprocessors of the device that is measured.

    None where there is no device, or it does not tell.
    """
    missing = contextlib.suppress(libraries.Missing, IndexError)
    with missing, nvml.devices() as handles:
        return nvml.state(handles[0])["sm"]
    return None


def warm_up(clock=sm_clock, timer=time.perf_counter):
    """Keep the device busy until its clock stands; return the seconds.

    clock  returns its MHz now, or None
    timer  in seconds

    The first loaded library that sees a device gives it the work.  Without
    one nothing is done, and 0 returned.
    """
    devices = libraries.on_device()
    if not devices:
        return 0.0
    busy, wait = devices[0]
    start, readings = timer(), []
    while True:
        busy()
        readings.append(clock())  # while there is work
        wait()
        taken = timer() - start
        if taken >= _enough(readings[-READINGS:]):
            return taken


def _enough(readings):
    """Return how many seconds of work are enough after such readings."""
    if None in readings:
        return BLIND
    spread = max(readings) - min(readings)
    stands = len(readings) == READINGS and spread <= SAME * max(readings)
    return LEAST if stands else MOST
