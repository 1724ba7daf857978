"""Read assembly: the functions of a listing, their loops, what they hold.

For x86-64 in AT&T syntax, as LLVM and gcc write it.  A listing is parsed
once, by `functions`; everything else is asked of a `Function` or a `Loop`.
"""

import collections
import dataclasses
import re

BITS = {"xmm": 128, "ymm": 256, "zmm": 512}
REGISTER = re.compile(r"%([xyz]mm)(\d+)")

_COMMENT = re.compile(r"\s[#;]|^#|^//")
_JUMP = re.compile(r"j[a-z]+\s+(\.?L?\w+)$")
_PACKED = re.compile(r"v(?!.*(mov|xor)).*(pd|ps|dq)$")


@dataclasses.dataclass(frozen=True)
class Loop:
    """An innermost loop: its lines, from its label to the jump back."""

    lines: tuple[str, ...]

    @property
    def label(self):
        """Where it begins."""
        return self.lines[0][:-1]

    @property
    def text(self):
        """Its lines as they stand in the listing."""
        return "\n".join(self.lines)

    @property
    def vector(self):
        """Its vector instructions, in order."""
        return tuple(x for x in self._body() if REGISTER.search(x))

    @property
    def scalar(self):
        """Its other instructions, jumps included."""
        return tuple(x for x in self._body() if not REGISTER.search(x))

    def _body(self):
        return [x for x in self.lines if not x.endswith(":")]

    def kinds(self):
        """Return {vector instruction: how often}, most frequent first."""
        names = (text.split()[0] for text in self.vector)
        return dict(collections.Counter(names).most_common())

    def lanes(self, needed, element):
        """Return the elements that an iteration handles.

        needed   regular expression of the one instruction that each element
                 needs once
        element  its bits
        """
        hits = [t for t in self.vector if re.match(needed, t)]
        widths = [BITS[m[1]] for t in hits if (m := REGISTER.search(t))]
        return sum(widths) // element


@dataclasses.dataclass(frozen=True)
class Function:
    """A function of a listing: its labels and instructions, in order."""

    name: str
    lines: tuple[str, ...]

    @property
    def instructions(self):
        """Its instructions, without the labels."""
        return [x for x in self.lines if not x.endswith(":")]

    def counts(self):
        """Return how many instructions it has, calls and packed ones.

        {"instructions": all, "calls": n, "packed": arithmetic that works on
        several numbers at once}.
        """
        names = [text.split()[0] for text in self.instructions]
        return {
            "instructions": len(names),
            "calls": sum(n.startswith("call") for n in names),
            "packed": sum(bool(_PACKED.match(n)) for n in names),
        }

    def bits(self):
        """Return the width of its widest vector register, or 0."""
        registers = REGISTER.findall("\n".join(self.instructions))
        return max((BITS[name] for name, _ in registers), default=0)

    def loops(self):
        """Return its innermost loops, in order of their ends."""
        place = {x[:-1]: k for k, x in enumerate(self.lines) if x[-1] == ":"}
        ranges = []
        for end, line in enumerate(self.lines):
            jump = _JUMP.match(line)
            start = place.get(jump[1], end) if jump else end
            if start < end and not any(start <= s for s, _ in ranges):
                ranges.append((start, end))
        return [Loop(self.lines[start : end + 1]) for start, end in ranges]

    def hot_loop(self, needed):
        """Return the innermost loop that holds most of an instruction.

        needed  regular expression of an instruction that each element needs,
                as the comparison of a shot: ``vpcmpgtd``

        Raises ValueError if no loop holds it on a vector.
        """

        def lanes(loop):
            return loop.lanes(needed, 32)

        best = max(self.loops(), key=lanes, default=None)
        if best is None or not lanes(best):
            raise ValueError(f"{self.name}: no loop with {needed!r}")
        return best


def functions(listing):
    """Return {name: Function} of an assembly text, in its order.

    A function runs from its label to its ``.size``, or to the next one's
    label; a label without instructions, as of data, is none.
    """
    texts, lines = {}, []
    for line in map(_plain, listing.splitlines()):
        if line.endswith(":") and not line.startswith((".", "L")):
            lines = texts.setdefault(line[:-1], [])
        elif line.startswith((".size", ".Lfunc_end")):
            lines = []  # of nothing
        elif line.endswith(":") or not line.startswith("."):
            lines += filter(None, [line])
    return {
        name: Function(name, tuple(lines))
        for name, lines in texts.items()
        if any(not line.endswith(":") for line in lines)
    }


def _plain(line):
    """Return a line without its comment and the spaces around."""
    return _COMMENT.split(line, maxsplit=1)[0].strip()


def function(listing, name=None):
    """Return one Function of an assembly text, by default the first.

    Raises ValueError if there is none.
    """
    every = functions(listing)
    name = next(iter(every), "") if name is None else name
    if name not in every:
        raise ValueError(f"assembly: no function {name!r}")
    return every[name]


def of(compiled):
    """Return the Function of a Numba function's first signature.

    Compiled anew, with the same options: Numba cannot show code that came
    from its cache.
    """
    import numba

    signature = compiled.signatures[0]
    options = compiled.targetoptions
    fresh = numba.jit(signature, **options)(compiled.py_func)
    return function(fresh.inspect_asm(signature))
