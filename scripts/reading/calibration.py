"""What is known of a comparison's errors: the record, its terms, the aims.

`pytest -m calibration tests/calibration` measures them anew, and writes the
record; the book makes a page of it.
"""

from commandline import ROOT

RECORD = ROOT / "book" / "regression.json"
# What each step of the judgement lets through, the last one being a call
# that ends the command with exit code 1 where it is a slow-down.
ALONE = "each series by itself"
TOGETHER = "all series together"
BEYOND = "and beyond the A/A noise"
MATTERS = "and by more than matters"
STAGES = (ALONE, TOGETHER, BEYOND, MATTERS)
FALSE, FOUND = 0.01, 0.9  # the aims: at most, at least


def few(called, of):
    """Tell whether so many false alarms keep the aim."""
    return called <= FALSE * of


def most(detected, trials):
    """Tell whether the slow-down was detected often enough."""
    return detected >= FOUND * trials


def times_found(trials):
    """Return in how many trials a slow-down was detected."""
    return sum(trial["called"] > 0 for trial in trials)
