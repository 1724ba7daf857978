"""TensorBoard as a process that ends with the one that started it.

Standard input brings one line, a list that holds a folder of event files;
the answer is the URL, on 127.0.0.1 and at a port that the system gives.  It
serves until its input ends, as it does when the parent dies.
"""

import json
import logging
import os
import sys
import types


def main():
    """Serve until the input ends."""
    # With this, TensorBoard reads files itself and imports no TensorFlow.
    sys.modules["tensorboard.compat.notf"] = types.ModuleType("notf")
    from tensorboard import program
    from tensorboard.plugins.core import core_plugin
    from tensorboard.plugins.graph import graphs_plugin

    logging.getLogger("tensorboard").setLevel(logging.ERROR)
    (folder,) = json.loads(input())
    board = program.TensorBoard(
        plugins=[core_plugin.CorePluginLoader(), graphs_plugin.GraphsPlugin]
    )
    options = ("--host=127.0.0.1", "--port=0", "--load_fast=false")
    board.configure(argv=["tensorboard", f"--logdir={folder}", *options])
    print(json.dumps(board.launch()), flush=True)
    sys.stdin.read()
    os._exit(0)  # its threads would serve on


if __name__ == "__main__":
    main()
