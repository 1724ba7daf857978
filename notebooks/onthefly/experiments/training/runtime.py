"""How often Python asks TensorFlow's runtime to run something."""

import sys
from collections import Counter

# An operation or a tf.function; an operation by its slow path; a session.
RUN = ("TFE_Py_FastPathExecute", "TFE_Py_Execute", "TF_SessionRun_wrapper")


def runtime_calls(function, *arguments):
    """Count the calls of a function from Python into the runtime.

    Each runs an operation, or a graph, whatever its size.
    """
    called = Counter()

    def note(frame, event, what):
        if event == "c_call":
            called[what.__name__] += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        function(*arguments)
    finally:
        sys.setprofile(before)
    return sum(called[name] for name in RUN)


def calls_of_a_step(trainer, x, y):
    """Return the calls from Python into the runtime that one step costs.

    trainer  of the small network (kernels/perceptron), trained already: a
             first call makes graphs
    x, y     batches, an even number of them

    What a training costs by itself falls out, as half of one is taken off.
    """
    half = len(x) // 2
    all_steps = runtime_calls(trainer.train, x, y)
    half_of_them = runtime_calls(trainer.train, x[:half], y[:half])
    return (all_steps - half_of_them) / (len(x) - half)
