"""What in a function's code takes time that no compiler saves.

Each rule takes a Case and returns (rank, sentence), or None; a rank below 1
says that nothing is gained by compiling.
"""

import ast

from onthefly.diagnose.patterns import trees

WAITING = {
    "time.sleep", "sleep", "requests.get", "requests.post", "input",
    "urllib.request.urlopen", "urlopen", "subprocess.run", "socket.socket",
}  # fmt: skip
PRINTING = {"print", "sys.stdout.write", "sys.stderr.write", "logging.info"}
FILES = {"open", "np.load", "np.loadtxt", "pd.read_csv", "json.load"}
CACHES = "lru_cache", "functools.lru_cache", "cache", "functools.cache"
HEAVY = {  # of NumPy, on whole arrays
    "sum", "mean", "std", "var", "sort", "argsort", "convolve", "full",
    "zeros", "ones", "cumsum", "dot", "matmul", "einsum", "unique", "where",
    "linalg.solve", "linalg.inv", "linalg.eig", "linalg.svd", "fft.fft",
    "exp", "sin", "cos", "log", "sqrt", "max", "min", "median", "histogram",
    "correlate", "outer", "concatenate", "repeat", "tile", "abs", "arange",
}  # fmt: skip


def _is_async(case):
    if isinstance(case.tree, ast.AsyncFunctionDef):
        return 0, (
            "The call makes a coroutine and runs nothing: time "
            "`asyncio.run(…)` of it."
        )
    return None


def _yields(case):
    node = _own(case, ast.Yield | ast.YieldFrom)
    if node is not None:
        return 0, (
            f"{case.at(node)} The call makes a generator and runs nothing: "
            "time `list(…)` of it."
        )
    return None


def _cached(case):
    for node in case.tree.decorator_list:
        inner = node.func if isinstance(node, ast.Call) else node
        if trees.dotted(inner) in CACHES:
            return 0, (
                "The results are kept by a cache: time the function without "
                "it, as `function.__wrapped__`."
            )
    return None


def _waits(case):
    node = case.call(*WAITING)
    if node is None:
        return None
    name = trees.dotted(node.func)
    return 0, (
        f"{case.at(node)} `{name}` waits and does not compute: wait in "
        "several threads, or with asyncio."
    )


def _files(case):
    node = case.call(*FILES)
    if node is None:
        return None
    name = trees.dotted(node.func)
    return 0.5, (
        f"{case.at(node)} `{name}` reads or writes a file: do so outside, "
        "and give the function numbers."
    )


def _prints(case):
    node = case.call(*PRINTING)
    if node is None:
        return None
    return 1, (
        f"{case.at(node)} Printing takes longer than the arithmetic: print "
        "after the loop."
    )


def _small_slices(case):
    """NumPy's functions of a few items, in a loop."""
    for loop in ast.walk(case.tree):
        if not isinstance(loop, ast.For | ast.ListComp | ast.While):
            continue
        for node in ast.walk(loop):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = trees.dotted(node.func)
            is_part = isinstance(node.args[0], ast.Subscript)
            of_numpy = name.startswith(("np.", "numpy."))
            if of_numpy and is_part and name.split(".")[-1] in HEAVY:
                return 1, (
                    f"{case.at(node)} `{name}` takes microseconds for a few "
                    "items: call it once on the whole array, or write a loop "
                    "for Numba."
                )
    return None


def _already_numpy(case):
    """NumPy on whole arrays, without a loop of Python's."""
    loops = ast.For | ast.While | ast.ListComp | ast.GeneratorExp
    if case.find(*loops.__args__) is not None:
        return None
    nodes = [n for n in ast.walk(case.tree) if isinstance(n, ast.Call)]
    for node in sorted(nodes, key=_only_makes):
        name = trees.dotted(node.func)
        head, _, tail = name.partition(".")
        if head in ("np", "numpy") and tail in HEAVY:
            return 0.9, (
                f"{case.at(node)} `{name}` works on whole arrays in C "
                "already: leave it."
            )
    for node in nodes:
        method = getattr(node.func, "attr", "")
        root = getattr(getattr(node.func, "value", None), "id", "")
        if hasattr(case.inputs.get(root), "dtype") and method in HEAVY:
            return 0.9, (
                f"{case.at(node)} `{root}.{method}` works on the "
                "whole array in C already: leave it."
            )
    if any(isinstance(n, ast.MatMult) for n in ast.walk(case.tree)):
        return 0.9, "`@` runs in a fast library already: leave it."
    return None


def _only_makes(node):
    """Tell whether a call only makes an array, which takes little."""
    name = trees.dotted(node.func).partition(".")[2]
    return name in ("ones", "zeros", "arange", "full", "linspace", "empty")


def _appends(case):
    for loop in ast.walk(case.tree):
        if not isinstance(loop, ast.For | ast.While):
            continue
        for node in ast.walk(loop):
            found = trees.calls(node, "np.append", "np.concatenate",
                                "np.vstack", "np.hstack")  # fmt: skip
            if found:
                return 1, (
                    f"{case.at(node)} `{trees.dotted(node.func)}` copies the "
                    "array in each turn: make the whole array before, and "
                    "set its items."
                )
    return None


def _own(case, kinds):
    """Return a node of the function itself, not of one inside."""
    inside = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    todo = list(case.tree.body)
    while todo:
        node = todo.pop(0)
        if isinstance(node, kinds):
            return node
        if not isinstance(node, inside):
            todo += ast.iter_child_nodes(node)
    return None


TIME_RULES = (
    _is_async, _yields, _cached, _waits, _files, _already_numpy, _prints,
    _appends, _small_slices,
)  # fmt: skip
