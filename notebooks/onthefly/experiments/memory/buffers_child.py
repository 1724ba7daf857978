"""Read one element of an array through a tensor that shares its memory.

A process of its own, since TensorFlow may end it: see `buffers.readings`.
Reads lines of JSON, `[offset]`: how many bytes the array lies past a multiple
of 64.
"""

import json
import sys


def main():
    """Print the element, once for each offset."""
    import resource  # not on Windows

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # leave no file behind
    from onthefly.experiments.memory.buffers import aligned, to_tensorflow
    from onthefly.tools.quiet_tensorflow import tf  # noqa: F401 (at once)

    for line in sys.stdin:
        (offset,) = json.loads(line)
        array = aligned(1024, offset)
        tensor = to_tensorflow(array)
        array[3] = 7
        print(float(tensor[3]), flush=True)


if __name__ == "__main__":
    main()
