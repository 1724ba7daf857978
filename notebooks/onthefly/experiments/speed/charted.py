"""The talk's first chart: its own programs, of those that need no GPU.

Source: Okuda, PyCon JP 2018, slide 4; the programs, slides 13, 18, 51 and 52.
Each library is imported by the first call, so that it may be missing.
"""


def charted(threads):
    """Return {way: function of the shots} in the chart's order, slow to fast.

    threads  of the last way, among which it shares the shots
    """

    def threaded(shots):
        from onthefly.kernels.pi.pi_numba import pi_numba_threads

        return pi_numba_threads(shots, threads)

    return {
        "Python": python,
        "NumPy": numpy,
        "TensorFlow": tensorflow,
        "Numba": numba,
        "C": c,
        "Numba, threads": threaded,
    }


def python(shots):
    """Return π by slide 13's loop."""
    from onthefly.kernels.pi.pi_python_talk import pi_python_talk

    return pi_python_talk(shots)


def numpy(shots):
    """Return π by slide 18's arrays."""
    from onthefly.kernels.pi.pi_ports import pi_numpy_double

    return pi_numpy_double(shots)


def tensorflow(shots):
    """Return π by slide 52's operations, one at a time."""
    from onthefly.kernels.pi.pi_tensorflow_printed import (
        pi_tensorflow_printed,
    )

    return pi_tensorflow_printed(shots)


def numba(shots):
    """Return π by slide 13's loop, compiled."""
    from onthefly.kernels.pi.pi_numba import pi_numba

    return pi_numba(shots)


def c(shots):
    """Return π by slide 13's loop in C."""
    from onthefly.kernels.pi.pi_c import pi_c

    return pi_c(shots, generator="rand_r")
