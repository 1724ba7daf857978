"""Processes whose TensorFlow has settings of its own.

TensorFlow reads its numbers of threads, and some environment variables, when
it runs its first operation; later changes come too late.  A worker is forked
from a program that has imported TensorFlow and run nothing, so that many
workers pay for one import.
"""

import os

from onthefly.tools.processes import Lazy, Program

CHILD = "onthefly.experiments.graphs.worker_child"
ONEDNN = "TF_ENABLE_ONEDNN_OPTS"  # read at the import

# Statements that choose the mode, and the mode that follows.
ORDERS = {
    "": "eager",
    "disable": "graph",
    "disable, enable": "eager",
    "disable, operate, enable": "refused",
    "operate, disable": "graph",
}


def start():
    """Return the Program that workers are forked from, with oneDNN on.

    It starts with the first of its workers, and its end is theirs.  In this
    process oneDNN is off, if it has not imported TensorFlow yet.
    """
    os.environ[ONEDNN] = "0"
    return Lazy(lambda: Program(CHILD, environment={ONEDNN: "1"}))


def fork(origin, intra=0, inter=0, keep=False, **environment):
    """Return a Fork with its own TensorFlow, which has run nothing.

    It is made when it is first asked.

    origin       what `start` returned
    intra        threads that share one operation; 0: all cores
    inter        operations that run side by side; 0: all cores
    keep         whether it keeps the memory that it frees, where it can
    environment  variables that TensorFlow reads at its first operation
    """

    def forked():
        worker = origin.fork(environment)
        worker.ask("set_threads", intra, inter)
        if keep:
            worker.ask("keep_memory")
        return worker

    return Lazy(forked)


def modes_found(origin):
    """Return {statements: mode} of ORDERS, each in a process of its own."""
    answers = {}
    for order in ORDERS:
        with fork(origin) as worker:
            answer = worker.ask("modes", *filter(None, order.split(", ")))
        answers[order] = answer if answer in ORDERS.values() else "refused"
    return answers
