"""What was measured of a function, and which method wins at which size."""

import dataclasses
import math

from onthefly.diagnose.gains import is_gain
from onthefly.diagnose.trials import Found, Prepared
from onthefly.measure.samples import background_load
from onthefly.measure.timings import Timings

ALIKE = 1.2  # of two gains, the simpler method's counts up to this ratio
STAYS = 2.0  # a method of larger sizes stays, up to this ratio to the best
FOLDED = 0.2  # power of the work with which a time grows, if none is left
CLEAR = 2.0  # ratio of the fastest calls that no disturbance explains
REMOVED = 300.0  # a gain above which it is asked whether work is left


@dataclasses.dataclass
class Tried:
    """A method, and what came of it.

    name      as the report has it
    how       what to write
    prepared  what its first call says, or None: not called yet
    """

    name: str
    how: str = ""
    prepared: Prepared | None = None

    @property
    def error(self):
        """Why it cannot be used, or ""."""
        return self.prepared.error if self.prepared else "not tried"

    @property
    def first_difference(self):
        """The smallest size at which its result is another one, or None."""
        return min(self.prepared.differs, default=None)


@dataclasses.dataclass(eq=False)
class Report:
    """What was measured; it fills as the steps go on.

    request  the Request
    found    what the first calls said
    tried    {name: Tried}, the function itself first
    times    Timings of the methods by size
    pools    {"threads": ThreadTrial, "processes": PoolTrial}
    memory   {name: bytes of a call at the largest size}
    took     seconds of all
    """

    request: object
    found: Found
    tried: dict
    times: Timings = dataclasses.field(default_factory=Timings)
    pools: dict = dataclasses.field(default_factory=dict)
    memory: dict = dataclasses.field(default_factory=dict)
    took: float = 0.0
    is_complete: bool = False

    def __str__(self):
        from onthefly.diagnose import showing

        return showing.text(self)

    def _repr_pretty_(self, printer, cycle):
        printer.text(str(self))

    def _repr_html_(self):
        from onthefly.diagnose import showing

        return showing.fragment(self)

    @property
    def name(self):
        """The function's name."""
        return self.request.targets[0].name

    @property
    def is_cell(self):
        """Whether it is a notebook's cell, which has no size."""
        return self.request.targets[0].is_cell

    @property
    def is_comparison(self):
        """Whether several functions of the user's were compared."""
        return len(self.request.targets) > 1

    @property
    def baseline(self):
        """The Tried that the others are compared with: the function."""
        return next(iter(self.tried.values()))

    @property
    def sizes(self):
        """The sizes that the budget allows, ascending."""
        return list(self.found.seconds)

    def usable(self, size):
        """Return the names of the methods to measure at a size.

        Of what was tried, those with the function's results; of functions
        that were named, all.
        """
        return [
            name
            for name, tried in self.tried.items()
            if not tried.error
            and (self.is_comparison or tried.prepared.allows(size))
        ]

    def seconds(self, name):
        """Return {size: Quantity} of a method's call."""
        if name not in self.times.names:
            return {}
        return {
            n: self.times.seconds(name, n) for n in self.times.sizes(name)
        }

    def gains(self, name):
        """Return {size: Quantity}: how many times as fast as the function."""
        base = self.baseline.name
        if name not in self.times.names or name == base:
            return {}
        return {
            n: self.times.ratio(base, name, n) for n in self.times.sizes(name)
        }

    @property
    def others(self):
        """The names of the methods beside the function itself."""
        return [name for name in self.tried if name != self.baseline.name]

    def is_removed(self, name):
        """Tell whether a compiler left nothing of a method's loop.

        Its time hardly grows while the function's does, and is far shorter.
        What overhead hides in threads shows in the one without.
        """
        name = name.replace("(parallel=True)", "")
        gains, own = self.gains(name), self.seconds(name)
        most = max((q.value for q in gains.values()), default=0.0)
        if "numba" not in name or len(gains) < 2 or most < REMOVED:
            return False
        base = self.seconds(self.baseline.name)
        low, high = min(gains), max(gains)
        work = base[high].value / base[low].value
        return work > 10 and own[high].value / own[low].value < work**FOLDED

    def is_clear(self, name, size):
        """Tell whether a method gains at a size, beyond doubt.

        The whole interval lies above PAYS; or where the machine was busy,
        which only ever adds to a time, the fastest call of the function took
        far longer than the fastest one of the method.
        """
        gain = self.gains(name)[size]
        if is_gain(gain):
            return True
        base, own = (
            self.times.least(which, size).value
            for which in (self.baseline.name, name)
        )
        return min(gain.value, base / own) > CLEAR

    def winner(self, size, before=""):
        """Return the name of the method to choose at a size, or "".

        The one that gains most, or a simpler one that gains nearly as much;
        "" where no gain is resolved.

        before  the winner of the next larger size, which stays if it gains
                here, too, and no other one much more
        """
        gaining = {
            name: self.gains(name)[size].value
            for name in self.others
            if size in self.gains(name)
            and self.is_clear(name, size)
            and not self.is_removed(name)
        }
        if not gaining:
            return ""
        most = max(gaining.values())
        if STAYS * gaining.get(before, 0) >= most:
            return before
        return next(name for name, q in gaining.items() if ALIKE * q >= most)

    @property
    def ranges(self):
        """[(winner's name or "", [sizes])], from small sizes to large."""
        found, before = [], ""
        for size in reversed(self.sizes):
            if size not in self.times.sizes():
                continue
            before = self.winner(size, before)
            if found and found[0][0] == before:
                found[0][1].insert(0, size)
            else:
                found.insert(0, (before, [size]))
        return found

    @property
    def growth(self):
        """The power of n with which a call's time grows; None: unknown."""
        base = self.seconds(self.baseline.name)
        large = [n for n, q in base.items() if q.value > 1e-6]
        if len(large) < 3:
            return None
        last = max(large)
        first = min((n for n in large if n <= last / 10), key=lambda n: -n,
                    default=large[0])  # fmt: skip
        if base[last].value < 2 * base[min(large)].value:
            return 0.0
        return math.log(base[last].value / base[first].value) / math.log(
            last / first
        )

    @property
    def busy(self):
        """The share of the cores that other programs used, at worst."""
        return max(
            (s.others / self.times.cores for s in self.times), default=0.0
        )

    @property
    def is_disturbed(self):
        """Whether other programs used a good part of the machine."""
        return any(background_load(s, self.times.cores) for s in self.times)
