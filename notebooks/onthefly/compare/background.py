"""Background load: runs in which something else took the core.

A neighbour slows all that a process measures in that minute.  So a run is
disturbed in a group of series, which are measured in turns, where most of
them are slower than in the quiet runs of the same side.  A change that slows
all runs of a side sets none of them aside.
"""

import collections
import math

import numpy as np

LIMIT = 0.05  # slower by more is disturbed
QUIET = 0.25  # so many of a side's runs are quiet, at least
TOGETHER = 3  # fewer series of a group tell nothing: all of the page do
RUNS = 4  # fewer of a side have no quiet ones to be known by


def disturbed(numbers):
    """Return which runs of one side were disturbed, an array of bools.

    numbers  (series, runs), in seconds
    """
    logs = np.log(numbers)
    none = np.zeros(logs.shape[1], bool)
    if len(logs) < TOGETHER or len(none) < RUNS:
        return none
    usual = np.median(logs, axis=1, keepdims=True)
    together = np.median(logs - usual, axis=0)  # of all series, a run
    quiet = np.quantile(together, QUIET)
    slower = together > quiet + math.log1p(LIMIT)
    return slower if np.count_nonzero(~slower) > 1 else none


def undisturbed(places, pairs):
    """Return the pairs without the runs that were disturbed.

    places  [(page, group)] of each series
    pairs   [(numbers of the base's runs, of the new one's)], in seconds; all
            series of a page have the same runs, in the same order
    """
    members = collections.defaultdict(lambda: collections.defaultdict(list))
    for k, (page, group) in enumerate(places):
        members[page][group].append(k)
    rest = [None] * len(pairs)
    for groups in members.values():
        every = [k for some in groups.values() for k in some]
        for some in groups.values():
            tell = some if len(some) >= TOGETHER else every
            keep = [
                ~disturbed(np.array([pairs[k][side] for k in tell]))
                for side in (0, 1)
            ]
            for k in some:
                rest[k] = [
                    np.array(numbers)[quiet]
                    for numbers, quiet in zip(pairs[k], keep, strict=True)
                ]
    return rest
