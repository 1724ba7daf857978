"""Commands as people type them, and what they print.

Each function returns {"command": text, "output": text}: what is typed in the
folder of the script, and what that prints, shortened.
"""

import os
import re
import sys
import tempfile
from pathlib import Path

from onthefly.folders import PACKAGE
from onthefly.tools import programs

PROGRAMS = PACKAGE / "programs"
SPY = Path(sys.executable).with_name("py-spy")
DEPTH = 4  # functions of a stack that are shown
LIMIT = 300  # seconds that a command may take


def by_function(script, *arguments, lines=6):
    """Return what cProfile says of a script, the slowest functions first.

    script     its path within the folder of programs
    arguments  of the script; of a file, the name alone is shown
    lines      functions that are shown
    """
    printed = _run(
        script, [sys.executable, "-m", "cProfile", "-s", "tottime"], arguments
    )
    begin = next(
        k for k, line in enumerate(printed) if "function calls" in line
    )
    table = printed[begin : begin + 5 + lines]
    command = _typed("python -m cProfile -s tottime", script, arguments)
    return {"command": command, "output": _text(table)}


def by_line(script, *arguments):
    """Return what line_profiler says of each line of a script's function.

    Of several functions, the first one's.
    """
    name = Path(script).name
    with tempfile.TemporaryDirectory() as folder:
        printed = _run(
            script,
            [
                *(sys.executable, "-m", "kernprof", "-lvz"),
                *("-o", f"{folder}/{name}.lprof", "-p", name),
            ],
            arguments,
        )
    begin = next(k for k, line in enumerate(printed) if "Line #" in line)
    ends = (k for k, line in enumerate(printed) if "Total time" in line)
    end = next((k for k in ends if k > begin), None)
    command = _typed(f"kernprof -lvz -p {name}", script, arguments)
    return {"command": command, "output": _text(printed[begin:end])}


def can_sample():
    """Tell whether py-spy is installed, beside this interpreter."""
    return SPY.exists()


def by_stack(script, *arguments, inside, lines=5):
    """Return where py-spy found a script, the most frequent stacks first.

    inside  a function's name: how many of the "samples" were inside of it
            is added as "inside"
    """
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder) / "stacks.txt"
        _run(
            script,
            [
                *(SPY, "record", "-F", "-r", "200", "-f", "raw"),
                *("-o", found, "--", sys.executable),
            ],
            arguments,
        )
        stacks = found.read_text().splitlines()
    pairs = (line.rpartition(" ")[::2] for line in stacks)
    counts = sorted(
        ((stack, int(count)) for stack, count in pairs),
        key=lambda pair: -pair[1],
    )
    spied = "py-spy record -F -f raw -o stacks.txt -- python"
    command = _typed(spied, script, arguments)
    table = [f"{n:>6}  {_short(stack)}" for stack, n in counts[:lines]]
    return {
        "command": f"{command}\n$ sort -t' ' -k2 -nr stacks.txt | head",
        "output": _text(table),
        "samples": sum(count for _, count in counts),
        "inside": sum(count for stack, count in counts if inside in stack),
    }


def confirmed(script, function, maker, sizes, budget=None):
    """Return what `onthefly confirm` prints of a function of a script.

    maker   MODULE:FUNCTION that makes its arguments
    sizes   as the command's option
    budget  seconds; None for the command's own
    """
    target = f"{Path(script).name}:{function}"
    options = ["--arg", maker, "--sizes", sizes]
    if budget:
        options += ["--budget", str(budget)]
    command = [sys.executable, "-m", "onthefly", "confirm", target, *options]
    return {
        "command": " ".join(["onthefly", *command[3:]]),
        "output": _text(_printed(script, command)),
    }


def _run(script, command, arguments):
    """Return the lines that a command prints about a script."""
    return _printed(script, [*command, Path(script).name, *arguments])


def _printed(script, command):
    """Return the lines that a command prints in a script's folder."""
    end = programs.run(
        command,
        limit=LIMIT,
        cwd=str((PROGRAMS / script).parent),
        capture_output=True,
        text=True,
        check=True,
        env=dict(os.environ) | {"COLUMNS": "79"},
    )
    return end.stdout.splitlines()


def _typed(command, script, arguments):
    shown = (Path(str(each)).name for each in arguments)
    return " ".join([command, Path(script).name, *shown])


def _short(stack):
    """Return the names of a stack's last functions, the files left out."""
    names = [re.sub(r" \(.*\)$", "", call) for call in stack.split(";")]
    return " > ".join(["…"] * (len(names) > DEPTH) + names[-DEPTH:])


def _text(lines):
    return "\n".join(line.rstrip() for line in lines).strip("\n")
