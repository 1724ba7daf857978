"""What a slow function could be: each pattern is run, and compared."""

import ast
import collections
import copy
import fractions
import math
import pathlib
import textwrap

import numba
import numpy as np
import pytest

from onthefly.diagnose.patterns import rewrites, trees
from onthefly.diagnose.patterns.advice import advice
from onthefly.diagnose.patterns.conversions import conversion
from onthefly.diagnose.patterns.routines import routines

SCOPE = {"np": np, "math": math, "collections": collections}
SCOPE["defaultdict"] = collections.defaultdict
RANDOM = np.random.default_rng(0)
X, Y = RANDOM.random(40), RANDOM.random(40)
A, B = RANDOM.random((6, 6)), RANDOM.random((6, 6))


CASES = pathlib.Path(__file__).parent / "cases"


def case(file, name):
    """Return the source of a function of a case."""
    text = (CASES / file).read_text()
    every = {getattr(n, "name", ""): n for n in ast.parse(text).body}
    return ast.get_source_segment(text, every[name])


def made(source, **needs):
    """Return the function of a source."""
    source = textwrap.dedent(source)
    scope = {**SCOPE, **needs}
    exec(source, scope)
    return scope[trees.function(source).name]


def compiled(rewrite, parallel=False, **needs):
    """Return the compiled function of a Rewrite."""
    function = made(rewrite.source, **needs, **rewrite.needs)
    return numba.njit(parallel=parallel)(function)


def close(one, other):
    """Tell whether two results are the same but for type and rounding."""
    if isinstance(one, dict):
        keys = one.keys() == other.keys()
        return keys and all(close(one[k], other[k]) for k in one)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(close, one, other))
    return np.allclose(np.asarray(one, float), np.asarray(other, float))


# Loops in any order

LENGTHS = """
    def lengths(limit):
        out = np.zeros(limit)
        for i in range(limit):
            out[i] = length(i)
        return out
    """
MIXED = """
    def mixed(x):
        s = 0.0
        low = x[0]
        t = 1.0
        for i in range(1, len(x)):
            v = x[i] * 2
            if v < 0.2:
                continue
            s = s + v
            t -= i
            if v < low:
                low = v
            row = np.zeros(3)
            for k in range(3):
                row[k] = v
                if row[k] > 1:
                    break
            x[i] += row.sum()
        return s, low, t
    """


def test_a_parallel_loop_counts_by_a_signed_index():
    found = rewrites.parallel(LENGTHS)
    assert "i = int64(_i)" in found.source
    length = numba.njit(lambda n: n - 7)
    got = compiled(found, parallel=True, length=length)(20)
    assert close(got, np.arange(20) - 7)


def test_a_parallel_loop_reduces_and_keeps_its_own_variables():
    want_x, got_x = X.copy(), X.copy()
    want = made(MIXED)(want_x)
    got = compiled(rewrites.parallel(MIXED), parallel=True)(got_x)
    assert close(got, want)
    assert close(got_x, want_x)


def test_a_loop_over_an_argument_is_parallel_where_it_is_an_array():
    source = "def f(x):\n s = 0.0\n for v in x:\n  s += v\n return s"
    assert rewrites.parallel(source) is None
    found = rewrites.parallel(source, arrays=["x"])
    assert close(compiled(found, parallel=True)(X), X.sum())


def test_the_inner_loop_is_parallel_where_the_outer_one_is_not():
    source = """
        def f(a, b, steps):
            for t in range(steps):
                for i in range(1, len(a) - 1):
                    b[i] = a[i - 1] + a[i + 1]
                for i in range(len(a)):
                    a[i] = b[i]
        """
    found = rewrites.parallel(source).source
    assert "for t in range(steps)" in found
    assert found.count("prange(") == 2


def test_names_of_a_rewrite_do_not_collide():
    source = """
        def f(n, prange):
            int64 = 0
            for i in range(n):
                int64 += i * prange
            return int64
        """
    found = rewrites.parallel(source)
    assert compiled(found, parallel=True)(10, 2) == 90


NOT_PARALLEL = [
    "for i in range(1, len(x)): x[i] = x[i - 1] + 1",
    "y = x\nfor i in range(1, len(x)): y[i] = x[i - 1] + 1",
    "y = x[1:]\nfor i in range(9): y[i] = x[i] + 1",
    "s = 0\nfor i in range(9):\n    s += x[i]\n    x[i] = s",
    "s = 0\nfor i in range(9):\n    s += x[i]\n    last = i\ns += last",
    "s = 0\nfor i in range(9):\n    s += x[i]\n    if s > 3: break",
    "s = 0\nfor i in range(9):\n    s += x[i]\n    s *= 2",
    "s = 0\nfor i in range(0, 9, 2): s += x[i]",
    "out = []\nfor i in range(9): out.append(x[i])",
    "out = []\nfor i in range(9): out += [x[i]]",
    "d = {}\nfor i in range(9): d[i] = x[i]",
    "d = {}\nfor i in range(9): d[x[i]] = i",
    "h = np.zeros(9)\nfor i in range(9): h[int(x[i])] += 1",
    "s = 0\nfor i in range(9): s += random.random()",
    "s = 0\nfor i in range(9): s += draw()",
    "s = 0\nfor i in range(9):\n    print(i)\n    s += i",
    "for i in range(9):\n    if x[i] > 3: return i",
    "for i in range(9): i * i",
    "s = 0\nfor i in range(9):\n    i += 1\n    s += i",
    "s = 0\nfor i in range(9):\n    s += x[i]\ns = i",
    "global s\nfor i in range(9): s += x[i]",
]


@pytest.mark.parametrize("body", NOT_PARALLEL)
def test_a_loop_whose_order_matters_stays(body):
    source = f"def f(x):\n{textwrap.indent(body, '    ')}\n"
    assert rewrites.parallel(source) is None


def helper(values, i):
    values[0] = i
    return i


def test_a_loop_that_calls_what_changes_its_arguments_stays():
    source = "def f(x):\n s = 0\n for i in range(9): s += helper(x, i)"
    assert rewrites.parallel(source) is not None
    assert rewrites.parallel(source, names={"helper": helper}) is None


# Generators, keywords, texts

GENERATORS = """
    def f(n, x):
        v = 3
        if any(v > 0.99 for v in x):
            v += 1
        return (
            sum(i * i for i in range(n) if i % 2),
            sum((abs(i) for i in x), 2.5),
            1.5 * min(abs(i) for i in x),
            max((i * j for i in x for j in range(n)), default=0.0),
            all(i > 0 for i in x),
            sum(map(math.sqrt, x)),
            len(list(i for i in x if i > 0.5)),
            v,
        )
    """


def test_generators_become_loops_that_numba_takes():
    found = rewrites.loop_of_generator(GENERATORS)
    assert "for i in" not in found.source.replace("[i for i in", "")
    assert close(compiled(found)(5, X), made(GENERATORS)(5, X))


def test_the_least_of_no_values_is_refused():
    source = "def f(x):\n return min(v for v in x)"
    with pytest.raises(ValueError):
        made(rewrites.loop_of_generator(source).source)([])


def test_a_generator_that_may_not_run_stays():
    source = "def f(x):\n return x and sum(v for v in x)"
    assert rewrites.loop_of_generator(source) is None
    assert rewrites.loop_of_generator("def f(n):\n return n") is None


def test_keywords_become_positional():
    source = "def f(n, m=2, *, scale, k=4):\n return n, m, scale, k"
    found = made(rewrites.keywords_positional(source).source)
    assert found(1, 2, 3) == (1, 2, 3, 4)
    assert rewrites.keywords_positional("def f(n):\n return n") is None


LETTERS = """
    def f(text, word):
        c = 0
        before = ""
        for i, ch in enumerate(text):
            if ch in "aeiou" and before != ch:
                c += 1
            elif ch.isdigit():
                c += int(ch)
            elif text[i] not in ("x", "y") and "b" <= ch <= "f":
                c += ord(ch) - ord("a")
            before = ch
        return c
    """


def test_a_text_becomes_bytes():
    text = "lorem ipsum 2017 aa xyz fed"
    found = conversion((text, "a"), textwrap.dedent(LETTERS))
    assert found.name == "bytes"
    new = found.convert((text, "a"))
    assert new[1] == "a"
    assert compiled(found.rewrite)(*new) == made(LETTERS)(text, "a")


@pytest.mark.parametrize(
    "body",
    [
        "return t.count('a')",
        "return [c for c in t if c == 'a']",
        "for c in t:\n  if c in other: return c",
        "n = 0\n for c in t:\n  if t[1:3] == 'ab': n += 1\n return n",
        "d = {}\n for c in t:\n  d[c] = 1\n return len(d)",
        "s = ''\n for c in t:\n  s += c\n return s",
        "return len('a')",
    ],
)
def test_a_text_stays_where_more_than_its_letters_is_used(body):
    assert rewrites.text_as_bytes(f"def f(t):\n {body}", "t") is None


# Arguments


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ([1, 2], "arrays"),
        ([1, 2.5, True], "arrays"),
        ([[1, 2], [3, 4]], "arrays"),
        ([[[1], [2]], [[3], [4]]], "arrays"),
        ([np.ones(2), np.zeros(2)], "arrays"),
        (tuple(range(100)), "arrays"),
        (np.array([1, 2], object), "arrays"),
        ([[1, 2], [3]], "numba.typed.List"),
        ([(1, 2.5), (3, 4.5)], "numba.typed.List"),
        ({1: 2.5, 3: 4.5}, "numba.typed.Dict"),
        ({"a": 1, "bé": 2}, "numba.typed.Dict"),
        ({1.5: 2}, "numba.typed.Dict"),
    ],
)
@pytest.mark.slow
def test_arguments_are_converted(value, name):
    found = conversion((value, 3))
    assert found.name == name
    new, three = found.convert((value, 3))
    assert three == 3
    if name == "numba.typed.Dict":
        assert dict(new) == value
    else:
        assert [list(np.ravel(v)) for v in new] == [
            list(np.ravel(v)) for v in value
        ]


@pytest.mark.parametrize(
    "value",
    [
        [], ["a"], [None], [2**70], [2**60, 1.5], [(1, "a")], {}, {1: "a"},
        {1: 2**70}, {1, 2}, (1, 2), 3, "abc", np.ones(3), [[]],
    ],
)  # fmt: skip
def test_arguments_that_numba_takes_or_nobody_converts_stay(value):
    assert conversion((value,)) is None


def test_a_conversion_names_the_arguments():
    source = "def f(d, keys):\n return d[keys[0]]"
    found = conversion(({1: 2.0}, [1, 2]), source)
    assert found.name == "numba.typed.Dict and arrays"
    assert "dict `d`, outside the function" in found.sentence
    assert "np.array(keys)" in found.sentence


# Routines: (name of the first, source, arguments)

ROUTINES = [
    ("A @ B", case("matmul_lists.py", "product"), (A.tolist(), B.tolist())),
    ("A @ B", """
        def product(A, B):
            n, m = A.shape
            C = np.zeros((n, B.shape[1]))
            for i in range(n):
                for k in range(m):
                    for j in range(B.shape[1]):
                        C[i, j] += A[i, k] * B[k, j]
            return C
        """, (A, B)),
    ("A @ B", """
        def product(A, B):
            return [[sum(a * b for a, b in zip(row, col))
                     for col in zip(*B)] for row in A]
        """, (A.tolist(), B.tolist())),
    ("A @ v", """
        def product(A, v):
            return [sum(a * b for a, b in zip(row, v)) for row in A]
        """, (A.tolist(), B[0].tolist())),
    ("np.dot", """
        def dot(x, y):
            s = 0.0
            for i in range(len(x)):
                s += x[i] * y[i]
            return s
        """, (X, Y)),
    ("np.bincount", case("groupsum.py", "group"),
     (RANDOM.integers(0, 5, 40), X)),
    ("np.unique", """
        def group(keys, values):
            sums = defaultdict(float)
            for k, v in zip(keys, values):
                sums[k] += v
            return dict(sums)
        """, ((RANDOM.integers(0, 5, 40) - 3).tolist(), X.tolist())),
    ("np.bincount", """
        def counts(x):
            d = {}
            for v in x:
                k = int(v * 10)
                d[k] = d.get(k, 0) + 1
            return d
        """, (X,)),
    ("np.bincount", """
        def histogram(x):
            h = [0] * 10
            for v in x:
                h[int(v * 10)] += 1
            return h
        """, (X.tolist(),)),
    ("collections.Counter", """
        def words(text):
            d = {}
            for w in text.split():
                d[w] = d.get(w, 0) + 1
            return d
        """, ("a b a c",)),
    ("np.convolve", """
        def smooth(x, d):
            return [np.mean(x[i:i + d]) for i in range(len(x) - d + 1)]
        """, (X, 5)),
    ("np.convolve", """
        def smooth(x, d):
            n = len(x) - d + 1
            out = np.zeros(n)
            for i in range(n):
                s = 0.0
                for j in range(d):
                    s += x[i + j]
                out[i] = s / d
            return out
        """, (X, 5)),
    ("np.convolve", """
        def smooth(x, d):
            out = []
            for i in range(d, len(x)):
                out.append(sum(x[i - d:i]) / d)
            return out
        """, (X.tolist(), 5)),
    ("np.correlate", """
        def filtered(x, w):
            n = len(x) - len(w) + 1
            out = np.empty(n)
            for i in range(n):
                s = 0.0
                for j in range(len(w)):
                    s += x[i + j] * w[j]
                out[i] = s
            return out
        """, (X, Y[:4])),
    ("np.lib.stride_tricks.sliding_window_view", """
        def largest(x, d):
            return [max(x[i:i + d]) for i in range(len(x) - d + 1)]
        """, (X, 5)),
    ("scipy.spatial.distance.cdist", """
        def distances(A, B):
            D = np.zeros((len(A), len(B)))
            for i in range(len(A)):
                for j in range(len(B)):
                    s = 0.0
                    for k in range(A.shape[1]):
                        d = A[i, k] - B[j, k]
                        s += d * d
                    D[i, j] = math.sqrt(s)
            return D
        """, (A, B[:4])),
    ("scipy.spatial.distance.cdist", """
        def distances(A):
            n = len(A)
            D = np.zeros((n, n))
            for i in range(n):
                for j in range(n):
                    D[i, j] = np.linalg.norm(A[i] - A[j])
            return D
        """, (A,)),
    ("sum(map(text.count, 'aeiou'))", """
        def vowels(text, word):
            c = 0
            for ch in text:
                if ch in "aeiou":
                    c += 1
            return c
        """, ("lorem ipsum dolor", "a")),
    ("sum(map(text.count, 'ao'))", """
        def letters(text):
            a = b = 0
            for i in range(len(text)):
                if text[i] == "a" or text[i] == "o":
                    a += 1
                elif text[i] == "e":
                    b += 1
            return a, b
        """, ("lorem ipsum dolor",)),
    ("text.count('a')", """
        def letters(text):
            return sum(1 for c in text if c == "a")
        """, ("a banana",)),
    ("text.count(word)", """
        def count_word(text, word):
            hits, at = 0, text.find(word)
            while at >= 0:
                hits += 1
                at = text.find(word, at + 1)
            return hits
        """, ("lorem ipsum lorem", "lorem")),
    ("text.count(word)", """
        def count_word(text, word):
            hits = 0
            for i in range(len(text) - len(word) + 1):
                if text[i:i + len(word)] == word:
                    hits += 1
            return hits
        """, ("lorem ipsum lorem", "lorem")),
    ("np.searchsorted", """
        def lookups(d, keys):
            s = 0.0
            for k in keys:
                if k in d:
                    s += d[k]
            return s
        """, ({i * 7: float(i) for i in range(20)}, [1, 7, 14, 21, 700])),
    ("np.searchsorted", """
        def lookups(d, keys):
            return sum(d.get(k, 0.5) for k in keys)
        """, ({i * 7: float(i) for i in range(20)}, [1, 7, 14, 21, 700])),
    ("np.cumsum", """
        def running(x):
            out = np.zeros(len(x))
            s = 0.0
            for i in range(len(x)):
                s += x[i]
                out[i] = s
            return out, s
        """, (X,)),
    ("np.maximum.accumulate", """
        def running(x):
            out = []
            m = x[0]
            for v in x:
                if v > m:
                    m = v
                out.append(m)
            return out
        """, (X,)),
    ("np.sum", """
        def stats(x):
            s = 0.0
            for v in x:
                s += v
            return {"sum": s, "mean": s / len(x)}
        """, (X,)),
    ("np.min", case("stats2.py", "minmax"), (X,)),
    ("np.sin", """
        def elementwise(x, y):
            out = np.zeros(len(x))
            for i in range(len(x)):
                out[i] = math.sin(x[i]) ** 2 if x[i] > 0.5 else y[i]
            return out
        """, (X, Y)),
    ("np.exp", """
        def exponentials(x):
            return [math.exp(v) * 2 for v in x if v > 0.3]
        """, (X.tolist(),)),
    ("np.abs", """
        def steps(x):
            s = 0.0
            for i in range(1, len(x)):
                s += abs(x[i] - x[i - 1])
            return s
        """, (X,)),
    ("whole arrays", """
        def heat(u, steps):
            n = len(u)
            for _ in range(steps):
                new = np.zeros(n)
                for i in range(1, n - 1):
                    new[i] = 0.5 * (u[i - 1] + u[i + 1])
                u = new
            return u
        """, (X, 3)),
    ("np.sum", """
        def rows(a):
            out = np.zeros(len(a))
            for i in range(len(a)):
                s = 0.0
                for j in range(len(a[i])):
                    s += a[i][j]
                out[i] = s
            return out
        """, (A,)),
    ("a.sort()", """
        def bubble(a):
            a = list(a)
            for i in range(len(a)):
                for j in range(0, len(a) - i - 1):
                    if a[j] > a[j + 1]:
                        a[j], a[j + 1] = a[j + 1], a[j]
            return a
        """, (X.tolist(),)),
    ("a.sort()", """
        def insertion(a):
            a = a[:]
            for i in range(1, len(a)):
                key = a[i]
                j = i - 1
                while j >= 0 and a[j] > key:
                    a[j + 1] = a[j]
                    j -= 1
                a[j + 1] = key
            return a
        """, (X.tolist(),)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "source", "inputs"),
    ROUTINES,
    ids=[f"{trees.function(case[1]).name}-{case[0]}" for case in ROUTINES],
)
def test_a_routine_gives_the_same(name, source, inputs):
    source = textwrap.dedent(source)
    want = made(source)(*copy.deepcopy(inputs))
    found = routines(source, inputs, SCOPE)
    assert found[0].name == name
    for routine in found:
        new = routine.convert(copy.deepcopy(inputs))
        assert close(routine.function(*new), want)
        assert close(routine.function(*copy.deepcopy(inputs)), want)
        assert routine.sentence.endswith(".")


def test_moving_averages_are_also_found_by_cumulative_sums():
    source = (
        "def f(x, d):\n"
        " return [sum(x[i:i + d]) / d for i in range(len(x) - d + 1)]"
    )
    found = routines(source, (X, 4))
    assert [each.name for each in found] == ["np.convolve", "np.cumsum"]


@pytest.mark.parametrize(
    "body",
    [
        "a, b = 0, 1\nfor v in x: a, b = b, a + b\nreturn a",
        "for i in range(1, len(x)): x[i] = x[i - 1] * 0.5 + x[i]",
        "s = 0\nfor v in x: s = s * 0.5 + v\nreturn s",
        "s = 0\nfor v in x:\n    s += v\n    if s > 3: break\nreturn s",
        "s = t = 0\nfor v in x:\n    s += v\n    t += s\nreturn t",
        "last = 0\nfor v in x:\n    d = v - last\n    last = v\nreturn d",
        "pairs = zip(x, x)\nreturn sum(a * b for a, b in pairs)",
        "return np.sum(x)",
        "return [f(v) for v in x]",
    ],
)
def test_no_routine_is_claimed_without_its_pattern(body):
    source = f"def f(x):\n{textwrap.indent(body, '    ')}\n"
    assert routines(source, (X,), SCOPE) == []


def test_no_routine_is_claimed_of_rows_of_text():
    source = (
        "def total(rows):\n s = 0\n for line in rows:\n"
        '  s += int(line.split(",")[0])\n return s'
    )
    assert routines(source, (["1,2"],)) == []


# Advice


class Running:
    """Some state."""


Z = fractions.Fraction(1, 3)


@pytest.mark.parametrize(
    ("source", "inputs", "words"),
    [
        ("def f(d):\n return d[1]", ({1: 2},), "`d` is a dict"),
        ("def f(a):\n return a[0][0]", ([[1, 2]],), "list of lists"),
        ("def f(a):\n return a[0]", ([1, "a"],), "mixes int and str"),
        ("def f(n):\n return sum(i for i in range(n))", (3,), "generator"),
        ("def f(n):\n r = Running()\n return r", (3,), "Line 2: `Running`"),
        ("def f(n):\n global K\n K += n", (3,), "`K` is a global"),
        ("def f(n):\n CACHE[n] = 1", (3,), "`CACHE` is a global"),
        ("def f(n, *, m=2):\n return n", (3,), "`m` is given by its name"),
        ("def f(n, **k):\n return n", (3,), "`**k`"),
        ("def f(t):\n return t.split()", ("a b",), "leave this in Python"),
        ("def f(t):\n return int(t[0][0])", (["12"],), "leave this in P"),
        ("def f(x):\n return x.sum(axis=0)", (A,), "leave it"),
        ("def f(x):\n return np.convolve(x, x)", (X,), "`np.convolve` work"),
        ("def f(n):\n return np.full(n, 0.0)", (3,), "`np.full` works"),
        ("def f(x):\n for i in range(9): np.mean(x[i:])", (X,), "few items"),
        ("def f(n):\n return f(n - 1)", (3,), "calls itself"),
        ("def f(n):\n time.sleep(1)", (3,), "waits"),
        ("def f(n):\n print(n)", (3,), "Printing"),
        ("def f(n):\n return random.random()", (3,), "draw all at once"),
        ("def f(n):\n try:\n  n += 1\n except E:\n  pass", (3,), "`try`"),
        ("def f(n):\n return 2 ** n", (2**70,), "beyond 64 bits"),
        ("def f(n):\n yield n", (3,), "makes a generator"),
        ("async def f(n):\n return n", (3,), "makes a coroutine"),
        ("@lru_cache(None)\ndef f(n):\n return n", (3,), "cache"),
        ("def f(s):\n return 1 in s", ({1},), "`s` is a set"),
        ("def f(x):\n return x", (np.array([1], object),), "objects"),
        ("def f(n):\n return isinstance(n, int)", (3,), "asks for a type"),
        ("def f(n):\n return f'{n}'", (3,), "Text that is put together"),
        ("def f(n):\n with n: pass", (3,), "`with`"),
        ("def f(n):\n def g(): return n\n return g()", (3,), "made anew"),
        ("def f(g):\n return g(1)", (abs,), "`g` is a function"),
        ("def f(z):\n return z[0].numerator", ([Z],), "of `numerator`, as"),
    ],
)  # fmt: skip
def test_advice_says_what_to_change(source, inputs, words):
    names = {"Running": Running, "CACHE": {}}
    lines = advice(source, inputs, names=names)
    assert any(words in line for line in lines), lines
    assert len(lines) <= 3
    assert all(line.endswith(".") for line in lines)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ("Untyped global name 'Other': Cannot", "`Other` is a Python class"),
        ("unsupported NumPy function 'numpy.gradient' or", "`np.gradient`"),
        ("Cannot unify int64 and float64 for 's.2', defined", "`s = 0.0`"),
        ("Cannot unify str and float64 for 's.2', defined", "two types"),
        ("cannot reflect element of reflected container", "NumPy array"),
        ("Cannot determine Numba type of <class 'x.Y'>", "type `Y`"),
    ],
)
def test_advice_explains_what_numba_says(error, words):
    lines = advice("def f(n):\n return n + Other", (3,), error)
    assert words in lines[0]


def test_nothing_is_advised_where_nothing_is_known():
    assert advice("def f(n):\n return n", (3,)) == []
    assert advice("lambda n: n", (3,)) == []


def test_a_search_through_a_list_is_to_be_a_set():
    source = (
        "def found(names, keys):\n"
        "    total = 0\n"
        "    for key in keys:\n"
        "        if key in names:\n"
        "            total += 1\n"
        "    return total\n"
    )
    lines = advice(source, ([1, 2], [2, 3]))
    assert any("set(names)" in line for line in lines)


EACH = "    for i in order:\n"


@pytest.mark.parametrize(
    ("body", "taken"),
    [
        ("    for a, b in items:\n        s += a - b\n", True),
        (
            "    for i in order:\n        a, b = items[i]\n        s += a\n",
            True,
        ),
        (f"{EACH}        s += items[i][0]\n", False),
        (
            "    for i in order:\n        i, b = items[i]\n        s += b\n",
            False,
        ),
    ],
)
def test_tuples_that_are_unpacked_become_rows(body, taken):
    source = f"def f(items, order):\n    s = 0.0\n{body}    return s\n"
    inputs = [(float(k), 1.0) for k in range(9)], [3, 1, 8]
    names = {}
    exec(source, names)
    found = conversion(inputs, source)
    assert (found.name == "arrays") is taken
    if taken:
        exec(found.rewrite.source, names)
        converted = found.convert(inputs)
        exec(source, before := {})
        assert names["f"](*converted) == before["f"](*inputs)


@pytest.mark.parametrize(
    ("body", "copied"),
    [
        ("return [row[:] for row in rows]", "row"),
        ("a = rows[0][:]\na[0] = 1\nreturn a", "rows[0]"),
        ("for row in rows:\n    new = row[:]\nreturn new", "row"),
        ("rows[:] = rows\nreturn rows[0][1:]", ""),
        ("other = [1]\nreturn other[:]", ""),
    ],
)
def test_lists_that_are_copied_become_arrays_that_are(body, copied):
    source = f"def taken(rows):\n{textwrap.indent(body, '    ')}"
    found = conversion(([[1.0, 2.0], [3.0, 4.0]],), source)
    assert bool(found.rewrite) == bool(copied)
    if copied:
        assert f"`{copied}.copy()`" in found.rewrite.sentence
        (rows,) = found.convert(([[1.0, 2.0], [3.0, 4.0]],))
        space = {}
        exec(found.rewrite.source, space)
        assert not np.shares_memory(space["taken"](rows), rows)
