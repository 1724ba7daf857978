"""What *TensorFlow, then and now* concludes."""

from onthefly.experiments.then import tensorflow as then_tensorflow
from onthefly.page import expect, figure, judge

FORMS = ("eager", "session", "while_loop")


def over_numpy(times, many):
    """Return how many times as fast as the NumPy beside it each is."""
    beside = {"today": "NumPy, today"}
    return {
        f"{form}, {version}": times.ratio(
            beside.get(version, "NumPy, 1.9"), f"{form}, {version}", many
        )
        for version, forms in then_tensorflow.FORMS.items()
        for form in forms
        if form in FORMS
    }


@figure(
    x="times as fast as the NumPy beside it, at a million points",
    reference=1,
)
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


def small(times, few):
    """Return how many times as fast as 1.9 today's is at few points."""
    return {
        form: times.ratio(f"{form}, 1.9", f"{form}, today", few)
        for form in ("NumPy", *FORMS)
    }


def calls(times, few):
    return {
        name: times.seconds(name, few)
        for name in times.names
        if name.startswith(FORMS) and not name.startswith("eager while")
    }


@figure(x="time of an estimate from 100 points", log=True)
def headline(calls):
    return calls


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
