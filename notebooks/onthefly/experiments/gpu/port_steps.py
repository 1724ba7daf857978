"""Which steps of a port are needed: each is left out, and the rest is run.

Source: Okuda, PyCon JP 2018, slides 18, 29 and 52.
"""

import ast
import inspect
import textwrap

import numpy

STEPS = ("another prefix", "other names", "device options", "a global type")
AROUND = "device options, with a device around"


def swapped(program, library, shots, fetch):
    """Run a program for NumPy with another library in NumPy's place.

    program  function of the shots that calls the library np; it may take the
             library before them, see `pi_ports`
    library  a module that has NumPy's names
    fetch    function that makes an array of NumPy of the library's

    Returns {"pi": the estimate, "refused": the lines that the library does
    not run}.  These NumPy runs in its place, on what was fetched.
    """
    tree = ast.parse(textwrap.dedent(inspect.getsource(program))).body[0]
    count = tree.args.args[-1].arg
    names, refused = {count: shots}, []
    for line in tree.body[1:]:  # without the docstring
        target, code = _assigned(line)
        try:
            value = _value(code, {**names, "np": library})
        except (AttributeError, NotImplementedError, TypeError, ValueError):
            refused.append(ast.unparse(line))
            fetched = {k: _fetched(v, fetch) for k, v in names.items()}
            value = _value(code, {**fetched, "np": numpy})
            if isinstance(value, numpy.ndarray):
                value = library.asarray(value)
        names[target] = value
    return {"pi": float(names["return"]), "refused": refused}


def _assigned(line):
    """Return the name that a line assigns to, "return" of a return, and its
    expression."""
    target = "return" if isinstance(line, ast.Return) else line.targets[0].id
    return target, ast.Expression(line.value)


def _value(expression, names):
    return eval(compile(expression, "program", "eval"), names)


def _fetched(value, fetch):
    return value if isinstance(value, int | float) else fetch(value)


def _printed(torch, shots, device):
    """Return the sums of squares, and which hit: slide 52, before it counts.

    PyTorch's lines for CUDA.
    """
    x = torch.rand(shots, device=device)
    y = torch.rand(shots, device=device)
    rs = torch.add(torch.mul(x, x), torch.mul(y, y))
    ones = torch.ones(shots, device=device)
    return rs, torch.le(rs, ones)


def _by_numpys_names(torch, shots, device):
    """Do as `_printed`, by the names that NumPy has."""
    x = torch.random.rand(shots, device=device)
    y = torch.random.rand(shots, device=device)
    rs = torch.add(torch.multiply(x, x), torch.multiply(y, y))
    ones = torch.ones(shots, device=device)
    return rs, torch.less_equal(rs, ones)


def _without_options(torch, shots, device):
    """Do as `_printed`, and tell no line the device."""
    x, y = torch.rand(shots), torch.rand(shots)
    rs = torch.add(torch.mul(x, x), torch.mul(y, y))
    return rs, torch.le(rs, torch.ones(shots))


def left_out(torch, device="meta"):
    """Return {step left out: where the rest runs and in which type}.

    device  by default the one without data, which is on every machine and
            follows the rules of placement of a GPU

    "nothing" is the talk's program as it is; a step may be refused.  AROUND:
    a `with` around the program names the device.
    """

    def around(*arguments):
        with torch.device(device):
            return _without_options(*arguments)

    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        outcomes = {
            "nothing": _outcome(_printed, torch, device),
            "another prefix": _outcome(_printed, numpy, device),
            "other names": _outcome(_by_numpys_names, torch, device),
            "device options": _outcome(_without_options, torch, device),
            AROUND: _outcome(around, torch, device),
        }
        torch.set_default_dtype(torch.float32)  # as it is at the start
        outcomes["a global type"] = _outcome(_printed, torch, device)
    finally:
        torch.set_default_dtype(before)
    return outcomes


def _outcome(program, library, device):
    try:
        sums, hits = program(library, 3, device)
    except (AttributeError, TypeError) as error:
        return f"refused: {error}"
    return f"{hits.device.type}, {sums.dtype}"


def needed(outcomes):
    """Return those of STEPS without which the rest runs otherwise.

    outcomes  as from `left_out`
    """
    return [step for step in STEPS if outcomes[step] != outcomes["nothing"]]
