"""Only a measurement reads the clock or the machine.

A page is rendered again from what was measured: what differs by machine or
run is asked for by book.measure, book.sample, book.collect or book.cached,
within the functions that these are handed.
"""

import ast

from linting import code, prose

# Modules of which a call at the top of a cell reads a clock or the machine.
MODULES = ("clock", "machine", "psutil", "resource")
CALLS = (
    "os.cpu_count",
    "os.getloadavg",
    "os.sched_getaffinity",
    "perf_counter",
    "platform.processor",
    "time.monotonic",
    "time.perf_counter",
    "time.process_time",
    "time.thread_time",
    "time.time",
    "timeit.timeit",
)
LONGEST = 100  # characters of an expression in the prose
REPAIR = "ask book.cached for it, or take book.machine, book.cores"


def broken(notebook):
    """Yield (cell, what is wrong, the repair)."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            for call in _at_once(code.parse(cell["source"])):
                name = ast.unparse(call.func)
                if name in CALLS or name.partition(".")[0] in MODULES:
                    what = (
                        f"line {call.lineno}: {name} outside of book.cached"
                    )
                    yield cell, what, REPAIR
        elif cell["cell_type"] == "markdown":
            yield from _worked_out(cell)


def _at_once(node):
    """Yield the calls that a tree makes as it runs, none within functions."""
    for part in ast.iter_child_nodes(node):
        if isinstance(part, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
            continue
        if isinstance(part, ast.Call):
            yield part
        yield from _at_once(part)


def _worked_out(cell):
    """Yield each {eval} that a reader of the source would stumble over."""
    for line, expression in prose.expressions(cell["source"]):
        try:
            node = ast.parse(expression, mode="eval").body
        except (SyntaxError, ValueError):
            continue  # which another rule names
        if isinstance(node, ast.Attribute) and node.attr == "short":
            yield (
                cell,
                f"line {line}: {{eval}}`{expression}` is no number of a "
                "sentence",
                "write .about",
            )
        if len(expression) > LONGEST and not _plain(node):
            yield (
                cell,
                f"line {line}: {{eval}}`{expression}` is long",
                "give it a name in the module beside the page",
            )


def _plain(node):
    """Tell whether an expression is a name with attributes and indices."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        if isinstance(node, ast.Subscript):
            index = node.slice
            if isinstance(index, ast.UnaryOp):  # as in [-1]
                index = index.operand
            if not isinstance(index, ast.Constant) and not _plain(index):
                return False
        node = node.value
    return isinstance(node, ast.Name)
