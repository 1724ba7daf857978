"""The machine's limit for a loop: what its instructions cost where nothing
waits for anything else.

`routine` runs the very instructions of a loop (see `tools.assembly`) with
their registers renamed, so that none needs another's result: no order, no
memory, no latency is left, only what the processor can start.  x86-64 with
AVX2 or wider.
"""

import ctypes
import functools
import platform
import re

from onthefly.tools.assembly import REGISTER

REPEATS = 64  # copies of the instructions in the measured loop, at least

_MEMORY = re.compile(r"[-\w.+]*\([^)]*\)(\{1to\d+\})?")
# Instructions whose memory operand is narrower than their result.
_WIDENS = re.compile(r"vpmov[sz]x|vcvt(dq|ps)2pd")
_HALF = {"zmm": "ymm", "ymm": "xmm", "xmm": "xmm"}


def missing():
    """Return what `routine` lacks here, or ""."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return f"needs an x86-64 processor, not {platform.machine()}"
    import llvmlite.binding as llvm

    return "" if llvm.get_host_cpu_features().get("avx2") else "needs AVX2"


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
    wide = REGISTER.search(operands)[1]
    if "broadcast" in name:
        wide = "xmm"
    elif _WIDENS.match(name):
        wide = _HALF[wide]
    operands = _MEMORY.sub(f"%{wide}15", operands)
    head, comma, last = operands.rpartition(",")
    old = list(dict.fromkeys(m[2] for m in REGISTER.finditer(head)))
    new = {}
    for number in old:
        free = (k % 8 for k in range(int(number), int(number) + 8))
        new[number] = next(k for k in free if k not in new.values())
    head = REGISTER.sub(lambda m: f"%{m[1]}{new[m[2]]}", head)
    last = REGISTER.sub(lambda m: f"%{m[1]}{target}", last)
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
