"""Processes and workers: what it takes to hand them work."""

from onthefly.figures.diagrams.canvas import COMPILED, COST, OTHER, Canvas
from onthefly.figures.diagrams.lanes import Lanes

MAIN = 1  # the lane between those of two workers


def fork_and_pickle():
    """A pool starts its processes first. Then the main process pickles the
    arguments for each worker, the workers compute at the same time, and each
    result is pickled to come back.
    """
    canvas = Canvas()
    lanes = Lanes(canvas, ["worker 1", "main", "worker 2"])
    lanes.box(MAIN, 0, 18, "start", COST)
    for worker, sent, back in ((0, 28, 76), (2, 38, 88)):
        lanes.arrow(18, MAIN, worker)
        lanes.wait(worker, 18, sent)
        lanes.box(MAIN, sent - 10, sent, colour=OTHER)
        lanes.arrow(sent, MAIN, worker)
        lanes.box(worker, sent, sent + 7, colour=OTHER)
        lanes.box(worker, sent + 7, back - 7, "compute")
        lanes.box(worker, back - 7, back, colour=OTHER)
        lanes.arrow(back, worker, MAIN)
        lanes.box(MAIN, back, back + 10, colour=OTHER)
    lanes.wait(MAIN, 38, 76)
    lanes.axis()
    canvas.key({"pickle or unpickle": OTHER})
    return canvas


def task_overhead():
    """A scheduler spends a fixed overhead on each task that it hands to a
    worker. Large tasks hide it. Small tasks keep the scheduler busy, and the
    workers wait: the same work ends later.
    """
    canvas = Canvas()
    canvas.heading("Two large tasks")
    _scheduled(canvas, tasks=2, work=40)
    canvas.heading("The same work in sixteen small tasks")
    _scheduled(canvas, tasks=16, work=5).axis()
    canvas.key({"overhead of a task": COST, "work": COMPILED})
    return canvas


def _scheduled(canvas, tasks, work, overhead=5.6):
    """Draw how a scheduler hands out tasks in turns; return the Lanes."""
    lanes = Lanes(canvas, ["worker 1", "scheduler", "worker 2"])
    for task in range(tasks):
        worker, ready = 2 * (task % 2), (task + 1) * overhead
        lanes.box(MAIN, ready - overhead, ready, colour=COST)
        lanes.arrow(ready, MAIN, worker)
        lanes.box(worker, ready, ready + work, colour=COMPILED)
    return lanes
