"""What *Do libraries work without the GIL?* concludes."""

from onthefly.experiments.interpreters import library_child
from onthefly.experiments.interpreters.library_trials import OWN
from onthefly.experiments.interpreters.small_arrays import WAYS
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, table

IN_TURN, ONE, EACH = library_child.WAYS

AXIS = "two threads, times faster than one after the other"


def asked(tried):
    """Return how many libraries load, which do not, and which lock."""
    others = [row for row in tried if row["library"] not in OWN]
    load = [row for row in others if row["version"]]
    return {
        "load": len(load),
        "absent": _list(row for row in others if not row["version"]),
        "lock": _list(row for row in load if row["gil"]),
    }


def _list(rows):
    return ", ".join(row["library"] for row in rows) or "none"


@expect
def none_locks(asked):
    return asked["load"] > 0, asked["lock"] == "none"


def locked(tried):
    """Return {library: whether it brought the GIL back}."""
    return {row["library"]: row["gil"] for row in tried if row["version"]}


@table
def libraries(tried):
    """Libraries under CPython {build[version]} without the GIL. Not installed
    here, and so not tried: {asked[absent]}.
    """
    right = {True: "right", False: "wrong"}
    return [
        {
            "library": row["library"],
            "version": "" if row["library"] in OWN else row["version"],
            "GIL after the import": "on" if row["gil"] else "off",
            "in two threads": right.get(row.get("right")),
        }
        for row in tried
        if row["version"]
    ]


@expect
def switched(locked):
    return locked["pi_c"], not locked["pi_c, declared"]


@expect
def all_right(tried):
    return [row["right"] for row in tried if "right" in row]


def gain(times):
    """Return {how: {library: times faster than one after the other}}."""
    names = dict.fromkeys(k.rpartition(", ")[0] for k in times.names)
    return {
        how: {n: times.ratio(f"{n}, {IN_TURN}", f"{n}, {how}") for n in names}
        for how in (ONE, EACH)
    }


def gaining(gain, locked):
    """Return which libraries gain, and which of these least and most."""
    gains = gain[EACH]
    free = [n for n in gains if n not in OWN and not locked[n]]
    gainers = [n for n in free if gains[n].value > 1]
    gainers.sort(key=lambda name: gains[name].value)
    worst, best = gainers[0], gainers[-1]
    ends = {"least": gains[worst], "most": gains[best]}
    many = {"count": len(gainers), "of": len(free)}
    return {"worst": worst, "best": best} | ends | many


@expect
def gain_holds(gain, locked, gaining):
    free = [q > 1 for n, q in gain[EACH].items() if not locked[n]]
    most = gaining["most"]
    return Quantity.held(free) > 0.5, gaining["least"] > 1, most > 1, most < 2


def declared(gain):
    return gain[EACH]["pi_c, declared"]


@expect
def held_back(gain, locked, declared):
    held = [q < 1.2 for n, q in gain[EACH].items() if locked[n]]
    return held, declared > 1.2


@expect
def reading_is_free(gain):
    ratios = [gain[ONE][n] / gain[EACH][n] for n in ("numpy", "pandas")]
    return [(q > 0.75, q < 1.25) for q in ratios]


def numba_loses(times):
    return times.ratio(f"numba, {EACH}", f"numba, {IN_TURN}")


@figure(x=AXIS, reference=1)
def headline_figure(gain):
    """Thousands of small calls, each thread with data of its own. The GIL is
    on again for pi_c only.
    """
    return gain[EACH]


@answer("libraries-without-the-gil")
def libraries_without_the_gil(all_right, none_locks):
    """Try it: the large ones are ready, but ask sys._is_gil_enabled() after
    your imports, since one extension that is not ready switches the GIL on
    again. Of {asked[load]} libraries tried here under CPython
    {build[version]}, none did, and their results in two threads were right.
    """
    return all_right, none_locks


def by_size(small, lengths):
    return {n: small.ratio(*WAYS, n) for n in lengths}


@figure(x="numbers per array", y=AXIS, logy=False, better="more")
def sizes_figure(by_size):
    """np.add without the GIL, each thread with arrays of its own: long arrays
    gain more.
    """
    return {"np.add": by_size}


@expect
def longer_gains(by_size):
    least, most = min(by_size), max(by_size)
    return by_size[most] > 1, by_size[most] > by_size[least]


@answer("small-arrays-in-threads")
def small_arrays_in_threads(by_size, longer_gains):
    """Make the arrays large, or compile the loop around the small calls. Two
    threads of NumPy without the GIL were {by_size[10].about} faster than one
    with 10 numbers per array, and {by_size[100000].about} with 100,000.
    """
    return longer_gains
