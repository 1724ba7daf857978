"""What is asked of a function, in a process of its own each.

Each trial takes the Request; the seconds of a call in one thread follow.
"""

from onthefly.diagnose import numba_trial, pool_trials
from onthefly.diagnose.calls import Calls
from onthefly.measure import clock, machine
from onthefly.measure.timings import Timings

# Parts of the budget.
COST, THREADS, NUMBA, PROCESSES = 0.2, 0.45, 0.2, 0.15
ROUNDS = 8  # that a size must allow within its part of the budget


def cost(request):
    """Return the Timings of a call by size, and the machine's record.

    Sizes that the budget is too small for are left out, but the smallest.
    Raises UserError where the function is none, raises or changes its
    inputs.
    """
    calls, sizes = Calls(request.target, request.maker), []
    budget = COST * request.budget
    for size in request.sizes:
        if sizes and budget < 0:
            break
        budget -= ROUNDS * calls.first(size)
        sizes.append(size)
    times = clock.measure(
        {request.target: calls.call},
        sizes=sizes,
        budget=COST * request.budget,
        seed=request.seed,
    )
    return Timings.of(times), machine.record()


def threads(request, alone):
    """Return the ThreadTrial; `alone` are {size: seconds of a call}."""
    return _trial(pool_trials.threads, THREADS, request, alone)


def processes(request, alone):
    """Return the PoolTrial of processes; arguments as of `threads`."""
    return _trial(pool_trials.processes, PROCESSES, request, alone)


def numba(request, alone):
    """Return the NumbaTrial; arguments as of `threads`."""
    calls = Calls(request.target, request.maker)
    budget = NUMBA * request.budget
    return numba_trial.measure(calls, [*alone], budget, request.seed)


def _trial(measure, share, request, alone):
    calls = Calls(request.target, request.maker)
    budget = share * request.budget
    return measure(calls, alone, request.threads, budget, request.seed)
