"""A worker among others: TensorFlow in a process forked for it.

See distributed, which forks it; the library that keeps sockets on loopback
stands before its ``bind``.
"""

import psutil

from onthefly.experiments.graphs.server_child import LOOPBACK, listen
from onthefly.kernels import perceptron
from onthefly.kernels.perceptron.perceptron_eager import descend
from onthefly.measure import clock
from onthefly.tools.quiet_tensorflow import tf

__all__ = ["listen"]  # asked for, as what stands below

_state = {}  # of this worker: its strategy, variables and step


def join(seed):
    """Join the cluster of TF_CONFIG, and wait until all have.

    seed  of the weights, the same ones for all

    Returns the addresses of this worker's sockets; raises RuntimeError
    where one is not on loopback.
    """
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    sockets = psutil.Process().net_connections("inet")
    addresses = sorted({each.laddr.ip for each in sockets})
    if not set(addresses) <= set(LOOPBACK):
        raise RuntimeError(f"a socket is not on loopback: {addresses}")
    begin(strategy, seed)
    return addresses


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
    here = strategy.num_replicas_in_sync // workers
    if here == 1:
        return tf.constant(x[worker::workers]), tf.constant(
            y[worker::workers]
        )
    made = strategy.experimental_distribute_values_from_function
    return tuple(
        made(lambda replica, a=a: tf.constant(
            a[replica.replica_id_in_sync_group::here]
        ))
        for a in (x, y)
    )  # fmt: skip


def train(x, y, worker=0, workers=1, eager=False):
    """Take a step for each batch; return the seconds of a step.

    x, y             batches, all rows of them
    worker, workers  which one this is, of how many; one with several devices
                     is alone
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


def threads_of_an_operation(size):
    """Return how many threads one eager product of matrices keeps busy.

    size  of the square matrices: large enough that the system's clock, of
          10 ms, sees each thread that computes
    """
    a = tf.random.stateless_uniform([size, size], (1, 2))
    tf.linalg.matmul(a, a).numpy()
    before = _busy()
    for _ in range(5):
        tf.linalg.matmul(a, a).numpy()
    return sum(spent > before.get(k, 0) for k, spent in _busy().items())


def _busy():
    """Return {thread: processor seconds} of this process."""
    threads = psutil.Process().threads()
    return {t.id: t.user_time + t.system_time for t in threads}


def at_once(number):
    """Return what twice a number is, where that is there at once, or None."""
    made = tf.constant(number) * 2
    return int(made) if tf.executing_eagerly() else None


def elsewhere(address):
    """Add 1 and 2 on a server, eagerly; return where, and the sum."""
    workers = tf.train.ClusterSpec({"worker": [address]})
    tf.config.experimental_connect_to_cluster(workers)
    with tf.device("/job:worker/task:0"):
        made = tf.constant(1) + 2
    return made.device, int(made)
