"""What *Lists or NumPy arrays: which is faster for what?* concludes."""

from onthefly.experiments.numba.loops_then import NOW, THEN
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, figure, judge
from onthefly.page.missing import Missing


def slower(times):
    return times.ratio("loop, array", "loop, list", 10_000)


def added(times):
    return times.ratio("np.add, list", "np.add, array", 10_000)


def over_loop(times):
    return times.ratio("loop, list", "np.add, list", 10_000)


def then(old):
    return _factors(old, THEN)


def now(old):
    return _factors(old, NOW)


def _factors(old, when):
    loops = f"loop, array, {when}", f"loop, list, {when}"
    adds = f"np.add, list, {when}", f"np.add, array, {when}"
    return {"loop": old.ratio(*loops, 10_000), "add": old.ratio(*adds, 10**5)}


@judge("numpy-indexing-against-list")
def indexing_against_list(slower, then=None, now=None):
    return [then and (then["loop"], now["loop"]), (None, slower)]


@judge("numpy-add-ndarray-against-list")
def add_against_list(times, then=None, now=None):
    today = times.ratio("np.add, list", "np.add, array", 10**5)
    return [then and (then["add"], now["add"]), (None, today)]


def converted(conversion):
    return conversion.ratio("np.asarray(list)", "np.add, list").named("%")


def back(conversion):
    return conversion.ratio("array.tolist()", "np.add, array")


def more(of_list, of_array):
    if of_list is None:
        return Missing("one process may not watch another's steps here")
    what = "instructions"
    return Quantity.exact(of_array[what] / of_list[what], "×")


def pace(slower, more):
    return slower / more


@answer("loop-over-an-array")
def loop_over_an_array(slower, added):
    """Call a function of NumPy once for all elements, or let the loop run
    over `array.tolist()`. A list returns the object that it holds, but an
    array makes a new one at each access: at 10,000 elements a loop that adds
    one is {slower.about} slower over an array than over a list.
    """
    return slower > 1, added > 1


def gains(beyond, pairs):
    return {k: beyond.ratio(f"{k} by a loop", k) for k in pairs}


@figure(x="times faster than a Python loop, 5,000 numbers", reference=1)
def beyond_figure(gains):
    """lexsort sorts by two keys, searchsorted finds each number's place
    among sorted ones, and I/O writes a file and reads it again.
    """
    return dict(sorted(gains.items(), key=lambda one: -one[1].value))


@judge("numpy-beyond-arithmetic")
def beyond_arithmetic(gains):
    return Quantity.held(q > 1 for q in gains.values())
