"""Where a page's measurements come from: from what is kept, or from now.

``here``   what this machine has kept under the same key; the rest is measured
``fresh``  all is measured; what is kept gets one more session each
NAME       what the recorded machine of that name measured; nothing is
           measured

What this machine cannot measure is a recorded machine's, the newest that has
it.  So is, ``here``, what it could only measure while other programs used it,
if a record is undisturbed.
"""

import copy
import dataclasses
import inspect
import json
import os

from onthefly.errors import UserError
from onthefly.measure import data, machine, records
from onthefly.measure.samples import Samples
from onthefly.page import dependencies

HERE, FRESH = "here", "fresh"

# JSON: names of what is measured once more, though it is kept.
AGAIN = "ONTHEFLY_AGAIN"


@dataclasses.dataclass(frozen=True)
class Found:
    """A measurement that a page asked for.

    value    Samples, or what a function returned
    origin   "" for the page's machine, otherwise as `Data.origin`
    stale    what has changed since it was measured, in words; "" for nothing
    beside   Samples of this machine that others disturbed, where a record
             stands for them
    nowhere  this machine cannot measure it, and none has recorded it
    """

    value: object
    origin: str = ""
    stale: str = ""
    beside: object = None
    nowhere: bool = False


def cells():
    """Return the Statements of the page, up to the one that runs now.

    Where no page runs, as in a test, there are none.
    """
    frame, number = inspect.currentframe(), 0
    scope = _scope()
    while frame:
        of_cell = frame.f_code.co_name.startswith(("<module>", "<cell line"))
        if scope is not None and frame.f_globals is scope and of_cell:
            number = frame.f_lineno
        frame = frame.f_back
    sources = scope["In"][1:] if scope else []
    if not sources:
        return []
    before = [
        one for text in sources[:-1] for one in dependencies.statements(text)
    ]
    own = dependencies.statements(sources[-1])
    done = sum(1 for statement in own if statement.last < number)
    return [*before, *own[: done + 1]]


def _scope():
    """Return the names of the notebook's kernel, or None."""
    from IPython import get_ipython

    shell = get_ipython()
    return shell.user_ns if shell else None


class Source:
    """The measurements of one run of a page.

    mode     HERE, FRESH or a recorded machine's name
    preset, device, seed: the page's parameters; a record's own replace them
    """

    def __init__(self, page, mode, preset, device, seed):
        self.mode, self.page = mode, page
        self._used = set()
        self._again = json.loads(os.environ.get(AGAIN, "[]"))
        self._measured = False
        if mode in (HERE, FRESH):
            self.own = records.kept(page, preset) or data.Data(page, preset)
            self.own.device, self.own.seed = device, seed
        else:
            self.own = _record(page, mode)

    @property
    def measures(self):
        """Whether this run may measure."""
        return self.mode in (HERE, FRESH)

    @property
    def packages(self):
        """{distribution: version} that what is kept was measured with."""
        kept = (*self.own.groups.values(), *self.own.looks.values())
        every = (one.key.get("packages", {}) for one in kept)
        return {k: v for each in every for k, v in each.items()}

    def _key(self):
        """Return the key of what is asked for; of a record, its code."""
        asked = cells()
        parameters = {
            "preset": self.own.preset,
            "device": self.own.device,
            "seed": self.own.seed,
        }
        if not asked:
            return {"python": dependencies.interpreter(), **parameters}
        if not self.measures:
            return dependencies.code(asked)
        return dependencies.key(asked, parameters)

    def _use(self, name):
        if name in self._used:
            raise ValueError(f"group {name!r} is kept already")
        self._used.add(name)

    def samples(self, name, take, here=True):
        """Return the Found of a group.

        name  the group's
        take  function without arguments that measures; returns Samples
        here  whether this machine can
        """
        self._use(name)
        key = self._key()
        group = self.own.groups.get(name)
        if self.mode == HERE and here and self._is_kept(name, group, key):
            return self._undisturbed(name, key)
        if self.measures and here:
            samples = Samples.of(take())
            self._note()
            self.own.add(name, key, samples)
            self._save()
            if self.mode == FRESH:
                return Found(samples)
            return self._undisturbed(name, key)
        if not self.measures and group:
            return Found(group.samples(), stale=_stale(group.key, key))
        for other in self._others("groups", name):
            group, whose = other.groups[name], other.origin
            return Found(group.samples(whose), whose, _stale(group.key, key))
        if not here:
            return Found(None, nowhere=True)
        raise self._nowhere(name)

    def _undisturbed(self, name, key):
        """Return the Found of a group that is kept here, or of a record.

        The record's where others disturbed all that is kept, and none did
        what a machine recorded of the same series by the same code.
        """
        own = self.own.groups[name].samples()
        for other in records.recorded(self.page) if own.disturbed else ():
            group = other.groups.get(name)
            if group is None or _stale(group.key, key):
                continue
            quiet = group.samples(other.origin)
            if not quiet.disturbed and set(own.keys) <= set(quiet.keys):
                return Found(quiet, other.origin, beside=own)
        return Found(own)

    def cached(self, name, function, here=True, anywhere=False):
        """Return the Found of what a function says of the machine.

        name      what is looked at
        function  without arguments; what it returns, JSON can hold
        here      whether this machine can be asked
        anywhere  whether every machine says the same: then ``here`` takes
                  what one has recorded by the same code
        """
        self._use(name)
        key = self._key()
        look = self.own.looks.get(name)
        if self.mode == HERE and here and self._is_kept(name, look, key):
            return Found(copy.deepcopy(look.value))
        if self.mode == HERE and anywhere and name not in self._again:
            for other in alike(self.page, name, key):
                return Found(other.looks[name].value, other.origin)
        if self.measures and here:
            value = json.loads(json.dumps(function(), allow_nan=False))
            self._note()
            self.own.look(name, key, value)
            self._save()
            return Found(copy.deepcopy(value))
        if not self.measures and look:
            return Found(look.value, stale=_stale(look.key, key))
        for other in self._others("looks", name):
            look = other.looks[name]
            return Found(look.value, other.origin, _stale(look.key, key))
        if here:
            raise self._nowhere(name)
        return Found(None, nowhere=True)

    def of_page(self, page, name):
        """Return the Found of another page's group.

        This machine's where it has measured it, as this page's own mode asks
        for; otherwise as for what cannot be measured here.
        """
        own = None
        if self.measures:
            own = records.kept(page, self.own.preset)
        else:
            own = next(iter(records.recorded(page, self.mode)), None)
        if own and name in own.groups:
            return Found(own.groups[name].samples())
        for other in self._others("groups", name, page):
            whose = other.origin
            return Found(other.groups[name].samples(whose), whose)
        return Found(None, nowhere=True)

    def known(self, prefix):
        """Return the names that begin so, of groups and looks on record.

        Those of the record that is told come first.
        """
        own = [] if self.measures else [self.own]
        every = [*own, *records.recorded(self.page)]
        names = [n for one in every for n in (*one.groups, *one.looks)]
        return [n for n in dict.fromkeys(names) if n.startswith(prefix)]

    def recorded_answers(self, name):
        """Yield (value, origin) of a look as machines recorded it."""
        for other in records.recorded(self.page):
            if name in other.looks and other.machine != self.own.machine:
                yield other.looks[name].value, other.origin

    def _is_kept(self, name, old, key):
        again = name in self._again or "*" in self._again
        return old is not None and old.key == key and not again

    def _others(self, kind, name, page=None):
        """Yield the recorded Data of others that have something."""
        for other in records.recorded(page or self.page):
            if name in getattr(other, kind):
                yield other

    def _nowhere(self, name):
        page = self.page
        return UserError(
            f"{page}: {name!r} is not measured here, and no machine has "
            f"recorded it; repair: scripts/run.py {page}"
        )

    def _note(self):
        """Take a new machine record: its time is this session's."""
        if not self._measured:
            self.own.machine = machine.record()
            self._measured = True

    def _save(self):
        data.save(self.own, records.path_of(self.page, self.own.preset))

    def close(self):
        """Drop what the page does not measure any more, and save."""
        if not self._measured:
            return
        for kept in (self.own.groups, self.own.looks):
            for name in set(kept) - self._used:
                del kept[name]
        machine.end(self.own.machine)
        self._save()


def alike(page, name, key):
    """Yield the recorded Data that have a look by the code of a key."""
    for other in records.recorded(page):
        look = other.looks.get(name)
        if look and not _stale(look.key, key):
            yield other


def _record(page, name):
    """Return the Data that a machine recorded of a page.

    Another machine's, the newest, where that one has none.  Raises UserError,
    with the machines that there are, where there is none of that name.
    """
    for one in records.recorded(page, name):
        return one
    if name in records.machines():
        for one in records.recorded(page):
            return one
    for path in sorted(records.RECORDED.glob(f"{name}/*.json"))[:1]:
        other = data.load(path)  # the page keeps nothing, or is younger
        return data.Data(page, other.preset, machine=other.machine)
    raise UserError(
        f"data {name!r}: no machine of that name; choose "
        f"{', '.join([HERE, FRESH, *records.machines()])}"
    )


def _stale(old, new):
    """Return what of a measurement's code has changed, in words.

    Other libraries, another interpreter or preset are no change of it.
    """
    if not old:
        return "code unknown"
    return "; ".join(
        dependencies.changes(*map(dependencies.code_of, (old, new)))
    )
