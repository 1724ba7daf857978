"""The exercises of a page, and their solutions.

Both are gated: what stands between a start and its end belongs to them.
"""

from linting import prose

PARTS = ("exercise", "solution")
PAIRS = [[f"{part}-start", f"{part}-end"] for part in PARTS]
LOOK = "see CONTRIBUTING.md, Add a page"


def broken(notebook, slug):
    """Yield (cell, what is wrong, the repair) of a page's exercises.

    slug  of the page, with which their labels begin
    """
    cells, labels, solved = notebook["cells"], set(), set()
    gates = list(_gates(cells))
    for k in range(0, len(gates), 2):
        first, gate = gates[k]
        cell, where = cells[first], f"line {gate.line}: {{{gate.name}}}"
        if [end.name for _, end in gates[k : k + 2]] not in PAIRS:
            yield cell, f"{where} without its other end", LOOK
            return
        if gate.name == "exercise-start":
            label = gate.options.get("label", "")
            labels.add(label)
            if not label.startswith(f"{slug}-"):
                yield cell, f"{where} {label}", f"label it {slug}-…"
            continue
        solved |= labels & {gate.argument}
        if gate.argument not in labels:
            what = f"{where} of no exercise above it: {gate.argument}"
            yield cell, what, "name its label"
        if gate.options.get("class") != "dropdown":
            yield cell, f"{where} is not folded", "add :class: dropdown"
        kinds = {c["cell_type"] for c in cells[first : gates[k + 1][0]]}
        if "code" not in kinds:
            yield cell, f"{where} has no code", "solve it in cells of code"
    if not solved:
        yield None, "no exercise with its solution", LOOK


def _gates(cells):
    """Yield (place of the cell, Directive) of all that begins or ends one."""
    for place, cell in enumerate(cells):
        if cell["cell_type"] == "markdown":
            for directive in prose.directives(cell["source"]):
                if directive.name.partition("-")[0] in PARTS:
                    yield place, directive
