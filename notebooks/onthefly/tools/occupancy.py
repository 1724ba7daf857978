"""How many threads of a kernel a CUDA device holds at once: the arithmetic.

A multiprocessor takes whole blocks, as many as its threads, its places for
blocks, its registers and its shared memory allow.  Registers go to warps in
units of 256, and each quarter of the multiprocessor has its own.

The limits by compute capability are those of NVIDIA's CUDA programming
guide; on a device they are read from the driver.
"""

import dataclasses

WARP = 32
QUARTERS = 4  # parts of a multiprocessor, from compute capability 6.1 on
UNIT = 256  # registers


@dataclasses.dataclass(frozen=True)
class Device:
    """The limits of a device.

    name             for people
    multiprocessors  how many there are
    threads, blocks, registers, shared
                     of a multiprocessor, at most; shared memory in bytes
    reserved         bytes of shared memory that a block costs by itself
    """

    name: str
    multiprocessors: int
    threads: int = 2048
    blocks: int = 32
    registers: int = 65536
    shared: int = 98304
    reserved: int = 0

    @property
    def slots(self):
        """Threads that the whole device holds at once."""
        return self.multiprocessors * self.threads


# The talk's card, and three later ones.
KNOWN = {
    "GTX 1060 (6.1)": Device("GTX 1060 (6.1)", 10),
    "RTX 2080 Ti (7.5)": Device("RTX 2080 Ti (7.5)", 68, 1024, 16, 65536,
                                65536),
    "RTX 4090 (8.9)": Device("RTX 4090 (8.9)", 128, 1536, 24, 65536, 102400,
                             1024),
    "H200 (9.0)": Device("H200 (9.0)", 132, 2048, 32, 65536, 233472, 1024),
}  # fmt: skip


def present(device):
    """Return the limits of a Numba device, as its driver gives them."""
    return Device(
        str(device.name.decode() if isinstance(device.name, bytes)
            else device.name),
        device.MULTIPROCESSOR_COUNT,
        device.MAX_THREADS_PER_MULTIPROCESSOR,
        device.MAX_BLOCKS_PER_MULTIPROCESSOR,
        device.MAX_REGISTERS_PER_MULTIPROCESSOR,
        device.MAX_SHARED_MEMORY_PER_MULTIPROCESSOR,
        device.RESERVED_SHARED_MEMORY_PER_BLOCK,
    )  # fmt: skip


def present_cupy(device):
    """Return the limits of a CuPy device, as its runtime gives them."""
    told = device.attributes
    return Device(
        f"device {device.pci_bus_id}",
        told["MultiProcessorCount"],
        told["MaxThreadsPerMultiProcessor"],
        told["MaxBlocksPerMultiprocessor"],
        told["MaxRegistersPerMultiprocessor"],
        told["MaxSharedMemoryPerMultiprocessor"],
        told["ReservedSharedMemoryPerBlock"],
    )


def resident(device, threads, registers=32, shared=0):
    """Return how many blocks a multiprocessor holds at once.

    threads    of a block
    registers  of a thread
    shared     bytes of a block

    Raises ValueError for a block of no thread.
    """
    if threads < 1:
        raise ValueError(f"threads: a block needs at least 1, not {threads}")
    warps = -(-threads // WARP)
    units = -(-registers * WARP // UNIT)
    quarter = device.registers // QUARTERS // (units * UNIT)
    limits = [
        device.threads // WARP // warps,
        device.blocks,
        quarter * QUARTERS // warps,
    ]
    if shared + device.reserved:
        limits.append(device.shared // (shared + device.reserved))
    return min(limits)


def wave(device, threads, registers=32, shared=0):
    """Return how many blocks the whole device holds at once.

    Arguments as in `resident`.  Of a launch of more, the rest begins when
    these have ended, on a device that is empty in part.
    """
    held = resident(device, threads, registers, shared)
    return held * device.multiprocessors


def occupancy(device, threads, registers=32, shared=0):
    """Return the share of a multiprocessor's warps that may be resident."""
    blocks = resident(device, threads, registers, shared)
    return blocks * -(-threads // WARP) / (device.threads // WARP)


def filled(device, blocks, threads, registers=32, shared=0):
    """Return {what: share} of a device that a launch puts to use.

    multiprocessors  those that get a block
    lanes            threads of a warp that exist
    slots            threads resident at first, of all the device has room
                     for
    """
    there = min(blocks, wave(device, threads, registers, shared))
    return {
        "multiprocessors": min(1.0, blocks / device.multiprocessors),
        "lanes": threads / (-(-threads // WARP) * WARP),
        "slots": there * threads / device.slots,
    }
