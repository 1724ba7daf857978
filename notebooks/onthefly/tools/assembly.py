"""The machine's limit for a loop: what its instructions cost where nothing
waits for anything else.

`hot_loop` finds a compiled function's inner loop in its assembly.
`routine` runs these very instructions with their registers renamed, so
that none needs another's result: no order, no memory, no latency is left,
only what the processor can start.  x86-64 with AVX2 or wider.
"""

import collections
import ctypes
import dataclasses
import functools
import platform
import re

BITS = {"xmm": 128, "ymm": 256, "zmm": 512}
REPEATS = 64  # copies of the instructions in the measured loop, at least

_REGISTER = re.compile(r"%([xyz]mm)(\d+)")
_MEMORY = re.compile(r"[-\w.+]*\([^)]*\)(\{1to\d+\})?")
# Instructions whose memory operand is narrower than their result.
_WIDENS = re.compile(r"vpmov[sz]x|vcvt(dq|ps)2pd")
_HALF = {"zmm": "ymm", "ymm": "xmm", "xmm": "xmm"}
_JUMP = re.compile(r"j[a-z]+\s+(\.?L?\w+)$")


@dataclasses.dataclass(frozen=True)
class Loop:
    """An innermost loop.

    vector   its vector instructions, in order
    scalar   its other instructions, jumps included
    label    where it begins
    """

    label: str
    vector: tuple[str, ...]
    scalar: tuple[str, ...]

    def kinds(self):
        """Return {instruction: how often}, the most frequent first."""
        names = (text.split()[0] for text in self.vector)
        return dict(collections.Counter(names).most_common())

    def lanes(self, needed, element):
        """Return the elements that an iteration handles.

        needed   regular expression of the one instruction that each element
                 needs once
        element  its bits
        """
        hits = [t for t in self.vector if re.match(needed, t)]
        widths = [BITS[m[1]] for t in hits if (m := _REGISTER.search(t))]
        return sum(widths) // element


def supported():
    """Return "" where `routine` works, else what is missing."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return f"needs an x86-64 processor, not {platform.machine()}"
    import llvmlite.binding as llvm

    return "" if llvm.get_host_cpu_features().get("avx2") else "needs AVX2"


def instructions(assembly):
    """Return the assembly's labels (ending in a colon) and instructions."""
    lines = (re.split(r"\s[#;]", x)[0].strip() for x in assembly.splitlines())
    kept = (x for x in lines if x and not x.startswith(("#", "//")))
    return [x for x in kept if x.endswith(":") or not x.startswith(".")]


def loops(assembly):
    """Return the innermost loops of a function's assembly (AT&T)."""
    lines = instructions(assembly)
    place = {x[:-1]: k for k, x in enumerate(lines) if x.endswith(":")}
    found = []
    for end, line in enumerate(lines):
        jump = _JUMP.match(line)
        start = place.get(jump[1], end) if jump else end
        if start < end and not any(start <= s for s, _ in found):
            found.append((start, end))
    return [_loop(lines[start : end + 1]) for start, end in found]


def _loop(lines):
    body = [x for x in lines[1:] if not x.endswith(":")]
    vector = tuple(x for x in body if _REGISTER.search(x))
    scalar = tuple(x for x in body if not _REGISTER.search(x))
    return Loop(lines[0][:-1], vector, scalar)


def hot_loop(assembly, needed):
    """Return the innermost loop that holds most of an instruction.

    needed  regular expression of an instruction that each element needs,
            as the comparison of a shot: ``vpcmpgtd``

    Raises ValueError if no loop holds it on a vector.
    """

    def lanes(loop):
        return loop.lanes(needed, 32)

    best = max(loops(assembly), key=lanes, default=None)
    if best is None or not lanes(best):
        raise ValueError(f"assembly: no loop with {needed!r} on vectors")
    return best


def of(function):
    """Return the assembly of a Numba function's first compiled signature.

    Compiled anew: Numba cannot show code that came from its cache.
    """
    import numba

    signature = function.signatures[0]
    fresh = numba.njit(signature)(function.py_func)
    return fresh.inspect_asm(signature)


def part(assembly, name):
    """Return the assembly of one function of a file, from label to size."""
    found = re.search(
        rf"^{name}:$.*?^\s*\.size\s+{name},", assembly, re.M | re.S
    )
    if not found:
        raise ValueError(f"assembly: no function {name!r}")
    return found[0]


def independent(texts):
    """Return the instructions with registers that none shares with another.

    Sources become registers 0 to 7, a destination one of 8 to 15 in turn, a
    memory operand a register: a loop's constants that found no register.
    Two sources that differed stay different, for a register with itself is
    a special case to the processor.
    """
    return [_renamed(text, 8 + k % 8) for k, text in enumerate(texts)]


def _renamed(text, target):
    name, operands = text.split(None, 1)
    wide = _REGISTER.search(operands)[1]
    if "broadcast" in name:
        wide = "xmm"
    elif _WIDENS.match(name):
        wide = _HALF[wide]
    operands = _MEMORY.sub(f"%{wide}15", operands)
    head, comma, last = operands.rpartition(",")
    old = list(dict.fromkeys(m[2] for m in _REGISTER.finditer(head)))
    new = {}
    for number in old:
        free = (k % 8 for k in range(int(number), int(number) + 8))
        new[number] = next(k for k in free if k not in new.values())
    head = _REGISTER.sub(lambda m: f"%{m[1]}{new[m[2]]}", head)
    last = _REGISTER.sub(lambda m: f"%{m[1]}{target}", last)
    return f"{name} {head}{comma}{last}"


_TEMPLATE = """\
target triple = "{triple}"
define void @run(i64 %times) {{
start:
  call void asm sideeffect "{clear}", "{clobbers}"()
  br label %loop
loop:
  %k = phi i64 [ 0, %start ], [ %next, %loop ]
  call void asm sideeffect "{body}", "{clobbers}"()
  %next = add i64 %k, 1
  %more = icmp slt i64 %next, %times
  br i1 %more, label %loop, label %end
end:
  ret void
}}
"""


@functools.lru_cache(64)
def routine(texts):
    """Return (call, instructions a turn): ``call(times)`` runs them so often.

    texts  tuple of instructions (AT&T), repeated to at least REPEATS

    The call releases the GIL.
    """
    import llvmlite.binding as llvm

    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()
    repeats = -(-REPEATS // len(texts))
    body = "\\0A".join(list(texts) * repeats).replace("$", "$$")
    # Zeros: on chance values, floating-point instructions may take longer.
    clear = "\\0A".join(f"vpxor %xmm{k},%xmm{k},%xmm{k}" for k in range(16))
    registers = [f"~{{xmm{k}}}" for k in range(16)]
    clobbers = ",".join([*registers, "~{rax}", "~{flags}"])
    triple = llvm.get_process_triple()
    module = llvm.parse_assembly(
        _TEMPLATE.format(
            triple=triple, clear=clear, body=body, clobbers=clobbers
        )
    )
    machine = llvm.Target.from_triple(triple).create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
    )
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    address = engine.get_function_address("run")
    call = ctypes.CFUNCTYPE(None, ctypes.c_int64)(address)
    call.engine = engine  # owns the code
    return call, len(texts) * repeats


def chain():
    """Return (call, additions a turn), each waiting for the one before.

    A processor needs one cycle for each: the time of one is the cycle.  A
    register is added to itself; Intel's cores since Golden Cove add small
    constants on the way to the execution units, several of them in a cycle.
    """
    return routine(("addq %rax, %rax",))
