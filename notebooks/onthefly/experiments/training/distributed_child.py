"""A worker among others: TensorFlow in a process forked for it.

See distributed, which forks it; the library that keeps sockets on loopback
stands before its ``bind``.
"""

import time

import psutil

from onthefly import clock
from onthefly.experiments.graphs.server_child import LOOPBACK
from onthefly.experiments.graphs.worker_child import cores_used
from onthefly.kernels import perceptron
from onthefly.kernels.perceptron_eager import descend
from onthefly.tools.quiet_tensorflow import tf

_state = {}  # of this worker: its strategy, variables and step


def on_loopback():
    """Return whether all sockets of this process are on loopback."""
    sockets = psutil.Process().net_connections("inet")
    return all(each.laddr.ip in LOOPBACK for each in sockets)


def join(seed):
    """Join the cluster of TF_CONFIG; return whether we are on loopback.

    seed  of the weights, the same ones for all

    Waits until all workers have joined.
    """
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    if not on_loopback():
        raise RuntimeError("a socket that is not on loopback")
    begin(strategy, seed)
    return True


def two_devices(seed):
    """Make two devices of this process's processor, and share the work."""
    processor = tf.config.list_physical_devices("CPU")[0]
    logical = tf.config.LogicalDeviceConfiguration()
    tf.config.set_logical_device_configuration(processor, [logical] * 2)
    devices = [d.name for d in tf.config.list_logical_devices("CPU")]
    begin(tf.distribute.MirroredStrategy(devices), seed)
    return devices


def alone(seed):
    """Train on one device, without another worker."""
    begin(tf.distribute.OneDeviceStrategy("/cpu:0"), seed)


def begin(strategy, seed):
    """Make the network's weights as a strategy keeps them."""
    with strategy.scope():
        variables = [
            tf.Variable(w, aggregation=tf.VariableAggregation.MEAN)
            for w in perceptron.start(seed)
        ]
    _state.update(strategy=strategy, variables=variables)
    _state["step"] = tf.function(step)


def step(x, y):
    """Take one step on all replicas, each with rows of its own.

    x, y  tensors of this worker's rows, or values of which each replica of
          it has its own
    """
    strategy, variables = _state["strategy"], _state["variables"]
    strategy.run(descend, (variables, x, y, perceptron.RATE))


def share(x, y, worker, workers):
    """Return this worker's rows of a batch, as its replicas take them."""
    strategy = _state["strategy"]
    local = strategy.num_replicas_in_sync // workers
    parts = [
        tuple(a[worker * local + k :: workers * local] for a in (x, y))
        for k in range(local)
    ]

    def rows(context):
        return parts[context.replica_id_in_sync_group % local]

    if local == 1:
        return tuple(map(tf.constant, parts[0]))
    made = strategy.experimental_distribute_values_from_function
    return tuple(
        made(lambda context, k=k: tf.constant(rows(context)[k]))
        for k in range(2)
    )


def train(x, y, worker=0, workers=1, eager=False):
    """Take a step for each batch; return the seconds of a step.

    x, y             batches, all rows of them
    worker, workers  which one this is, of how many
    eager            whether a step runs as Python comes to it
    """
    take = step if eager else _state["step"]
    pairs = [share(*p, worker, workers) for p in zip(x, y, strict=True)]

    def all_steps():
        for pair in pairs:
            take(*pair)

    return clock.seconds(all_steps) / len(pairs)


def weights():
    """Return the weights as arrays, of this worker's first replica."""
    values = _state["strategy"].experimental_local_results
    return [values(v)[0].numpy() for v in _state["variables"]]


def cores_of_an_operation(size):
    """Return how many cores one eager product of matrices uses."""
    a = tf.random.stateless_uniform([size, size], (1, 2))
    return cores_used(lambda: tf.linalg.matmul(a, a).numpy(), calls=5)


def at_once(product):
    """Return whether an operation's value is there when the line has run."""
    made = tf.constant(product) * 2
    return tf.executing_eagerly() and int(made) == 2 * product


def hang():
    """Wait for what never comes."""
    time.sleep(3600)
