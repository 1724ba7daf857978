"""The small network with its optimiser, eager and in a graph of version 1.

Both know the same objects by the same names, so that a tf.train.Checkpoint
of one fits the other.
"""

import numpy as np

from onthefly.experiments.tensorflow import optimiser
from onthefly.kernels import perceptron
from onthefly.kernels.perceptron.perceptron_eager import loss
from onthefly.tools.quiet_tensorflow import tf

v1 = tf.compat.v1
MOMENTUM = 0.9


class Model:
    """What both trainings have: variables, an optimiser, and its steps.

    seed  of the weights before training
    """

    def __init__(self, seed):
        self.variables = [
            v1.Variable(w, use_resource=True, name=f"w{k}")
            for k, w in enumerate(perceptron.start(seed))
        ]
        self.optimizer = v1.train.MomentumOptimizer(perceptron.RATE, MOMENTUM)
        self.step = v1.Variable(0, use_resource=True, name="step")
        self.checkpoint = tf.train.Checkpoint(
            weights=self.variables, optimizer=self.optimizer, step=self.step
        )

    def minimize(self, error):
        """Take a step, or add it to the graph; `error` as there."""
        return self.optimizer.minimize(
            error, var_list=self.variables, global_step=self.step
        )

    def everything(self):
        """Return {name: variable}, the optimiser's included."""
        variables = {"step": self.step}
        for k, w in enumerate(self.variables):
            variables[f"weight {k}"] = w
            variables[f"momentum {k}"] = self.optimizer.get_slot(
                w, "momentum"
            )
        return variables


class Eager(Model):
    """A training that runs as Python comes to it."""

    def __init__(self, seed):
        super().__init__(seed)
        # So that they are there before the first step, as in a graph.
        self.optimizer._create_slots(self.variables)

    def train(self, x, y):
        """Take a step for each batch of x and y."""
        for xs, ys in zip(x, y, strict=True):
            self.minimize(lambda xs=xs, ys=ys: loss(self.variables, xs, ys))

    def save(self, prefix):
        """Write a checkpoint; return its path."""
        return self.checkpoint.save(str(prefix))

    def restore(self, path):
        """Take all values from a checkpoint.

        Raises AssertionError where it holds none for a variable of ours, or
        one for which we have no variable.
        """
        self.checkpoint.restore(path).assert_consumed()

    def state(self):
        """Return {name: array} of all variables."""
        return {k: v.numpy() for k, v in self.everything().items()}


class Graph:
    """A training in a graph of version 1; methods as those of `Eager`.

    seed     of the weights before training
    rewrite  whether TensorFlow may rewrite the graph before it runs it
    """

    def __init__(self, seed, rewrite=True):
        self._graph = tf.Graph()
        with self._graph.as_default():
            self.model = Model(seed)
            self._x = v1.placeholder(tf.float32, [None, perceptron.INPUTS])
            self._y = v1.placeholder(tf.float32, [None, 1])
            error = loss(self.model.variables, self._x, self._y)
            self._train = self.model.minimize(error)
            self._start = v1.global_variables_initializer()
            self._saver = v1.train.Saver(self.model.everything())
        config = optimiser.config("both" if rewrite else "neither")
        self._session = v1.Session(graph=self._graph, config=config)
        self._session.run(self._start)

    def train(self, x, y):
        """Take a step for each batch of x and y."""
        for xs, ys in zip(x, y, strict=True):
            self._session.run(self._train, {self._x: xs, self._y: ys})

    def save(self, prefix):
        """Write a checkpoint; return its path."""
        with self._graph.as_default(), self._session.as_default():
            return self.model.checkpoint.save(str(prefix))

    def save_by_name(self, prefix):
        """Write a checkpoint as version 1 did, by the names of variables."""
        with self._graph.as_default():
            return self._saver.save(self._session, str(prefix))

    def restore(self, path):
        """Take all values from a checkpoint; raises as `Eager.restore`."""
        with self._graph.as_default():
            status = self.model.checkpoint.restore(path)
            status.assert_consumed().run_restore_ops(self._session)

    def state(self):
        """Return {name: array} of all variables."""
        return self._session.run(self.model.everything())


def read_by_name(path, variables):
    """Give variables the values that `Graph.save_by_name` wrote.

    variables  {name: variable}
    """
    reader = tf.train.load_checkpoint(path)
    for name, variable in variables.items():
        variable.assign(reader.get_tensor(name))


def differing(some, others):
    """Return the names of the variables whose bits differ.

    some, others  {name: array}
    """
    return [
        name
        for name in some.keys() | others.keys()
        if name not in some
        or name not in others
        or some[name].tobytes() != others[name].tobytes()
    ]


def farthest(some, others):
    """Return the largest difference of a number; arguments as above."""
    return max(
        float(np.abs(value - others[name]).max())
        for name, value in some.items()
    )


def drift(one, other):
    """Return how two trainings have drifted apart, JSON-ready.

    one, other  `Eager` or `Graph`

    The names of the variables whose bits differ, sorted, and the largest
    difference of a number.
    """
    some, others = one.state(), other.state()
    return {
        "differing": sorted(differing(some, others)),
        "farthest": farthest(some, others),
    }


def stored(path):
    """Return {name in the checkpoint: bytes} of the numbers it holds."""
    reader = tf.train.load_checkpoint(path)
    return {
        name: reader.get_tensor(name).nbytes
        for name, _ in tf.train.list_variables(path)
        if name != "_CHECKPOINTABLE_OBJECT_GRAPH"
    }
