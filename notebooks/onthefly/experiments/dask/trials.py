"""PyTorch and TensorFlow under Dask's threads, in a process of its own.

A freeze or a crash takes the process with it, so the parent only watches:
``trials`` starts one process a library, waits so long, and reads its end.
Source: Okuda, PyCon JP 2018, slide 40.
"""

import json
import os
import signal
import subprocess
import sys
import time

from onthefly.kernels.pi_dask import NOTEBOOKS, pi_delayed


def torch_estimate():
    """Return {way: π by PyTorch}."""
    import torch

    def pi(shots):
        x = torch.rand(shots, dtype=torch.float64)
        y = torch.rand(shots, dtype=torch.float64)
        return 4.0 * int(torch.count_nonzero(x * x + y * y <= 1.0)) / shots

    return {"PyTorch": pi}


def tensorflow_estimate():
    """Return {way: π by TensorFlow}: eager, and by one shared session."""
    from onthefly.kernels.pi_tensorflow import pi_tensorflow, tf

    one = tf.compat.v1
    with tf.Graph().as_default() as graph:
        size = one.placeholder(tf.int32, [])
        x, y = (tf.random.uniform([size], dtype=tf.float64) for _ in "xy")
        inside = tf.math.count_nonzero(x * x + y * y <= 1.0)
    session = one.Session(graph=graph)

    def pi_session(shots):
        return 4.0 * int(session.run(inside, {size: shots})) / shots

    return {"TensorFlow, eager": pi_tensorflow,
            "TensorFlow, session": pi_session}  # fmt: skip


def freeze():
    """Return a way that never ends: does the watch notice?"""
    return {"freeze": lambda _: signal.pause()}


def crash():
    """Return a way that ends by a segmentation fault: is it noticed?"""
    return {"crash": lambda _: os.kill(os.getpid(), signal.SIGSEGV)}


WAYS = {
    "torch": torch_estimate,
    "tensorflow": tensorflow_estimate,
    "freeze": freeze,
    "crash": crash,
}


def main(name, shots, rounds, *threads):
    """Run each way of a library under Dask; print a line a thread count."""
    for way, pi in WAYS[name]().items():
        for count in map(int, threads):
            found = [
                pi_delayed(pi, int(shots), count) for _ in range(int(rounds))
            ]
            print(json.dumps([way, count, found]), flush=True)


def outcome(code):
    """Name the end of a process by its exit code; None is no end at all."""
    if code is None:
        return "frozen"
    if code < 0:
        return signal.Signals(-code).name
    return "completed" if code == 0 else "failed"


def trials(names, threads, *, shots=100_000, rounds=3, limit=60):
    """Run libraries side by side; return {name: what became of each}.

    threads  list of thread counts
    rounds   estimates of each way and thread count
    limit    seconds after which a process counts as frozen, and is ended;
             or {name: seconds}, the least of them last in `names`

    A result has end (see `outcome`), code, seconds, done: a list of
    [way, threads, estimates], and error, its last line on stderr.
    """
    start = time.monotonic()
    command = [sys.executable, "-m", "onthefly.experiments.dask.trials"]
    running = {
        name: subprocess.Popen(
            [*command, name, *map(str, (shots, rounds, *threads))],
            env={**os.environ, "PYTHONPATH": NOTEBOOKS},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in names
    }
    found = {}
    try:
        for name, process in running.items():
            most = limit[name] if isinstance(limit, dict) else limit
            left = max(0.1, most - (time.monotonic() - start))
            try:
                out, err = process.communicate(timeout=left)
                code = process.returncode
            except subprocess.TimeoutExpired:
                process.kill()
                (out, err), code = process.communicate(), None
            found[name] = {
                "end": outcome(code),
                "code": code,
                "seconds": time.monotonic() - start,
                "done": [json.loads(line) for line in out.splitlines()],
                "error": (err.strip().splitlines() or [""])[-1],
            }
    finally:
        for process in running.values():
            process.kill()
            process.wait()
    return found


if __name__ == "__main__":
    main(*sys.argv[1:])
