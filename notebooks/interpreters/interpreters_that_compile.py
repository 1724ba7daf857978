"""What *Would PyPy or CPython's JIT speed up your program?* concludes."""

from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure
from onthefly.page.missing import Missing


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


@figure(x="times faster", log=True, reference=1)
def gains_figure(times, base, newest, pypy, with_jit=None):
    """Four loops after warm-up, against {base}. Only the JIT's bars are
    against the same CPython without its JIT.
    """
    shown = {}
    for loop, t in times.items():
        ways = [newest, pypy, "Numba"]
        shown |= {
            f"{loop}, {k}": t.ratio(base, k) for k in ways if k in t.names
        }
        if with_jit:
            name, without = with_jit
            shown[f"{loop}, {name}"] = t.ratio(without, f"{name}, packaged")
    return shown


def _change(times, old, new):
    """Return how many times faster the loops are by `new` than by `old`."""
    each = [t.ratio(old, new) for t in times.values()]
    each.sort(key=lambda q: q.value)
    return {"least": each[0], "most": each[-1], "each": each}


def numbers(times):
    return {loop: t for loop, t in times.items() if loop != "words"}


def by_pypy(numbers, base, pypy):
    return _change(numbers, base, pypy)


@expect
def pypy_gains(by_pypy):
    return [gain > 1 for gain in by_pypy["each"]]


def by_words(times, base, pypy):
    return times["words"].ratio(base, pypy)


@expect
def numba_ahead(numbers, pypy):
    found = [t for t in numbers.values() if "Numba" in t.names]
    return [t.ratio(pypy, "Numba") > 1 for t in found] or None


def newer(times, base, newest):
    return _change(times, base, newest)


@expect
def far_less(newer, builds, plain, base):
    alike = [builds[k]["guided"] == builds[base]["guided"] for k in plain]
    return [(q > 0.5, q < 2) for q in newer["each"]], alike


def packaged(builds):
    found = _cpythons(builds, ", packaged")
    return found if len(found) > 1 else Missing("no two packages are here")


def package_gain(times, base, packaged):
    return _change(times, base, packaged[0])["most"]


def jit_version(packaged):
    return packaged[-1].replace(" JIT", "")


def with_jit(packaged, jit_version):
    """Return the newest CPython that has a JIT: its name with it, without."""
    on = jit_version.replace(",", " JIT,")
    lack = Missing("no package here has a JIT")
    return (on.split(",")[0], jit_version) if on in packaged else lack


def by_jit(times, with_jit):
    name, without = with_jit
    return _change(times, without, f"{name}, packaged")


@expect
def jit_gains(by_jit):
    return by_jit["most"] > 1, [q > 0.8 for q in by_jit["each"]]


@answer("does-the-jit-pay")
def does_the_jit_pay(jit_gains):
    """Try it with `PYTHON_JIT=1`, but expect little: it is off by default,
    and still an experiment. It made four loops of plain Python
    {by_jit[least].about} to {by_jit[most].about} faster here.
    """
    return jit_gains


def calls_taken(first):
    """Return {interpreter: {number of a call: its time}}."""
    return {
        k: {i: Quantity.exact(t, "s") for i, t in enumerate(taken, 1)}
        for k, taken in first.items()
    }


@figure(x="call", y="time of the call", time="y")
def first_calls_figure(calls_taken, base, newest, pypy):
    """The first calls of the Collatz loop in a new process."""
    return {k: calls_taken[k] for k in (base, newest, pypy)}


@expect
def ahead_at_once(first, base, pypy):
    later = sorted(first[pypy][20:])[10]
    return 2 * later < first[pypy][0] < first[base][0]


def megabytes(most_memory):
    return {name: round(size / 1e6) for name, size in most_memory.items()}


def border(calls, pypy, base):
    lack = Missing("PyPy has not loaded the extension")
    return calls.ratio(pypy, base) if pypy in calls.names else lack


@answer("does-pypy-pay")
def does_pypy_pay(pypy_gains, border):
    """Yes, if it is plain Python that computes for seconds and calls little
    C: try it first, since you need no change but another command. Three
    loops with numbers ran {by_pypy[least].about} to {by_pypy[most].about}
    faster under {pypy} than under {base}.
    """
    return pypy_gains, border > 1
