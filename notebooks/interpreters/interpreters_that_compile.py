"""What *Interpreters that compile* concludes."""

from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, table
from onthefly.page.missing import Missing


def interpreters(builds):
    return "; ".join(builds)


def plain(builds):
    """Return the CPythons that differ in their version alone."""
    ends = ("t", "JIT", "packaged")
    return [k for k in _cpythons(builds) if not k.endswith(ends)]


def _cpythons(builds, end=""):
    return [k for k in builds if k.startswith("CPython") and k.endswith(end)]


def base(plain):
    return plain[0]


def newest(plain):
    return plain[-1]


def pypy(builds):
    return [name for name in builds if name.startswith("PyPy")][-1]


@expect
def all_right(builds, right):
    return [sorted(names) == sorted(builds) for names in right.values()]


@expect
def one_kind(builds, plain, base):
    return [builds[k]["guided"] == builds[base]["guided"] for k in plain]


def gains(times, base):
    """Return {loop: {interpreter: times as fast as the first CPython}}."""
    return {
        loop: {k: t.ratio(base, k) for k in t.names if k != base}
        for loop, t in times.items()
    }


@table
def faster(gains):
    """Times as fast as {base}."""
    names = dict.fromkeys(k for gain in gains.values() for k in gain)
    return [_row(name, gains) for name in names if "packaged" not in name]


def _row(name, gains):
    found = {k: gain[name].short for k, gain in gains.items() if name in gain}
    return {"interpreter": name} | found


@figure(log=True, reference=1)
def gains_figure(gains, base, newest, pypy):
    """Four loops, warm: times as fast as {base}."""
    return {
        f"{loop}, {k}": gain[k]
        for loop, gain in gains.items()
        for k in (newest, pypy, "Numba")
        if k in gain
    }


def _change(times, old, new):
    """Return how many times as fast as by `old` the loops are by `new`."""
    each = [t.ratio(old, new) for t in times.values()]
    each.sort(key=lambda q: q.value)
    return {"least": each[0], "most": each[-1], "each": each}


def by_pypy(times, base, pypy):
    numbers = {loop: t for loop, t in times.items() if loop != "words"}
    return _change(numbers, base, pypy)


@expect
def pypy_gains(by_pypy):
    return [gain > 1 for gain in by_pypy["each"]]


def by_words(times, base, pypy):
    return times["words"].ratio(base, pypy)


def numba_ahead(times, pypy):
    ahead = [
        t.ratio(pypy, "Numba") > 1
        for t in times.values()
        if "Numba" in t.names
    ]
    held = Quantity.held(ahead) if ahead else None
    if held and held.value == 1:
        return f"all {len(ahead)}"
    return held.note if held else "none"


def newer(times, base, newest):
    return _change(times, base, newest)


@expect
def far_less(newer):
    return [(q > 0.5, q < 2) for q in newer["each"]]


def jit(builds):
    return _last(builds, " JIT")


def unlocked(builds):
    return _last(builds, "t")


def _last(builds, end):
    found = _cpythons(builds, end)
    return found[-1] if found else Missing("there is no such build")


def by_jit(times, jit):
    return _change(times, jit.removesuffix(" JIT"), jit)


@expect
def jit_gains(by_jit):
    return by_jit["most"] > 1.1, [q > 0.8 for q in by_jit["each"]]


def without_lock(times, unlocked):
    return _change(times, unlocked.removesuffix("t"), unlocked)


def packaged(builds):
    found = _cpythons(builds, ", packaged")
    return found if len(found) > 1 else Missing("no two packages are here")


@table
def faster_packaged(times, packaged):
    """Times as fast as {packaged[0]}."""
    first, *others = packaged
    gains = {
        loop: {k: t.ratio(first, k) for k in others}
        for loop, t in times.items()
    }
    return [_row(name, gains) for name in others]


def last_package(packaged):
    return packaged[-1].replace(" JIT", "")


def since(times, packaged, last_package):
    return _change(times, packaged[0], last_package)


def switched(times, packaged, last_package):
    """Return what the newest package gains from its JIT."""
    on = last_package.replace(",", " JIT,")
    lack = Missing("no package here has a JIT")
    return _change(times, last_package, on) if on in packaged else lack


@answer("does-the-jit-pay")
def does_the_jit_pay(switched, by_pypy):
    """{last_package} by a distribution, has it switched off. With
    `PYTHON_JIT=1` four loops of plain Python, once they are warm, are
    {switched[least].about} to {switched[most].about} as fast as without; PyPy
    makes those that compute {by_pypy[least].about} to {by_pypy[most].about}
    as fast as {base}.
    """
    return switched["most"] > 1, [q > 0.8 for q in switched["each"]]


def calls_taken(first):
    """Return {interpreter: {number of a call: its time}}."""
    return {
        k: {i: Quantity.exact(t, "s") for i, t in enumerate(taken, 1)}
        for k, taken in first.items()
    }


@figure(x="call", y="time of the call", time="y")
def first_calls_figure(calls_taken, base, newest, pypy):
    return {k: calls_taken[k] for k in (base, newest, pypy)}


def _settled(taken):
    return sorted(taken[20:])[10]


def to_settle(first):
    """Return {interpreter: its first call that takes as long as later}."""
    return {
        k: next(i for i, t in enumerate(c, 1) if t < 1.3 * _settled(c))
        for k, c in first.items()
    }


def lost_first(first, to_settle, pypy):
    cold = first[pypy][: to_settle[pypy] - 1]
    lost = sum(cold) - len(cold) * _settled(first[pypy])
    return Quantity.exact(lost, "s")


def megabytes(most_memory):
    return {name: round(size / 1e6) for name, size in most_memory.items()}


@figure(x="time of a call of the C extension")
def extension_figure(calls):
    return calls


def border(calls, pypy, base):
    lack = Missing("PyPy has not loaded the extension")
    return calls.ratio(pypy, base) if pypy in calls.names else lack


@answer("does-pypy-pay")
def does_pypy_pay(pypy_gains, border):
    """For plain Python that computes: three loops are {by_pypy[least].about}
    to {by_pypy[most].about} as fast under {pypy} as under {base}, once they
    are warm; counting words is {by_words.as_speed} it. A call of a C
    extension under CPython is {border.as_speed} under PyPy.
    """
    return pypy_gains, border > 1
