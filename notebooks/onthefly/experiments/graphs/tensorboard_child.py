"""TensorBoard in a process that ends with the one that started it."""

import logging
import sys
import types


def serve(folder):
    """Serve a folder of event files while the process lives; return the URL.

    It is on 127.0.0.1, at a port that the system gives.
    """
    # With this, TensorBoard reads files itself and imports no TensorFlow.
    sys.modules["tensorboard.compat.notf"] = types.ModuleType("notf")
    from tensorboard import program
    from tensorboard.plugins.core import core_plugin
    from tensorboard.plugins.graph import graphs_plugin

    logging.getLogger("tensorboard").setLevel(logging.ERROR)
    board = program.TensorBoard(
        plugins=[core_plugin.CorePluginLoader(), graphs_plugin.GraphsPlugin]
    )
    options = ("--host=127.0.0.1", "--port=0", "--load_fast=false")
    board.configure(argv=["tensorboard", f"--logdir={folder}", *options])
    return board.launch()
