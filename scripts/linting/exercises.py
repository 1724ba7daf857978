"""The exercises of a page, and their solutions.

Both are gated: what stands between a start and its end belongs to them.
"""

from linting import prose

PARTS = ("exercise", "solution")
LOOK = "see CONTRIBUTING.md, Add a page"


def broken(notebook, slug):
    """Yield (cell, what is wrong, the repair) of a page's exercises.

    slug  of the page, with which their labels begin
    """
    gates, labels, solved = list(_gates(notebook)), set(), set()
    if unpaired := _unpaired(gates):
        cell, gate = unpaired
        what = f"line {gate.line}: {{{gate.name}}} without its other end"
        yield cell, what, LOOK
        return
    for (first, gate), (last, _) in zip(gates[::2], gates[1::2], strict=True):
        where = f"line {gate.line}: {{{gate.name}}}"
        if gate.name == "exercise-start":
            label = gate.options.get("label", "")
            labels.add(label)
            if not label.startswith(f"{slug}-"):
                yield first, f"{where} {label}", f"label it {slug}-…"
            continue
        solved |= labels & {gate.argument}
        if gate.argument not in labels:
            what = f"{where} of no exercise above it: {gate.argument}"
            yield first, what, "name its label"
        if gate.options.get("class") != "dropdown":
            yield first, f"{where} is not folded", "add :class: dropdown"
        if not _has_code(notebook["cells"], first, last):
            yield first, f"{where} has no code", "solve it in cells of code"
    if not solved:
        yield None, "no exercise with its solution", LOOK


def _gates(notebook):
    """Yield (cell, Directive) of all that begins or ends one."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            for directive in prose.directives(cell["source"]):
                if directive.name.partition("-")[0] in PARTS:
                    yield cell, directive


def _unpaired(gates):
    """Return the first gate whose other end is not the next, or None."""
    for k in range(0, len(gates), 2):
        names = [gate.name for _, gate in gates[k : k + 2]]
        if names not in [[f"{p}-start", f"{p}-end"] for p in PARTS]:
            return gates[k]
    return None


def _has_code(cells, first, last):
    """Tell whether code stands between two cells."""
    places = [k for k, c in enumerate(cells) if c is first or c is last]
    between = cells[places[0] : places[-1]]
    return any(cell["cell_type"] == "code" for cell in between)
