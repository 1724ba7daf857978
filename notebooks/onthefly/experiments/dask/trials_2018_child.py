"""π by TensorFlow 1.9 under Dask 0.18: for `trials_2018`, from Python 3.6.

As the talk writes it.  Source: Okuda, PyCon JP 2018, slides 52 to 54.
"""

import dask
import numpy as np
import tensorflow as tf

from onthefly.experiments.then.listings_child import pi_tensorflow

_made = {}  # the form that this process runs, and its estimate of π


def by_eager():
    """Return an estimate of π by eager execution."""
    tf.enable_eager_execution()
    return lambda n: pi_tensorflow(n).numpy()


def by_session():
    """Return an estimate of π by a session that all threads share."""
    tf_n = tf.placeholder(tf.int32, [], name="n")
    tf_graph = pi_tensorflow(tf_n)
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    return lambda n: session.run(tf_graph, feed_dict={tf_n: n})


MAKERS = {"eager": by_eager, "session": by_session}


def by_dask(get_pi, n, m):
    """Return π by so many delayed tasks in as many threads."""
    ps = [dask.delayed(get_pi)(int(n / m)) for _ in range(m)]
    mn = dask.delayed(np.mean)(ps)
    return float(mn.compute(scheduler="threads", num_workers=m))


def estimates(form, shots, rounds, threads):
    """Return so many estimates of π by a form, each in so many threads."""
    if form not in _made:
        _made[form] = MAKERS[form]()
    return [by_dask(_made[form], shots, threads) for _ in range(rounds)]
