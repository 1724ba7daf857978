"""Which parts of Python and NumPy does Numba compile?  One probe each.

Source: Okuda, PyCon JP 2018, slide 21.
"""

import textwrap

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
    "async def": "async def g(): return 1\ng().close()\nreturn n",
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
PLAIN = (
    "all any argmax argmin cumprod cumsum max mean min nonzero prod std var "
    "argsort copy flatten ravel sum"
)
METHODS = {name: f"return a.{name}()" for name in PLAIN.split()} | {
    "take": "return a.take(np.array([2, 0]))",
    "astype": "return a.astype(np.int32)",
    "item": "return a[:1].item()",
    "itemset": "a[:1].itemset(7.0)\nreturn a",
    "reshape": "return a.reshape((2, 2))",
    "sort": "a.sort()\nreturn a",
    "transpose": "return a.reshape((2, 2)).transpose()",
    "view": "return a.view(np.int64)",
}
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
        "import numpy as np\nfrom functools import reduce",
        "return reduce(lambda a, b: a + b, np.ones(n), 0.0)",
    ),
    "random": ("import random", "return 0 <= random.random() < 1"),
    "cffi": (
        "import cffi, ctypes.util\nffi = cffi.FFI()\n"
        "ffi.cdef('double cos(double);')\n"
        "cos = ffi.dlopen(ctypes.util.find_library('m')).cos",
        "return cos(float(n))",
    ),
}
# An array.array is an argument, for a global would be a constant.
ARGUMENT = {"array": "def f(v): return v[1]"}


def source(head, argument, body):
    """Return the source of a function f of one argument, after its set-up."""
    return f"{head}\ndef f({argument}):\n{textwrap.indent(body, ' ')}\n"


def probes():
    """Return {group: {probe: source of a function f}}."""
    plain = {
        "language": LANGUAGE,
        "call forms": FORMS,
        "built-ins": BUILTINS,
    }
    groups = {
        group: {k: source("GLOBAL = 3", "n", v) for k, v in rows.items()}
        for group, rows in plain.items()
    }
    groups["NumPy methods"] = {
        k: source("import numpy as np", "a", v) for k, v in METHODS.items()
    }
    groups["modules"] = {
        k: head + "\n" + ARGUMENT[k]
        if k in ARGUMENT
        else source(head, "n", body)
        for k, (head, body) in MODULES.items()
    }
    return groups
