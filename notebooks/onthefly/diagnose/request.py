"""What is asked: functions, sizes, numbers of threads, seconds."""

import dataclasses
import math
import os

from onthefly.diagnose.target import Target
from onthefly.errors import UserError
from onthefly.measure import nogil
from onthefly.terminal.sizes import ends, whole

SIZES = "1e2:1e6"
BUDGET_S = 24.0
LIMIT_S = 60.0  # of each step, at least


@dataclasses.dataclass(frozen=True)
class Request:
    """What to measure.

    targets  the function; or several of the user's, compared with each other
    sizes    ascending
    threads  numbers of them, ascending, 1 among them
    budget   seconds for the samples
    limit    seconds that one step may take
    seed     of the order of the samples
    maker    Target of what makes the arguments of a size, or None
    """

    targets: tuple[Target, ...]
    sizes: tuple[int, ...]
    threads: tuple[int, ...]
    budget: float = BUDGET_S
    limit: float = 4 * BUDGET_S
    seed: int = 0
    maker: Target | None = None

    @classmethod
    def of(cls, targets, sizes, threads, budget, limit, maker=None, seed=0):
        """Return the Request; raises UserError for what cannot be asked.

        limit  seconds, or None: four budgets
        """
        for name, value in (("budget", budget), ("limit", limit)):
            if value is not None and not 0 < value < math.inf:
                raise UserError(f"--{name} {value:g}: give seconds above 0")
        limit = limit or max(LIMIT_S, 4 * budget)
        return cls(
            tuple(targets), tuple(sizes), tuple(threads), budget, limit,
            seed, maker,
        )  # fmt: skip

    @property
    def folders(self):
        """Where the functions' modules are imported from, in order."""
        targets = (*self.targets, *([self.maker] if self.maker else []))
        every = [folder for target in targets for folder in target.folders]
        return list(dict.fromkeys(map(str, every)))


def threads_of(text):
    """Return the thread counts, ascending, 1 among them.

    text  "1:8", "1,2,3", or None for those up to the usable cores
    """
    if text is None:
        return list(nogil.default_threads())
    if ":" not in text:
        counts = {1, *(whole(part, "--threads") for part in text.split(","))}
    else:
        low, high = ends(text, "--threads")
        powers = {2**k for k in range(high.bit_length())}
        counts = {1, low, high, *(n for n in powers if low < n < high)}
    if not 1 < max(counts) <= 1024:
        raise UserError(
            f"--threads {text}: compared with one thread; "
            "give a larger count up to 1024, e.g. 1:4"
        )
    return sorted(counts)


def check_page(path):
    """Raise UserError where no page can be written to a path."""
    if path and (path.is_dir() or not os.access(path.parent, os.W_OK)):
        raise UserError(
            f"--html {path}: no file can be written there; name another"
        )
