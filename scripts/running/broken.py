"""Libraries that are here and do not work: found when a page fails, and from
then on left out, as one that is missing.
"""

import threading

from onthefly.environment import ready, trials
from onthefly.measure import libraries
from onthefly.measure.libraries import LIBRARIES
from onthefly.page.missing import TAG
from reading import notebooks

_tried = {}
_one_at_a_time = threading.Lock()


def tell(job):
    """Try the libraries of a page that failed; hide those that do not work.

    Returns a line on each that is hidden now.
    """
    lines = []
    with _one_at_a_time:
        for key in sorted(_needed(job)):
            library = LIBRARIES[key]
            if key not in _tried:
                _tried[key] = ready.try_alone(key)
            state, detail = _tried[key]
            if state == ready.FAIL:
                libraries.hide(library)
                lines.append(f"{library.name} does not work here: {detail}")
    return lines


def _needed(job):
    """Return the keys of the libraries that cells of a page need."""
    tags = {tag for cell in job.cells for tag in notebooks.tags(cell)}
    keys = {tag.removeprefix(TAG) for tag in tags if tag.startswith(TAG)}
    return keys & LIBRARIES.keys() & trials.TRIALS.keys()
