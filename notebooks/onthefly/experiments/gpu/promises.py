"""When a queued call makes its caller wait: at which look at its result.

In TensorFlow's asynchronous mode an operation on the processor is queued, as
it is on a GPU: the call returns a tensor whose numbers come later.
"""

import time

from onthefly.experiments.gpu.tensor_trials import two_clocks


def first_number(tensor):
    """Return the first number of a tensor, which waits until it is there."""
    return float(tensor[0])


def clocks(call, wait=first_number):
    """Return a sampler of `call` by two clocks; see `two_clocks`.

    wait  function of what `call` returns; returns when that is there

    It takes the arguments of `call`, and returns the seconds "until it
    returns" and "until it is done".
    """

    def take(*arguments):
        returned, done = two_clocks(lambda: call(*arguments), wait)
        return {"until it returns": returned, "until it is done": done}

    return take


def until(call, look, wait=first_number):
    """Return a sampler: the seconds of `call` and one look at its result.

    look  function of what `call` returns
    wait  as in `clocks`; comes after the clock has stopped
    """

    def take(*arguments):
        start = time.perf_counter()
        out = call(*arguments)
        look(out)
        taken = time.perf_counter() - start
        wait(out)
        return taken

    return take


def put_off(call, pause=0.0, look=first_number):
    """Return a sampler of `call` and of two looks at its result, one by one.

    pause  seconds to sleep between the call and the first look
    look   function of what `call` returns

    It returns the seconds of "the call", "the first look" and "the second
    look".
    """

    def take(*arguments):
        marks = [time.perf_counter()]
        out = call(*arguments)
        marks.append(time.perf_counter())
        time.sleep(pause)
        for _ in range(2):
            start = time.perf_counter()
            look(out)
            marks.append(time.perf_counter() - start)
        begin, returned, first, second = marks
        return {
            "the call": returned - begin,
            "the first look": first,
            "the second look": second,
        }

    return take
