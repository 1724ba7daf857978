"""What of all that was tried gains, in words."""

from confirming.advice import title
from confirming.found import PAYS
from confirming.numbers import count
from onthefly.findings import listed


def choice(found):
    """Return what of all that was tried gains most, and how much.

    All at the largest size at which each was tried.
    """
    tried = _gains(found)
    common = set.intersection(*map(set, tried.values()))
    size = max(common, default=None)
    at = {way: size or max(gains) for way, gains in tried.items()}
    met = [(way, *tried[way][n], n) for way, n in at.items()]
    met.sort(key=lambda one: -one[2].value)
    first, *others = (
        f"{name}, {speed} as fast at n = {count(n)}"
        for _, name, speed, n in met
    )
    said = "; then ".join(filter(None, [first, "; ".join(others)]))
    if size is None:
        said += " (each at its own largest size: they have none in common)"
    speeds = [speed for _, _, speed, _ in met]
    # Threads that took turns gained nothing: another core was faster.
    if speeds[0].low > PAYS and not (met[0][0] == "threads" and found.held):
        return f"most gains {said}"
    if all(speed.high <= PAYS for speed in speeds):
        return f"nothing that was tried pays; the best is {said}"
    return f"not resolved; the best is {said}"


def _gains(found):
    """Return {way: {size: (its name there, gain)}} of all that was tried."""
    fast = found.compiled
    gains = {
        what: {n: (f"{k} {what}", speed) for n, (k, speed) in best.items()}
        for what, best in [
            ("threads", found.best),
            ("processes", found.best_apart),
        ]
    }
    # What came compiled has no gain to come.
    if not fast.differs and not fast.already:
        gains |= {
            name: {n: (name, speed) for n, speed in some.items()}
            for name, some in [
                ("numba.njit", fast.gains),
                ("numba.njit on arrays", fast.with_arrays),
            ]
        }
    return {way: some for way, some in gains.items() if some}


def numba(found):
    """Return what numba.njit makes of the function."""
    c = found.compiled
    if c.error:
        helped = (
            f" (compiled with {listed(c.helpers)}, too, it fails as well)"
            if c.helpers
            else ""
        )
        lists = "; try arrays in place of lists" * (found.form == "lists")
        return f"not measured: {c.error}{helped}{lists}"
    most = max(c.gains)
    said = (
        f"compiled, {c.gains[most]} as fast at n = {count(most)}; the "
        f"first call, which compiles, takes {c.first_call}"
    )
    if c.with_arrays:
        said += f"; given arrays in place of lists, {c.with_arrays[most]}"
    if c.already:
        said = (
            f"given compiled; its plain form, .py_func, is the other: {said}"
        )
    if c.helpers:
        said += (
            f"; with {listed(c.helpers)} compiled, too (alone: {c.refused}): "
            f"decorate {'it' if len(c.helpers) == 1 else 'each of them'}"
        )
    return f"{said}; {_same_compiled(c)}"


def _same_compiled(compiled):
    """Return whether its results are the same, in words."""
    if compiled.differs:
        n = compiled.differs
        return (
            f"NOT THE SAME results from n = {count(n)} on: "
            f"{compiled.results[n]}"
        )
    kinds = set(compiled.results.values())
    for kind, words in {
        "opaque": "its results cannot be compared",
        "none": "it returns nothing: not comparable",
        "random": "it gets another result at each call: not comparable",
        "close": "the same results, apart from rounding",
    }.items():
        if kind in kinds:
            return words
    return "the same results at every size"


def like(like):
    """Return which of the eight problems it behaves like, in words."""
    if not like.name:
        return f"cannot tell which of the book's eight problems: {like.why}"
    return f"behaves like {title(like.name)}; {like.why}"


def processes(found):
    """Return what processes make of it, in words."""
    if found.pooled.error:
        return f"not measured: {found.pooled.error}"
    largest = max(found.best_apart)
    workers, speed = found.best_apart[largest]
    gain = (
        f"at n = {count(largest)} {workers} processes do the work {speed} as "
        "fast as one"
    )
    start = found.processes_pay_from
    if start is not None:
        where = (
            "at every size tried"
            if start == min(found.best_apart)
            else f"from n = {count(start)} on"
        )
        return f"processes pay {where}: {gain}"
    every = [s[n] for s in found.apart.values() for n in found.best_apart]
    if all(speed.high <= PAYS for speed in every):
        return f"processes do not pay up to n = {count(largest)}: {gain}"
    return f"processes: not resolved up to n = {count(largest)}: {gain}"


def handing(found):
    """Return what it costs to give a pool one call."""
    said = f"{found.handing} to give a pool of threads one call"
    if found.pooled.error:
        return said
    sent = found.pooled.sent
    return (
        f"{said}, {found.pooled.handing} one of processes, without the time "
        f"for what is sent ({count(sent)} bytes of arguments at the largest "
        f"size); the processes take {found.pooled.start} to start"
    )
