"""The distributed training of the slides of 2017: a monitored session."""

from onthefly.experiments.training.slides import ADAGRAD
from onthefly.kernels import perceptron
from onthefly.kernels.perceptron.perceptron_eager import loss
from onthefly.tools.quiet_tensorflow import tf

v1 = tf.compat.v1


def monitored(weights, batches, last_step, master=""):
    """Train as the slides do; return the weights and the step at the end.

    The weights are lists of numbers.

    weights    before training
    batches    iterator of (x, y), which may have more than are needed
    last_step  at which the hook stops
    master     "grpc://host:port" of a server; "" for this process
    """
    with tf.Graph().as_default():
        x = v1.placeholder(tf.float32, [None, perceptron.INPUTS])
        y = v1.placeholder(tf.float32, [None, 1])
        variables = [v1.Variable(w, use_resource=True) for w in weights]
        optimizer = v1.train.AdagradOptimizer(ADAGRAD)
        step = v1.train.get_or_create_global_step()
        train_op = optimizer.minimize(loss(variables, x, y), global_step=step)
        with tf.control_dependencies([train_op]):
            fetches = [v.read_value() for v in variables], step.read_value()

        hooks = [v1.train.StopAtStepHook(last_step=last_step)]
        with v1.train.MonitoredTrainingSession(
            master=master, hooks=hooks
        ) as mon_sess:
            while not mon_sess.should_stop():
                xs, ys = next(batches)
                learned, stopped = mon_sess.run(fetches, {x: xs, y: ys})
    return [w.tolist() for w in learned], int(stopped)
