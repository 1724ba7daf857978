"""What *Why do GPU timings look too good?* concludes."""

from onthefly.page import answer, expect, figure


def off(seen, most):
    return seen.ratio("until it is done", "until it returns", most)


def grown(seen, shots, most):
    """Return {clock: its growth from the fewest shots to the most}."""
    return {
        name: seen.seconds(name, most) / seen.seconds(name, shots[0])
        for name in seen.names
    }


@figure(x="points")
def clocks_figure(seen):
    return seen


def first_look(later, most):
    return later.seconds("the first look", most)


def second_look(later, most):
    return later.seconds("the second look", most)


def rested_look(rested, most):
    return rested.seconds("the first look", most)


@answer("clock-stops-early")
def clock_stops_early(off, grown):
    """Stop the clock after you have read a number of the result, or after the
    library's own wait: if the time hardly grows with the work, the call only
    queued it. Here a call of TensorFlow, asynchronous as on a GPU, took
    {off.about} longer until its numbers were there than until it returned, at
    {most:,} points.
    """
    return off > 3, grown["until it is done"] / grown["until it returns"] > 3


@figure(x="time until it returns, over the time of the work")
def looks_figure(waits, looks, most):
    """A call on {most:,} points, and one operation on its result `r`."""
    whole = waits.seconds("float(r[0])", most)
    return {
        name: (waits.seconds(name, most) / whole).named("%")
        for name in looks
        if name != "float(r[0])"
    }


@expect
def some_wait(looks_figure):
    waiting = "len(r)", "tf.reduce_sum(r)"
    return [
        q > 0.5 if name in waiting else q < 0.5
        for name, q in looks_figure.items()
    ]


def without_shape(asked, most):
    return asked.ratio("axis 0", "all axes", most).named("%")


def shape(asked, most):
    return asked.ratio("shape", "all axes", most).named("%")


def waited(watch):
    """Return {clock: the time with the wait over what it shows}."""
    return {k: watch.ratio("wait", k) for k in ("no wait", "CUDA events")}


@expect
def clocks_agree(waited):
    return waited["no wait"] > 1, waited["CUDA events"] > 0.95


@figure(x="time of ten million points", log=True)
def stopwatches_figure(watch):
    """With the wait, the time is {waited[no wait].about} that without it, and
    {waited[CUDA events].about} that of the events.
    """
    return watch
