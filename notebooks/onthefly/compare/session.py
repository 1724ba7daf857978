"""One session of what was measured: all that a comparison asks of it."""

import dataclasses

from onthefly.folders import CHECKOUT

UNKNOWN = "unknown"
# Before what needs a checkout, where a message names it.
IN_A_CLONE = "" if CHECKOUT else "in a clone of the book, "


@dataclasses.dataclass(frozen=True)
class Run:
    """One session of a page's measurements: one process.

    machine  the record; preset, device, seed: the parameters
    lab      {file of the lab, or "cells of GROUP": hash} that made it
    packages {distribution: version} that it used
    timings  {group: Samples}
    instrument  the number of what took the samples; version: the package's
    """

    page: str
    machine: dict
    preset: str
    device: str
    seed: int
    lab: dict
    packages: dict
    timings: dict
    instrument: str = UNKNOWN
    version: str = UNKNOWN
