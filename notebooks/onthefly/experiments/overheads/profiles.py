"""Where a call's time goes: parts read off a profiler's trace.

TensorFlow's own profiler stamps what its C++ side does, thread by thread.
What no stamp covers was Python.
"""

import collections
import dataclasses
import pathlib
import re
import sys
import tempfile

from onthefly.measure import clock
from onthefly.measure.quantity import Quantity

PARTS = ("Python", "dispatch", "hand-over to a thread", "executor and kernel")

# What TensorFlow's C++ side stamps on the thread that calls.
_RUN = re.compile("SessionRun|KernelAndDevice|FunctionRun")
_EXECUTOR = re.compile("ExecutorState::Process")
_DISPATCH = re.compile("TFE_|Eager|Validate")


@dataclasses.dataclass(frozen=True)
class Profile:
    """The parts of a call, JSON-ready by `dataclasses.asdict`.

    parts       {part: seconds a call}, in the order of PARTS
    wall        seconds a call took while it was profiled
    bare        the same without the profiler, right before and after
    counts      {stamp: times a call}
    unresolved  parts that no stamp tells from the last one, which has them
    """

    parts: dict[str, float]
    wall: float
    bare: float
    counts: dict[str, float]
    unresolved: tuple = ()

    def shares(self):
        """Return {part: share of the call}, as Quantities.

        One that is not resolved says so in its note; its interval goes up
        to the share that it may be a part of.
        """
        parts = {
            part: Quantity.exact(seconds / self.wall, "%")
            for part, seconds in self.parts.items()
        }
        most = parts[PARTS[-1]].value
        for part in self.unresolved:
            parts[part] = Quantity(0.0, 0.0, most, "%", "not resolved")
        return parts

    def row(self, name):
        """Return a row of a table: the parts, and what profiling costs."""
        price = Quantity.exact(self.wall / self.bare, "×")
        times = self.parts | {
            "together": self.wall,
            "not profiled": self.bare,
        }
        texts = {k: Quantity.exact(v, "s").short for k, v in times.items()}
        texts |= dict.fromkeys(self.unresolved, "not resolved")
        return {"call": name, **texts, "the profiler's price": price.short}


def own_times(events):
    """Return (name, own seconds) of nested events: without those inside.

    events  [(start, end, name)] of one thread, in seconds
    """
    times, stack = [], []
    for start, end, name in sorted(events, key=lambda e: (e[0], -e[1])):
        while stack and start >= stack[-1][0]:
            stack.pop()
        own = [name, end - start]
        if stack:
            stack[-1][1][1] -= end - start
        stack.append((end, own))
        times.append(own)
    return [tuple(own) for own in times]


def _trace(call, calls):
    """Return [(thread, events)] of TensorFlow's trace, and seconds a call."""
    import tensorflow as tf
    from tensorflow.tsl.profiler.protobuf import xplane_pb2

    with tempfile.TemporaryDirectory(prefix="trace") as folder:
        tf.profiler.experimental.start(folder)
        try:
            wall = clock.seconds(call, calls=calls)
        finally:
            tf.profiler.experimental.stop()
        (file,) = pathlib.Path(folder).rglob("*.xplane.pb")
        space = xplane_pb2.XSpace.FromString(file.read_bytes())
    lines = []
    for plane in space.planes:
        for line in plane.lines:
            events = [
                (e.offset_ps / 1e12, (e.offset_ps + e.duration_ps) / 1e12,
                 plane.event_metadata[e.metadata_id].name)
                for e in line.events
            ]  # fmt: skip
            lines.append((line.name, events))
    return lines, wall


def tensorflow(call, calls=100):
    """Return the Profile of a call that runs TensorFlow on the processor.

    call   function without arguments; it is called three times before

    A run that takes place on another thread is *executor and kernel* there;
    the rest of the caller's stay in it is *hand-over*.  A run on the caller's
    own thread is all *executor and kernel*.
    """
    clock.seconds(call, calls=3)
    before = clock.seconds(call, calls=calls)
    lines, wall = _trace(call, calls)
    after = clock.seconds(call, calls=calls)
    own = collections.Counter()
    counts = collections.Counter()
    away = 0.0
    for thread, events in lines:
        counts.update(name for _, _, name in events)
        if thread.startswith("tf_"):
            spent = sum(e - s for s, e, n in events if _EXECUTOR.match(n))
            away += spent / calls
            continue
        for name, seconds in own_times(events):
            kinds = {_RUN: "run", _EXECUTOR: "here", _DISPATCH: "dispatch"}
            kind = (k for pattern, k in kinds.items() if pattern.match(name))
            own[next(kind, "Python")] += seconds / calls
    times, unresolved = divided(wall, own, away)
    counts = {name: count / calls for name, count in counts.items()}
    parts = dict(zip(PARTS, times, strict=True))
    return Profile(parts, wall, (before + after) / 2, counts, unresolved)


def seen(call, calls=100):
    """Return the fields of the Profile of a call, JSON-ready."""
    return dataclasses.asdict(tensorflow(call, calls))


def divided(wall, own, away):
    """Return seconds that add up to `wall`, and what is unresolved.

    The seconds are those of PARTS.

    own   {"dispatch", "run", "here": own seconds on the caller's thread}
    away  seconds of executors on other threads, 0 where the run took place
          on the caller's

    An executor closes its stamp after it has woken the caller, and several
    may run at once: theirs may add up to more than the caller's stay in the
    run.  Then the stay is theirs, and the hand-over is not resolved.
    """
    run, here = own["run"], own["here"]
    spent = min(away, run) if away else run
    python = wall - own["dispatch"] - run - here
    unresolved = (PARTS[2],) if away > run else ()
    return (python, own["dispatch"], run - spent, here + spent), unresolved


def operations(profile):
    """Return {operation: times a call} that eager TensorFlow ran."""
    mark = "EagerLocalExecute: "
    return {
        name.removeprefix(mark): round(count)
        for name, count in profile.counts.items()
        if name.startswith(mark) and round(count)
    }


def python_calls(call, repeats=5):
    """Return how many Python functions a call enters, beside itself.

    The least of some calls: now and then one cleans up after others.
    """
    return min(_entered(call) for _ in range(repeats)) - 1


def _entered(call):
    """Return how many Python functions one call enters, itself with them."""
    events = []
    sys.setprofile(lambda frame, event, _: events.append(event))
    try:
        call()
    finally:
        sys.setprofile(None)
    return events.count("call")
