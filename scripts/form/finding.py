"""A broken rule: where, what, and the repair."""

from dataclasses import dataclass

FIX = "scripts/tidy.py --fix"


@dataclass(frozen=True)
class Finding:
    """One broken rule.

    file    what a reader calls the file
    where   the place in it, as "cell lock-cost", or ""
    repair  what to do, `FIX` where a command does it
    """

    file: str
    where: str
    what: str
    repair: str

    def __str__(self):
        place = f"{self.file}: {self.where}" if self.where else self.file
        return f"{place}: {self.what}; repair: {self.repair}"
