"""What confirm.py measures of a function, in a process of its own.

The child (`main`) imports the function, runs it, and answers with a `Found`,
or with one line that says why it could not.  The parent reads off a `Found`
what the samples say.
"""

import collections
import dataclasses
import difflib
import functools
import importlib
import importlib.util
import inspect
import math
import os
import pathlib
import pickle
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[1]
# After the folder of the user; the lab need not be installed.
sys.path.insert(1, str(ROOT / "notebooks"))

from onthefly import clock, machine, models  # noqa: E402
from onthefly.experiments.gil import nogil  # noqa: E402
from onthefly.quantity import Quantity
from onthefly.timings import Timings

ROUNDS = 8  # that a size must allow within its part of the budget
# Parts of the budget: the cost alone, calls as tasks, the nogil fraction.
COST, TASKS, FRACTION, COMPARE = 0.25, 0.35, 0.3, 0.1
PROFILED = 3  # sizes whose nogil fraction is measured, the largest included
PAYS = 1.1  # speed-up above which threads pay: less is not worth the trouble
STRAIGHT = 0.25  # worst residual above which a line is no model
ONE, NOTHING = "one after the other", "nothing"


class Refused(Exception):
    """Why nothing was measured: one line with the thing and the repair."""


@dataclasses.dataclass(frozen=True)
class Request:
    """What to measure: the function's name, sizes and thread counts."""

    target: str
    sizes: tuple[int, ...]
    threads: tuple[int, ...]
    budget: float
    seed: int


@dataclasses.dataclass(frozen=True)
class Comparison:
    """Whether threads got what one thread gets, for the same argument.

    kind    "same", "differs", "raises", "random" (one thread's own results
            differ already), "none" (it returns None), "opaque" (results
            that cannot be compared)
    size    the argument; `calls` in `threads` threads, of which `differ` did
    detail  what was raised
    """

    kind: str
    size: int
    calls: int = 0
    differ: int = 0
    threads: int = 0
    detail: str = ""


@dataclasses.dataclass(frozen=True)
class Found:
    """The samples, and what they say.

    cost        Timings of one call, by size
    tasks       Timings of many calls: one after the other, and as tasks of
                a pool; `nothing` is a task that does nothing
    share       {size: calls in one sample of `tasks`}
    reports     {size: nogil.Report}; `references` those of the machine
    comparison  the Comparison
    left_out    {size: what was not measured there, and why}
    """

    request: Request
    machine: dict
    cost: Timings
    tasks: Timings
    share: dict[int, int]
    reports: dict[int, nogil.Report]
    references: dict[str, nogil.Report]
    comparison: Comparison
    left_out: dict[int, str]
    empty: int

    @functools.cached_property
    def sizes(self):
        """The sizes whose call was measured."""
        return self.cost.sizes()

    @functools.cached_property
    def counts(self):
        """The thread counts above one."""
        return [n for n in self.request.threads if n > 1]

    @functools.cached_property
    def seconds(self):
        """{size: Quantity} of one call in one thread."""
        return {n: self.cost.seconds("call", n) for n in self.sizes}

    @functools.cached_property
    def fit(self):
        """The cost model a + b·n over all sizes; None below three."""
        return self._line(self.sizes)

    def _line(self, sizes):
        if len(sizes) < 3:
            return None
        return models.line(sizes, [self.seconds[n].value for n in sizes])

    @functools.cached_property
    def checked(self):
        """{size: relative error} of a fit that did not see the size."""
        hidden = self.sizes[1:-1:2]
        fit = self._line([n for n in self.sizes if n not in hidden])
        if fit is None:
            return {}
        return {
            n: float(fit.predict(n)) / self.seconds[n].value - 1
            for n in hidden
        }

    @functools.cached_property
    def power(self):
        """The growth n^b of the larger sizes, where a line is no model."""
        if self.fit is None or self.fit.worst <= STRAIGHT:
            return None
        upper = self.sizes[-max(3, math.ceil(len(self.sizes) / 2)) :]
        return models.power(upper, [self.seconds[n].value for n in upper])

    @functools.cached_property
    def speeds(self):
        """{threads: {size: Quantity}}: calls as tasks against one thread."""
        return {
            n: {
                size: self.tasks.ratio(ONE, _pool_name(n), size)
                for size in self.tasks.sizes(ONE)
            }
            for n in self.counts
        }

    @functools.cached_property
    def handing(self):
        """Seconds that one task costs the smallest pool."""
        whole = self.tasks.seconds(NOTHING, 0)
        parts = [x / self.empty for x in (whole.value, whole.low, whole.high)]
        return Quantity(*parts, "s", whole.note)

    @functools.cached_property
    def best(self):
        """{size: (threads, Quantity)}, the count with most speed-up."""
        return {
            size: max(
                ((n, self.speeds[n][size]) for n in self.counts),
                key=lambda pair: pair[1].value,
            )
            for size in self.tasks.sizes(ONE)
        }

    @functools.cached_property
    def pays_from(self):
        """The size from which threads pay, or None.

        The smallest whose interval lies above PAYS, where at all larger ones
        the speed-up does, if not its whole interval.
        """
        found = None
        for size in reversed(self.best):
            if self.best[size][1].value <= PAYS:
                break
            if any(self.speeds[n][size].low > PAYS for n in self.counts):
                found = size
        return found

    @property
    def main(self):
        """The nogil.Report of the largest size that has one."""
        return self.reports[max(self.reports)]


def _pool_name(threads):
    return f"{threads} threads"


# The function


def find(target):
    """Return the function of ``package.module:function`` or a file's.

    Raises Refused where there is none, or it does not take one argument.
    """
    where, colon, name = target.rpartition(":")
    if not colon or not where or not name:
        raise Refused(
            f"{target!r}: no function named; write package.module:function "
            "or path/to/file.py:function"
        )
    is_file = where.endswith(".py")
    module = _load_file(where) if is_file else _load_module(where)
    function = module
    for part in name.split("."):
        if not hasattr(function, part):
            near = difflib.get_close_matches(part, dir(function), 3)
            hint = f"; it has {', '.join(near)}" if near else ""
            raise Refused(
                f"{where}: no function {part!r} in it{hint}; "
                "repair: name one that it defines"
            )
        function = getattr(function, part)
    if not callable(function):
        kind = type(function).__name__
        raise Refused(
            f"{target}: not callable, but a value of type {kind}; "
            "repair: name a function"
        )
    _check_arity(target, function)
    return function


def _check_arity(target, function):
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some compiled functions have none
        return
    try:
        signature.bind(1)
    except TypeError as error:
        raise Refused(
            f"{target}{signature}: must be callable with one argument, the "
            f"size ({error}); repair: wrap it in a function of n"
        ) from None


def _load_file(where):
    path = pathlib.Path(where)
    if not path.is_file():
        raise Refused(f"{where}: no such file; repair: correct the path")
    sys.path.insert(0, str(path.resolve().parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    return _importing(
        where, lambda: spec.loader.exec_module(module) or module
    )


def _load_module(where):
    return _importing(where, lambda: importlib.import_module(where))


def _importing(where, load):
    """Return the module; Refused tells a missing from a broken one."""
    try:
        return load()
    except ModuleNotFoundError as error:
        if error.name and (where + ".").startswith(error.name + "."):
            raise Refused(
                f"{where}: no module {error.name!r}; repair: start in its "
                "folder, set PYTHONPATH, or name the file: "
                "path/to/file.py:function"
            ) from None
        raise _broken(where, error) from None
    except (Exception, SystemExit) as error:
        raise _broken(where, error) from None


def _broken(where, error):
    return Refused(
        f"{where}: its import fails: {_said(error)}; "
        "repair: make the import work first"
    )


def _said(error):
    """Return an error as one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


# The measurement, in the child


def measure(request, stage):
    """Return the Found of a request.

    stage  function that is told what begins, for the parent's messages
    """
    stage("its import")
    function = find(request.target)
    parts = functools.partial(_part, request)
    left_out = {}
    sizes = _screen(function, request, stage, left_out)
    stage("its cost")
    calls = {n: functools.partial(function, n) for n in sizes}
    cost = clock.measure(
        {"call": function},
        sizes=sizes,
        budget=parts(COST),
        seed=request.seed,
    )
    alone = {n: cost.seconds("call", n).value for n in sizes}
    stage("calls as tasks of threads")
    tasks, share, empty = _tasks(calls, alone, request, left_out)
    stage("its nogil fraction in threads")
    reports, references = _profiles(calls, alone, request, tasks.sizes(ONE))
    stage("its results in threads")
    comparison = _compare(function, alone, request)
    return Found(
        request,
        machine.record(),
        cost,
        tasks,
        share,
        reports,
        references,
        comparison,
        left_out,
        empty,
    )


def _part(request, share):
    return share * request.budget


def _screen(function, request, stage, left_out):
    """Return the sizes that the budget allows; each is called here first.

    Raises Refused where the function raises.
    """
    spent, sizes = 0.0, []
    for size in request.sizes:
        if sizes and spent > _part(request, COST):
            left_out[size] = "not run: --budget is too small for it"
            continue
        stage(f"size {size}")
        try:
            function(size)  # compiles, loads
            start = time.perf_counter()
            function(size)
        except (Exception, SystemExit) as error:
            raise Refused(
                f"{request.target} at size {size}: {_said(error)}; repair: "
                "the function, or give --sizes that it takes"
            ) from None
        spent += ROUNDS * (time.perf_counter() - start)
        sizes.append(size)
    return sizes


def _tasks(calls, alone, request, left_out):
    """Measure calls one after the other and as tasks of pools.

    Returns the Timings, {size: calls in a sample} and the calls of the
    sample without work.
    """
    counts = [n for n in request.threads if n > 1]
    even = math.lcm(*counts)
    even = even if even <= 4 * max(counts) else 2 * max(counts)
    budget, planned, share = _part(request, TASKS), 0.0, {}
    for size, seconds in alone.items():
        enough = math.ceil(0.005 / max(seconds, 1e-7) / even)
        share[size] = even * min(max(enough, 1), max(1, 500 // even))
        planned += ROUNDS * (len(counts) + 1) * share[size] * (seconds + 3e-5)
        if planned > budget and len(share) > 1:
            del share[size]
            left_out.setdefault(
                size, "not run in threads: --budget is too small for it"
            )
            planned = math.inf  # nor any larger one
    empty = even * max(1, 200 // even)
    pools = {n: ThreadPoolExecutor(n) for n in counts}

    def in_turn(size):
        call = calls[size]
        for _ in range(share[size]):
            call()

    def as_tasks(pool, size):
        call = calls[size] if size else _nothing
        jobs = range(share[size] if size else empty)
        collections.deque(pool.map(lambda _: call(), jobs), maxlen=0)

    shared = {
        _pool_name(n): functools.partial(as_tasks, pool)
        for n, pool in pools.items()
    }
    candidates = {
        ONE: in_turn,
        **shared,
        NOTHING: shared[_pool_name(counts[0])],
    }
    try:
        times = clock.measure(
            candidates,
            sizes={name: list(share) for name in candidates} | {NOTHING: [0]},
            budget=budget,
            seed=request.seed,
            min_sample=0,
        )
    finally:
        for pool in pools.values():
            pool.shutdown()
    return times, share, empty


def _nothing():
    return None


def _profiles(calls, alone, request, sizes):
    """Return {size: Report} of some sizes, and the references' Reports."""
    budget = _part(request, FRACTION)
    once = 9 * sum(request.threads)  # six rounds, and what goes before
    fit = [n for n in sizes if alone[n] * once <= budget / PROFILED]
    fit = fit or [min(sizes, key=alone.get)]
    step = max(1, math.ceil(len(fit) / PROFILED))
    chosen = sorted(fit[::-1][::step])
    found = nogil.profile(
        {str(n): calls[n] for n in chosen},
        request.threads,
        budget=budget,
        seed=request.seed,
    )
    references = {k: found.pop(k) for k in (nogil.FREE, nogil.HELD)}
    return {int(k): report for k, report in found.items()}, references


# The same result in every thread?


def same(a, b):
    """Tell whether two results are the same; None where nobody can tell."""
    if type(a) is not type(b):
        return False
    try:
        equal = a == b
        if isinstance(equal, bool) and equal:
            return True
    except Exception:  # a type of the user's may raise anything here
        equal = None
    try:
        if pickle.dumps(a) == pickle.dumps(b):
            return True
    except Exception:
        return False if isinstance(equal, bool) and _compares(a) else None
    return False


def _compares(value):
    """Tell whether a type compares by value, not by identity."""
    return type(value).__eq__ is not object.__eq__


def _compare(function, alone, request):
    """Return the Comparison of one thread's results with many threads'."""
    budget = _part(request, COMPARE)
    threads = max(request.threads)
    fit = [n for n in alone if alone[n] * 40 <= budget]
    size = max(fit) if fit else min(alone)
    expected = function(size)
    if expected is None:
        return Comparison("none", size)
    until = time.perf_counter() + budget / 2
    for _ in range(30):
        found = same(function(size), expected)
        if found is not True:
            kind = "opaque" if found is None else "random"
            name = type(expected).__name__
            return Comparison(kind, size, detail=name)
        if time.perf_counter() > until:
            break
    return _in_threads(function, size, expected, threads, budget / 2)


def _in_threads(function, size, expected, threads, seconds):
    """Call in threads that take turns as often as they can."""
    until = time.perf_counter() + seconds
    start = threading.Barrier(threads)

    def work():
        start.wait()
        calls = differ = 0
        while calls < 500 and (not calls or time.perf_counter() < until):
            calls += 1
            differ += not same(function(size), expected)
        return calls, differ

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(threads) as pool:
            jobs = [pool.submit(work) for _ in range(threads)]
        counts = [job.result() for job in jobs]
    except Exception as error:
        return Comparison(
            "raises", size, threads=threads, detail=_said(error)
        )
    finally:
        sys.setswitchinterval(interval)
    calls, differ = map(sum, zip(*counts, strict=True))
    kind = "differs" if differ else "same"
    return Comparison(kind, size, calls, differ, threads)


def _streams():
    """Return the request and the file for the answer.

    From here on, stdin is empty and stdout goes where stderr goes: both
    belong to the function.
    """
    request = pickle.load(sys.stdin.buffer)
    answer = os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    return request, answer


def main(folder):
    """Measure what the parent asks on stdin; answer on stdout.

    folder  takes the stage reached, and one line where it is refused

    The process ends here, whatever threads the function has left.
    """
    folder = pathlib.Path(folder)
    request, answer = _streams()
    try:
        found = measure(request, (folder / "stage").write_text)
        with answer:
            pickle.dump(found, answer)
    except Refused as error:
        (folder / "refused").write_text(str(error), encoding="utf-8")
    except Exception as error:
        said = f"{request.target}: {_said(error)}"
        for note in getattr(error, "__notes__", ()):
            said += f" ({note})"
        (folder / "refused").write_text(said, encoding="utf-8")
    os._exit(0)
