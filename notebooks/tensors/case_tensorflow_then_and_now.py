"""What *Has TensorFlow become faster since 2018?* concludes."""

from onthefly.experiments.then import tensorflow as then_tensorflow
from onthefly.page import expect, figure, judge

FORMS = ("eager", "session", "while_loop")


def over_numpy(times, many):
    """Return how many times faster than the NumPy of its time each is."""
    beside = {"today": "NumPy, today"}
    return {
        f"{form}, {version}": times.ratio(
            beside.get(version, "NumPy, 1.9"), f"{form}, {version}", many
        )
        for version, forms in then_tensorflow.FORMS.items()
        for form in forms
        if form in FORMS
    }


@figure(x="how much faster than NumPy, at a million points", reference=1)
def gains(over_numpy):
    return over_numpy


@expect
def ahead(over_numpy):
    return [q > 1 for q in over_numpy.values()]


@judge("eager-cpu-against-numpy")
def eager_against_numpy(over_numpy):
    return over_numpy["eager, 1.5"], over_numpy["eager, today"]


@judge("session-cpu-against-numpy")
def session_against_numpy(over_numpy):
    return over_numpy["session, 1.4"], over_numpy["session, today"]


def _since(times, size):
    return {
        form: times.ratio(f"{form}, 1.9", f"{form}, today", size)
        for form in ("NumPy", *FORMS)
    }


def small(times, few):
    """Return how many times faster than 1.9 today's is at few points."""
    return _since(times, few)


def large(times, many):
    return _since(times, many)


def slower_calls(times, few):
    return times.ratio("eager, today", "eager, 1.9", few)


def _alike(ratios):
    return [(q > 0.7, q < 1.4) for q in ratios]


@expect
def graphs_alike(small):
    return _alike([small["session"], small["while_loop"]])


@expect
def faster_at_many(large):
    return _alike([large["NumPy"]]), [large[form] > 1.3 for form in FORMS]


@expect
def alike_by_avx(by_avx):
    return _alike(by_avx.values())


@figure(x="how much faster today's is than TensorFlow 1.9", reference=1)
def headline(small, large):
    """NumPy's bars compare the NumPy of 2018 with today's. Below 1, today's
    is slower.
    """
    return {
        f"{form}, {points} points": of[form]
        for points, of in (("100", small), ("a million", large))
        for form in of
    }


def calls(times, few):
    return {
        name: times.seconds(name, few)
        for name in times.names
        if name.startswith(FORMS) and not name.startswith("eager while")
    }


@expect
def loop_cheapest(calls):
    return [
        calls[f"while_loop, {k}"] < calls[f"session, {k}"]
        for k in ("1.9", "today")
    ]


def loop_at_few(times, few):
    return times.ratio("session, 1.4", "while_loop, 1.4", few)


@judge("while-cpu-against-session-cpu")
def while_against_session(times, many):
    """At a hundred points the loop is {loop_at_few.as_speed} runs."""
    return tuple(
        times.ratio(f"session, {k}", f"while_loop, {k}", many)
        for k in ("1.4", "today")
    )


@judge("eager-avx-build")
def avx_build(by_avx):
    return by_avx["eager"]


@judge("while-under-eager")
def while_under_eager(under):
    return under["1.5"], under["today"]
