"""GPUs: which thread does what, and when."""

from onthefly.figures.diagrams.canvas import (
    COMPILED,
    COST,
    IDLE,
    PYTHON,
    WIDTH,
    Canvas,
)
from onthefly.figures.diagrams.lanes import Lanes

# The element of a thread, and the numbers of the one that is drawn.
INDEX = {
    "i": "9",
    "=": "=",
    "blockIdx.x": "2",
    "*": "·",
    "blockDim.x": "4",
    "+": "+",
    "threadIdx.x": "1",
}


def grid():
    """A CUDA kernel runs as a grid of blocks of threads. A thread works out
    which element is its own: from the number of its block, the size of a
    block, and its own number within the block.
    """
    canvas, size, cell = Canvas(), 4, 24
    canvas.bracket(1, WIDTH - 1, 24, "grid")
    for index in range(size * size):
        block, thread = divmod(index, size)
        own = str(index) == INDEX["i"]
        start, end = 1 + block * 107 + thread * cell, 18 + index * cell
        if thread == 0:
            middle = start + size * cell / 2
            canvas.words(middle, 40, f"block {block}")
        colour = COST if own else PYTHON
        canvas.box(start, 52, cell, 26, str(thread), colour)
        ends = (start + cell / 2, 80), (end + cell / 2, 120)
        canvas.arrow(*ends, COST if own else IDLE)
        colour = COST if own else COMPILED
        canvas.box(end, 122, cell, 26, str(index), colour)
    canvas.key(
        {"thread of a block": PYTHON, "element of the array": COMPILED}
    )
    y, x = canvas.bottom + 22, 56
    for name, number in INDEX.items():
        wide = 7.5 * len(name)
        canvas.words(x + wide / 2, y, f"{name}\n{number}", code=True)
        x += wide + 6
    return canvas


def device_queue():
    """Python only puts kernels into a queue and goes on at once; the GPU
    works later. A clock that does not wait for the GPU measures the launches
    alone, so synchronize before it stops.
    """
    canvas, launch, kernel, count = Canvas(), 9, 27, 3
    lanes = Lanes(canvas, ["Python", "GPU"], room=22)
    for k in range(count):
        start, name = launch + k * kernel, str(k + 1)
        lanes.box(0, k * launch, (k + 1) * launch, name)
        lanes.box(1, start, start + kernel, f"kernel {name}", COMPILED)
        lanes.arrow((k + 1) * launch, 0, 1, arrives=start)
    end = launch + count * kernel
    lanes.box(0, count * launch, end, "synchronize()", IDLE, code=True)
    lanes.bracket(0, count * launch, "time without waiting")
    lanes.bracket(0, end, "time with synchronize()", below=True)
    return canvas
