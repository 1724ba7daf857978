"""Ask two stacks of Python, NumPy and Numba the same: 2018's and today's.

Each stack is a process of its own that runs numba_stacks_child.py.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from onthefly import results
from onthefly.experiments.numba import probes_child
from onthefly.tools.processes import Child

HERE = Path(__file__).parent
SLOW = probes_child.SLOW
PROBES = HERE / "probes_child.py"


def folder():
    """Return where scripts/old_stack.py puts the stack of 2018."""
    return results.build_dir() / "old_stack"


def old_python():
    """Return the path of the old stack's interpreter, made or not."""
    return folder() / "bin" / "python"


def pythons():
    """Return {"then": path, "now": path}, without "then" where it lacks."""
    old = {"then": str(old_python())} if old_python().exists() else {}
    return old | {"now": sys.executable}


class Stack(Child):
    """A process that runs one stack: ``ask(command, *arguments)`` it.

    python  the interpreter, which has NumPy and Numba
    inline  LLVM's limit of cost for a function that it inlines
    """

    def __init__(self, python=sys.executable, inline=None):
        more = {} if inline is None else {"ONTHEFLY_INLINE": str(inline)}
        super().__init__(
            [python, HERE / "stacks_child.py"],
            {**os.environ, "PYTHONPATH": str(HERE.parents[2]), **more},
        )


def rounds(stacks, ways, shots, count, sample=0.008):
    """Return {"way, stack": [seconds a call]}, asked in turns.

    stacks  {name: Stack}
    ways    {stack name: list of ways}
    shots   points of a call
    count   rounds; each takes one sample of every way and stack
    sample  seconds that a sample lasts, about
    """
    plan, found = [], {}
    for name, stack in stacks.items():
        for way in ways[name]:
            stack.ask("time", way, 10, 1)  # compiles
            once = stack.ask("time", way, shots, 1)
            plan.append(
                (stack, way, 1 + int(sample / once), f"{way}, {name}")
            )
            found[plan[-1][-1]] = []
    shuffle = random.Random(count).shuffle
    for _ in range(count):
        shuffle(plan)
        for stack, way, loops, key in plan:
            found[key].append(stack.ask("time", way, shots, loops))
    return found


class Probing:
    """Probes of one stack, running in processes of their own.

    python  the interpreter, which has NumPy and Numba
    parts   processes
    only    names of probes; all by default
    quick   without those that take long to compile
    """

    def __init__(self, python=sys.executable, parts=2, only=(), quick=False):
        more = ["--quick"] if quick else []
        more += ["--only", *only] if only else []
        self._parts = [
            subprocess.Popen(
                [python, PROBES, "--part", f"{part}/{parts}", *more],
                stdout=subprocess.PIPE,
                text=True,
            )
            for part in range(parts)
        ]

    def outcomes(self):
        """Wait, and return {group: {probe: outcome}} of the whole table."""
        found = {}
        for process in self._parts:
            text, _ = process.communicate()
            if process.returncode:
                raise RuntimeError(f"a probe ended: {process.returncode}")
            # What the probes print comes first.
            for group, rows in json.loads(text.splitlines()[-1]).items():
                found.setdefault(group, {}).update(rows)
        for group, names in probes_child.probes().items():
            rows = found.get(group, {})
            found[group] = {n: rows[n] for n in names if n in rows}
        return found


CACHED = """
import random, numba

@numba.njit(cache=True)
def hits(shots):
    found = 0
    for _ in range(shots):
        x, y = random.random(), random.random()
        found += x * x + y * y <= 1.0
    return found
"""
STARTS = """
import os, sys, time, numba
numba.njit(lambda: 1)()  # the compiler's own start is not the question
for _ in range(int(sys.argv[1])):
    if os.fork() == 0:
        from cached import hits
        start = time.perf_counter()
        hits(10)
        taken = time.perf_counter() - start
        print(taken, sum(hits.stats.cache_hits.values()), flush=True)
        os._exit(0)
    os.wait()
"""


def cached_starts(starts=2):
    """Call a cached function in processes, one after the other.

    None of them has compiled it before; all share a folder that is thrown
    away.  Returns [(seconds of the first call, loaded from the cache), ...].
    """
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "cached.py").write_text(CACHED)
        file = Path(name) / "starts.py"
        file.write_text(STARTS)
        done = subprocess.run(
            [sys.executable, "-B", file, str(starts)],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
    rows = map(str.split, done.stdout.splitlines())
    return [(float(taken), hits == "1") for taken, hits in rows]


def kinds(code):
    """Count instructions of an assembly text by what they do.

    Of the first function: calls, all instructions, and packed arithmetic,
    which works on several numbers at once.
    """
    found = Counter({"instructions": 0, "calls": 0, "packed": 0})
    for line in first_function(code):
        name = line.split()[0]
        found["instructions"] += 1
        found["calls"] += name.startswith("call")
        packed = name.startswith("v") and name.endswith(("pd", "ps", "dq"))
        found["packed"] += packed and "mov" not in name and "xor" not in name
    return dict(found)


def first_function(code):
    """Return the instructions of the first function of an assembly text."""
    lines, inside = [], False
    for line in map(str.strip, code.splitlines()):
        if line.startswith("_Z") and line.endswith(":"):
            if inside:
                break
            inside = True
        elif line.startswith((".size", ".Lfunc_end")) and inside:
            break
        elif inside and line and not line.startswith((".", "#")):
            lines.append(line)
    return lines


def loop_text(code):
    """Return the lines of a function's first loop, with its labels.

    From the target of the first jump backwards to that jump.
    """
    plain = (".cfi", ".p2align", "#")
    lines = [s for s in map(str.strip, code.splitlines()) if s]
    lines = [s for s in lines if not s.startswith(plain)]
    places = {s[:-1]: k for k, s in enumerate(lines) if s.endswith(":")}
    for end, line in enumerate(lines):
        target = line.split()[-1]
        start = places.get(target, end)
        if line.startswith("j") and start < end:
            return "\n".join(lines[start : end + 1])
    return ""
