"""What a CUDA kernel is made of in the end: SASS, the device's own
instructions, counted in the innermost loop by the unit that executes them.

It needs NVIDIA's disassembler `nvdisasm` (Triton, which PyTorch's CUDA build
brings, has one) and a compiler: NVRTC by CuPy where there is a device, or
`nvcc`.  It needs no device.
"""

import collections
import functools
import hashlib
import json
import pathlib
import re
import subprocess
import tempfile

from onthefly.page import checkout
from onthefly.tools import devices, nvidia

RECORDED = checkout.ROOT / "book" / "instructions.json"
TARGET = "90"  # compute capability, where the device does not say

# Unit: the instructions that it executes, by the beginning of their names;
# the first that fits counts.  Source: the instruction set reference of
# NVIDIA's "CUDA Binary Utilities", and the programming guide's throughputs.
UNITS = {
    "float64": r"D(ADD|MUL|FMA|SETP)|F2F\.F64",
    "to float64": r"I2F\.F64",
    "to float32": r"I2FP?\b",
    "wide product": r"IMAD\.(WIDE|HI)",
    "multiply-add": r"IMAD\b",
    "float32": r"F(ADD|MUL|FMA)\b",
    "part of a product": r"XMAD",  # before capability 7.0: no roof
    "uniform": r"U[A-Z]|R2UR|S2UR",
    "memory": r"(LD|ST|ATOM|RED)[GSCL]?\b|LDC",
    "flow": r"BRA|BSSY|BSYNC|NOP|EXIT|WARPSYNC",
    "shift and logic": r".",  # integer additions and comparisons, too
}
LINE = re.compile(r"\s*/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)")
JUMP = re.compile(r"BRA\S*\s+.*?\(?(\.L_x_\d+)")


def _nvrtc():
    """Return CuPy's compiler for a device that is here, or None."""
    if not devices.sees_cuda("cupy"):
        return None
    from cupy.cuda import compiler

    return compiler


@functools.cache
def missing():
    """Return "" where kernels can be disassembled, else what is missing."""
    if not nvidia.tool("nvdisasm"):
        return "no disassembler (nvdisasm)"
    if not nvidia.tool("nvcc") and _nvrtc() is None:
        return "no compiler of CUDA C"
    try:  # a disassembler may be older than the compiler
        disassembled('extern "C" __global__ void nothing() {}\n')
    except subprocess.CalledProcessError as error:
        said = (error.stderr or b"").strip()
        text = said if isinstance(said, str) else said.decode()
        return f"{pathlib.Path(error.cmd[0]).name} refuses: {text}"
    return ""


def _cubin(text, path):
    """Compile CUDA C into the file of a device's code."""
    if rtc := _nvrtc():
        try:
            # With RawKernel's option.
            code, _ = rtc.compile_using_nvrtc(text, ("-ftz=true",))
        except rtc.CompileException as error:
            raise subprocess.CalledProcessError(
                1, ["NVRTC"], stderr=str(error)
            ) from None
        # CuPy cuts the last byte off, as if it ended a string; in a cubin
        # that belongs to the last table, and a disassembler misses it.
        path.write_bytes(code + b"\0")
        return
    source = path.with_suffix(".cu")
    source.write_text(text)
    command = [
        nvidia.tool("nvcc"),
        f"-arch=sm_{TARGET}",
        "-cubin",
        "-o",
        path,
    ]
    subprocess.run([*command, source], check=True, capture_output=True)


@functools.cache
def disassembled(text):
    """Return the SASS of CUDA C.

    Raises CalledProcessError where a tool refuses it.
    """
    with tempfile.TemporaryDirectory(prefix="sass") as folder:
        path = pathlib.Path(folder, "kernel.cubin")
        _cubin(text, path)
        return subprocess.run(
            [nvidia.tool("nvdisasm"), "-c", path],
            check=True,
            capture_output=True,
            text=True,
        ).stdout


def loops(sass):
    """Return the innermost loops: lists of instructions' names, in order."""
    names, place, jumps = [], {}, []
    for line in sass.splitlines():
        if label := re.match(r"(\.L_x_\d+):", line):
            place[label[1]] = len(names)
        elif match := LINE.match(line):
            if jump := JUMP.search(line):
                jumps.append((len(names), jump[1]))
            names.append(match[1])
    spans = []
    for end, label in jumps:
        start = place.get(label, end + 1)
        if start <= end and not any(start <= s for s, _ in spans):
            spans.append((start, end))
    return [names[s : e + 1] for s, e in spans]


def hot_loop(sass):
    """Return the longest innermost loop: the one that is written out.

    Raises ValueError where there is no loop.
    """
    longest = max(loops(sass), key=len, default=None)
    if longest is None:
        raise ValueError("SASS: no loop")
    return longest


def unit(name):
    """Return the unit that executes an instruction, one of UNITS."""
    return next(k for k, text in UNITS.items() if re.match(text, name))


def per_turn(source_of, few=8, many=16):
    """Return {unit: instructions a turn} of a loop, by difference.

    source_of  function of how many turns are written out; returns CUDA C
    few, many  two such numbers: what a pass of the loop costs whatever it
               holds, its jump for one, drops out
    """
    counts = [
        collections.Counter(map(unit, hot_loop(disassembled(source_of(n)))))
        for n in (few, many)
    ]
    units = [k for k in UNITS if counts[0][k] or counts[1][k]]
    rates = {k: (counts[1][k] - counts[0][k]) / (many - few) for k in units}
    return {k: n for k, n in rates.items() if n}


def compiler():
    """Return who compiles kernels here, and for what, as text."""
    if _nvrtc():
        from cupy.cuda import Device
        from cupy.cuda.compiler import nvrtc

        version = ".".join(map(str, nvrtc.getVersion()))
        return f"NVRTC {version}, sm_{Device().compute_capability}"
    said = subprocess.run(
        [nvidia.tool("nvcc"), "--version"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return f"nvcc {re.search(r'V([0-9.]+)', said)[1]}, sm_{TARGET}"


def key(text):
    """Return the key of a source in the recorded file."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def counted(source_of):
    """Return ({unit: instructions a turn}, who compiled it).

    source_of  as in `per_turn`

    Compiled and counted here where the tools are; else as recorded.  Raises
    KeyError where this source was not recorded.
    """
    if not missing():
        return per_turn(source_of), compiler()
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    try:
        return recorded["counts"][key(source_of(8))], recorded["compiler"]
    except KeyError:
        raise KeyError(
            f"{RECORDED}: no such source; repair: scripts/instructions.py, "
            "where nvcc and nvdisasm are"
        ) from None
