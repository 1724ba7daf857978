"""Numba's threading layers, each tried in a process of its own."""

import contextlib
import functools
import signal

from onthefly.measure import clock
from onthefly.tools import processes

HANGS = 124  # stands for no end in time, as with the command `timeout`
CALLS = 20  # of a sample of the entry
ROUNDS = 7


def tried(threads, limit=60):
    """Try threading layers, each in a process; return what they said.

    threads  {layer: how many threads Numba starts there}; "tbb", "omp" and
             "workqueue" are the layers that there are
    limit    seconds for each answer

    {layer: dict}: threads (that worked), caller (whether the calling thread
    was among them), entry (seconds of a parallel call for one shot, with
    two threads, of each round), fork and twice: the exit status of parallel
    code in a forked process, and from two Python threads at once (negative:
    the signal that ended it; `HANGS`: no end in time).  What it did not
    reach is missing; all is where the layer does not load.

    They compile side by side, and are timed and tried one by one.
    """
    module = f"{__package__}.layers_child"
    with contextlib.ExitStack() as stack:
        programs = {}
        for name, count in threads.items():
            environment = {
                "NUMBA_THREADING_LAYER": name,
                "NUMBA_NUM_THREADS": str(count),
            }
            program = processes.Program(module, environment=environment)
            programs[name] = stack.enter_context(program)
            program.send("threads")
        counts = {k: _count(p, limit) for k, p in programs.items()}
        return {
            name: _one(program, counts[name], limit)
            for name, program in programs.items()
        }


def _count(program, limit):
    """Return the answer on threads; None where the layer does not load."""
    with contextlib.suppress(processes.ProcessError):
        return program.receive(limit)


def _one(program, counted, limit):
    """Return what one layer says, beside its threads."""
    if counted is None:
        return {}
    ask = functools.partial(program.ask, limit=limit)
    outcome = dict(zip(("threads", "caller"), counted, strict=True))
    outcome |= {"entry": _entry(ask), "fork": _status(ask, "in_a_fork")}
    if outcome["fork"] != HANGS and not program.ended():
        outcome["twice"] = _status(ask, "two_at_once")
    return outcome


def _entry(ask):
    samples = clock.sample(
        {"entry": functools.partial(ask, "entry", CALLS)},
        least=ROUNDS,
        rounds=ROUNDS,
        first="unknown",
    )
    return list(samples.series("entry").values)


def _status(ask, what):
    """Return the exit status of what is tried in the process."""
    try:
        return ask(what)
    except processes.Ended as error:
        return error.status
    except processes.Late:
        return HANGS
    except processes.Failed:
        return 1


def outcome(status):
    """Say in words what an exit status of `tried` means."""
    if status is None:
        return "not tried"
    if status < 0:
        return f"ended by {signal.Signals(-status).name}"
    return {0: "works", HANGS: "hangs"}.get(status, f"fails ({status})")
