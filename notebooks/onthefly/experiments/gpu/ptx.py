"""What the compiler makes of a CUDA kernel: PTX, the virtual instructions
that the driver turns into those of a device.  It needs NVIDIA's compiler
library (NVVM), and no device.
"""

import contextlib
import functools
import os
import re
import subprocess
import tempfile
import types
from pathlib import Path

from numba import cuda, float64, int64, void
from numba.cuda import dispatcher
from numba.cuda.random import xoroshiro128p_type

from onthefly.measure.libraries import numba_clash
from onthefly.tools import nvidia

TARGET = (9, 0)  # compute capability, where the device does not say
# Compute capabilities of NVIDIA's devices, the oldest first.
CAPABILITIES = ((2, 0), (3, 0), (3, 5), (5, 0), (6, 0), (6, 1), (7, 0),
                (7, 5), (8, 0), (8, 6), (8, 9), (9, 0))  # fmt: skip
HITS = void(int64, int64[::1], xoroshiro128p_type[::1])
PI = void(int64, float64[::1], xoroshiro128p_type[::1])

_COMPARE = re.compile(r"setp\.\w+\.f(32|64)")  # one for each shot
_JUMP = re.compile(r"(?:@\S+ )?bra(?:\.uni)?\s+(\$\S+);")


@contextlib.contextmanager
def target(cc):
    """Compile for a capability where no device gives its own.

    For a function that a kernel calls, Numba asks the driver what to compile
    for; without a driver we answer.
    """
    asked = dispatcher.get_current_device
    if not cuda.is_available():
        device = types.SimpleNamespace(compute_capability=cc)
        dispatcher.get_current_device = lambda: device
    try:
        yield
    finally:
        dispatcher.get_current_device = asked


def compiled(function, signature, cc=TARGET):
    """Return the PTX of a Python function, or of a kernel.

    Raises whatever Numba or NVVM raises where they refuse it.
    """
    function = getattr(function, "py_func", function)
    with target(cc):
        text, _ = cuda.compile_ptx(function, signature, cc=cc)
    return text


def empty(x):
    """A kernel that does nothing."""


def refusal(function, signature, cc=TARGET):
    """Return "" where a function compiles as a kernel, else the error's
    name."""
    try:
        compiled(function, signature, cc)
    except Exception as error:  # any error is a refusal
        return type(error).__name__
    return ""


@functools.cache
def missing():
    """Return "" where kernels compile, else what is missing."""
    if clash := numba_clash(cuda):
        return clash
    why = refusal(empty, void(float64[::1]))
    return f"no CUDA compiler library ({why})" if why else ""


@functools.cache
def lowest():
    """Return the lowest compute capability that the compiler accepts."""
    signature = void(float64[::1])
    return next(
        cc for cc in CAPABILITIES if not refusal(empty, signature, cc)
    )


def hot_loop(text):
    """Return the instructions of the loop that handles most shots at once.

    Raises ValueError where no loop compares floating-point numbers.
    """
    lines = [line.strip() for line in text.splitlines()]
    place = {x[:-1]: k for k, x in enumerate(lines) if x.endswith(":")}
    loops = []
    for end, line in enumerate(lines):
        jump = _JUMP.match(line)
        start = place.get(jump[1], end) if jump else end
        if start < end:
            loops.append([x for x in lines[start : end + 1] if x.endswith(";")
                          and not x.startswith(".")])  # fmt: skip
    best = max(loops, key=_shots, default=[])
    if not _shots(best):
        raise ValueError("PTX: no loop with a comparison of shots")
    return best


def _shots(loop):
    return sum(bool(_COMPARE.match(line)) for line in loop)


def per_shot(text):
    """Return {kind: instructions a shot} of a kernel's hot loop.

    Kinds: double (touches double precision), single, memory, integer (all
    the rest, moves and jumps included).
    """
    loop = hot_loop(text)
    names = [line.removeprefix("@").split()[0] for line in loop]
    kinds = {"double": 0, "single": 0, "memory": 0, "integer": 0}
    for name in names:
        kind = (
            "memory" if name.startswith(("ld.", "st.", "atom.", "red."))
            else "double" if ".f64" in name
            else "single" if ".f32" in name
            else "integer"
        )  # fmt: skip
        kinds[kind] += 1
    return {kind: count / _shots(loop) for kind, count in kinds.items()}


@contextlib.contextmanager
def _without_stderr():
    """Drop what C libraries write on the standard error."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _said(text, arch):
    """Return what the assembler says of a PTX text; "" without one."""
    with contextlib.suppress(ImportError):
        from cuda.bindings import nvjitlink as link

        code = text.encode()
        handle = link.create(2, [f"-arch={arch}", "-verbose"])
        try:
            kind = link.InputType.PTX
            link.add_data(handle, kind, code, len(code), "kernel")
            with _without_stderr():  # CUDA 12 tells half of it there
                link.complete(handle)
            said = bytearray(link.get_info_log_size(handle))
            link.get_info_log(handle, said)
        finally:
            link.destroy(handle)
        return said.decode()
    if not (command := nvidia.tool("ptxas")):
        return ""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "kernel.ptx")
        path.write_text(text)
        done = subprocess.run(
            [command, "-v", f"-arch={arch}", "-o", os.devnull, path],
            capture_output=True,
            text=True,
        )
    return done.stderr


def registers(text, cc=TARGET):
    """Return the registers that a thread of the kernel takes, or None.

    None where the assembler is missing.
    """
    major, minor = cc
    said = _said(text, f"sm_{major}{minor}")
    match = re.search(r"Used (\d+) registers", said)
    return int(match[1]) if match else None


def registers_of(kernel):
    """Return `registers` of a kernel with the arguments HITS."""
    return registers(compiled(kernel, HITS))
