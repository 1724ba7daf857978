"""Which parts of Python and NumPy does Numba compile?  One probe each.

A child process: runs under any Python from 3.6 that has NumPy and Numba::

    python numba_probes_child.py --part 0/2

and prints one JSON object, {group: {probe: outcome}}, as its last line.
An outcome is ``same`` (compiled, and the result is Python's), ``differs``,
``not in this Python``, ``not installed``, ``crash`` (the process died), or
the name of the error: ``refused: TypingError`` where Numba refuses it,
``gone: AttributeError`` where Python itself does.
Source: Okuda, PyCon JP 2018, slide 21.
"""

import argparse
import gc
import json
import os
import textwrap
import warnings

# The statements of the language reference, chapters 7 and 8, and a few
# forms of expressions.  A probe is the body of f(n), called with n = 5.
LANGUAGE = {
    "class": "class A: pass\nreturn n",
    "try": "s = 0\ntry: s = n\nfinally: s += 1\nreturn s",
    "except": "try:\n if n > 1: raise ValueError\nexcept Exception:\n"
    " return 7\nreturn 8",
    "with": "with open('x'): n += 1\nreturn n",
    "yield": "yield n\nyield n + 1",
    "assert": "assert n > 0\nreturn n",
    "assignment": "a, (b, c) = n, (1, 2)\nreturn a + b * c",
    "augmented assignment": "s = n\ns += 2\ns <<= 1\nreturn s",
    "annotated assignment": "s: int = n\nreturn s",
    "pass": "pass",
    "del": "s = n\nt = s\ndel s\nreturn t",
    "return": "return n, 2.5",
    "raise": "if n < 0: raise ValueError('n')\nreturn n",
    "break": "for i in range(n):\n if i == 3: break\nreturn i",
    "continue": "s = 0\nfor i in range(n):\n if i % 2: continue\n s += i\n"
    "return s",
    "import": "import math\nreturn math.sqrt(n)",
    "global, read": "return n + GLOBAL",
    "global, written": "global GLOBAL\nGLOBAL = n\nreturn n",
    "nonlocal": "s = 0\ndef g():\n nonlocal s\n s += 1\ng()\nreturn s",
    "if": "if n > 9: return 1\nelif n > 3: return 2\nelse: return 3",
    "while": "s = n\nwhile s < 99: s *= 2\nreturn s",
    "for": "s = 0\nfor i in range(n): s += i\nreturn s",
    "for, else": "for i in range(n):\n if i > 9: break\nelse: return 1\n"
    "return 2",
    "match": "match n:\n case 5: return 1\n case _: return 2",
    "async def": "async def g(): return 1\nreturn n",
    "yield from": "yield from range(n)",
    "lambda": "g = lambda x: x + 1\nreturn g(n)",
    "conditional": "return 1 if n > 3 else 2",
    "comparison chain": "return 1 < n <= 5",
    "slice": "return (1, 2, 3, 4)[1:3]",
    "list": "return [n, 2][::-1]",
    "set": "s = {n, n, 2}\nreturn len(s)",
    "dict": "d = {n: 1.5}\nreturn d[n]",
    "list comprehension": "return [i * i for i in range(n) if i % 2]",
    "set comprehension": "return len({i % 2 for i in range(n)})",
    "dict comprehension": "return len({i: i for i in range(n)})",
    "generator expression": "return sum(i for i in range(n))",
    "starred call": "return max(*(n, 2))",
    "f-string": "return f'n is {n}'",
}
FORMS = {
    "inner": "def g(x): return x * 2\nreturn g(n) + 1",
    "closure": "def g(x): return x * n\nreturn g(3)",
    "recursive": "return n if n < 2 else f(n - 1) + f(n - 2)",
}
BUILTINS = {
    "abs": "return abs(2 - n)",
    "bool": "return bool(n)",
    "complex": "return complex(n, 2)",
    "divmod": "return divmod(n, 3)",
    "enumerate": "s = 0\nfor i, k in enumerate((4, 5)): s += i * k\nreturn s",
    "float": "return float(n)",
    "int": "return int(n + 0.7)",
    "iter": "s = 0\nfor k in iter((4, 5)): s += k\nreturn s",
    "len": "return len((n, n))",
    "min": "return min(n, 3)",
    "max": "return max(n, 9, 2)",
    "next": "it = iter(range(n))\nnext(it)\nreturn next(it)",
    "print": "print('a probe prints', n)\nreturn n",
    "range": "return [i for i in range(n, 0, -2)]",
    "round": "return round(n + 0.6)",
    "sorted": "return sorted([n, 3, 4])",
    "type": "return type(n)(2)",
    "zip": "s = 0\nfor a, b in zip((1, 2), (3, 4)): s += a * b\nreturn s",
}
# Bodies of f(a), a = array of four floats; b = its 2 by 2 shape.
METHODS = {
    name: "return a.%s()" % name
    for name in (
        "all any argmax argmin cumprod cumsum max mean min nonzero prod std "
        "var argsort copy flatten ravel sum"
    ).split()
}
METHODS.update(
    {
        "take": "return a.take(np.array([2, 0]))",
        "astype": "return a.astype(np.int32)",
        "item": "return a[:1].item()",
        "itemset": "a[:1].itemset(7.0)\nreturn a",
        "reshape": "return a.reshape((2, 2))",
        "sort": "a.sort()\nreturn a",
        "transpose": "return a.reshape((2, 2)).transpose()",
        "view": "return a.view(np.int64)",
    }
)
# Set-up and body of f(n).
MODULES = {
    "array": ("import array\nv = array.array('d', [1, 2])", "return v[1]"),
    "cmath": ("import cmath", "return cmath.sqrt(-n)"),
    "collections": (
        "import collections\nP = collections.namedtuple('P', 'x y')",
        "return P(n, 2).x",
    ),
    "ctypes": (
        "import ctypes, ctypes.util\n"
        "cos = ctypes.CDLL(ctypes.util.find_library('m')).cos\n"
        "cos.argtypes, cos.restype = [ctypes.c_double], ctypes.c_double",
        "return cos(float(n))",
    ),
    "enum": (
        "import enum\nclass E(enum.IntEnum):\n a = 5\n b = 6",
        "return n == E.a",
    ),
    "math": ("import math", "return math.hypot(n, 2)"),
    "operator": ("import operator", "return operator.add(n, 2)"),
    "functools": (
        "import functools, numpy as np\nPARALLEL = 1\n"
        "def add(a, b): return a + b\nif JIT: add = JIT(add)",
        "return functools.reduce(add, np.ones(n), 0.0)",
    ),
    "random": ("import random", "return 0 <= random.random() < 1"),
    "cffi": (
        "import cffi, ctypes.util\nffi = cffi.FFI()\n"
        "ffi.cdef('double cos(double);')\n"
        "cos = ffi.dlopen(ctypes.util.find_library('m')).cos",
        "return cos(float(n))",
    ),
}
# These take as long to compile as all others together.
SLOW = (
    "sorted",
    "f-string",
    "argsort",
    "sort",
    "dict",
    "set",
    "dict comprehension",
)
# An array.array is an argument, for a global would be a constant.
ARGUMENT = {"array": "def f(v): return v[1]"}


def _source(head, argument, body):
    return "%s\ndef f(%s):\n%s\n" % (
        head,
        argument,
        textwrap.indent(body, " "),
    )


def probes():
    """Return {group: {probe: source of a function f}}."""
    plain = {
        "language": LANGUAGE,
        "call forms": FORMS,
        "built-ins": BUILTINS,
    }
    found = {
        group: {k: _source("GLOBAL = 3", "n", v) for k, v in rows.items()}
        for group, rows in plain.items()
    }
    found["NumPy methods"] = {
        k: _source("import numpy as np", "a", v) for k, v in METHODS.items()
    }
    found["modules"] = {
        k: head + "\n" + ARGUMENT[k]
        if k in ARGUMENT
        else _source(head, "n", body)
        for k, (head, body) in MODULES.items()
    }
    return found


def _arguments(space, group):
    import numpy as np

    if group == "NumPy methods":
        return [np.array([3.0, 1.0, 2.0, 0.5])]
    return [space["v"]] if "v" in space else [5]


def _value(result):
    """Return a result in a form that can be compared."""
    if hasattr(result, "__next__"):
        return list(result)
    if isinstance(result, tuple):
        return tuple(_value(part) for part in result)
    return result.tolist() if hasattr(result, "tolist") else result


def _run(source, group, jit):
    space = {"JIT": jit}
    kept.append(space)
    exec(source, space)
    if jit:
        space["f"] = jit(parallel="PARALLEL" in space)(space["f"])
    return _value(space["f"](*_arguments(space, group)))


kept = []  # see keep_environments


def keep_environments():
    """Let Numba 0.38 free none of its own objects: its wheel would crash.

    The wheel was built for a 3.6 whose objects had a longer header than
    those of the last 3.6 releases.  Whoever compiles keeps the function,
    and ends its process by ``os._exit``.
    """
    try:
        from numba.lowering import Environment
    except ImportError:  # a Numba of today
        return
    make = Environment.from_fndesc.__func__

    def from_fndesc(cls, fndesc):
        kept.append(make(cls, fndesc))
        return kept[-1]

    Environment.from_fndesc = classmethod(from_fndesc)


def outcome(source, group="language"):
    """Run a probe in Python and compiled; return the outcome as text."""
    import numba

    try:
        want = _run(source, group, None)
    except SyntaxError:
        return "not in this Python"
    except ImportError:
        return "not installed"
    except OSError:  # the file of `with open` is not there, and need not be
        want = None
    except Exception as error:
        return "gone: " + type(error).__name__
    try:
        got = _run(source, group, numba.njit)
    except Exception as error:
        return "refused: " + type(error).__name__
    return "same" if got == want else "differs"


def outcomes(rows):
    """Yield the outcome of each (group, probe, source), in order.

    A child works through them.  Where it dies, the probe at hand is a crash,
    and another child goes on behind it.
    """
    done = 0
    while done < len(rows):
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            for group, _, source in rows[done:]:
                os.write(write, (outcome(source, group) + "\n").encode())
            os._exit(0)
        os.close(write)
        with os.fdopen(read) as file:
            for line in file:
                done += 1
                yield line.strip()
        if os.waitpid(child, 0)[1]:
            done += 1
            yield "crash"


def main():
    """Run the probes of one part and print the outcomes as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--part", default="0/1", help="part/parts")
    parser.add_argument("--only", nargs="+", help="names of probes")
    parser.add_argument("--quick", action="store_true", help="none of SLOW")
    options = parser.parse_args()
    part, parts = map(int, options.part.split("/"))
    os.environ["NUMBA_OPT"] = "0"  # does it compile?  Not: how fast
    warnings.simplefilter("ignore")
    gc.disable()  # its life is short
    keep_environments()
    rows = [
        (group, name, source)
        for group, found in probes().items()
        for name, source in found.items()
        if name in (options.only or found)
        and not (options.quick and name in SLOW)
    ]
    rows, found = rows[part::parts], {}
    for (group, name, _), text in zip(rows, outcomes(rows)):
        found.setdefault(group, {})[name] = text
    print(json.dumps(found), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
