"""What the report says of functions like those of public reports.

Each file of cases/ is written after one that its first line names.
"""

import pathlib
import sys

import pytest

from onthefly.diagnose.request import Request
from onthefly.diagnose.target import Target
from onthefly.diagnose.trials import Work
from onthefly.errors import UserError

CASES = pathlib.Path(__file__).parent / "cases"
SIZES = 100, 1000


@pytest.fixture
def work(monkeypatch):
    """Return a function that loads a case, as the process of a trial does.

    What a case took the place of in sys.modules is there again afterwards.
    """
    monkeypatch.syspath_prepend(CASES)
    for path in CASES.glob("*.py"):
        monkeypatch.setitem(
            sys.modules, path.stem, sys.modules.get(path.stem)
        )
        monkeypatch.delitem(sys.modules, path.stem)

    def load(place, arg="", sizes=SIZES):
        target = Target.named(f"{CASES}/{place}")
        maker = target.beside(arg) if arg else None
        return Work(Request.of([target], sizes, [1, 2], 4.0, None, maker))

    return load


# place, maker, what it may become: {method: word of what is to be written}
GAINS = [
    ("collatz_all.py:lengths", "", {
        "numba.njit": "lengths", "numba.njit(parallel=True)": "np.int64(i)"}),
    ("smooth.py:smooth_list", "series", {
        "numba.njit": "smooth_list", "np.convolve": "np.convolve"}),
    ("expensive.py:many", "", {
        "numba.njit": "many", "numba.njit(parallel=True)": "prange"}),
    ("expensive.py:many_par", "", {"as given": "decorator"}),
    ("full.py:full", "", {"numba.njit": "full"}),
    ("stats2.py:namedstats", "numbers", {"numba.njit": "", "np.sum": ""}),
    ("stats2.py:minmax", "numbers", {"numba.njit": ""}),
    ("groupsum.py:group", "table", {
        "numba.njit": "", "np.bincount": "np.bincount"}),
    ("groupsum.py:group", "lists", {
        "numba.njit on arrays": "array", "np.bincount": "arrays"}),
    ("relaxed.py:relaxed", "grid", {
        "numba.njit on arrays": "`row.copy()`"}),
    ("tuples.py:counts", "x", {"numba.njit": "", "np.bincount": ""}),
    ("tuples.py:sum_and_scaled", "x", {"numba.njit": ""}),
    ("tuples.py:named", "x", {"numba.njit": ""}),
    ("tuples.py:list_of_arrays", "x", {"numba.njit": ""}),
    ("tuples.py:ragged", "x", {"numba.njit": ""}),
    ("cancel.py:dev", "x", {"numba.njit": ""}),
    ("cancel.py:z", "x", {"numba.njit": ""}),
    ("cancel.py:product", "x", {"numba.njit": ""}),
    ("cancel.py:wave", "", {"numba.njit": ""}),
    ("picks.py:picks", "stuff", {
        "numba.njit on arrays": "items[i, 0]"}),
    ("lookups.py:lookups", "table", {
        "numba.njit on numba.typed.Dict and arrays": "outside",
        "np.searchsorted": "sorted"}),
    ("matmul_lists.py:product", "two", {
        "numba.njit on arrays": "np.array", "A @ B": "A @ B"}),
    ("find_word.py:count_vowels", "text", {
        "sum(map(text.count, 'aeiou'))": "count",
        "numba.njit on bytes": "np.uint8"}),
    ("find_word.py:count_word", "text", {"text.count(word)": "count"}),
    ("hostile.py:has_keyword", "", {"numba.njit": "*"}),
    ("hostile.py:part", "", {"numba.njit": "*"}),
    ("hostile.py:wrapped", "", {"numba.njit": ""}),
    ("hostile.py:lam", "", {"numba.njit": "loop"}),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("place", "arg", "methods"), GAINS)
def test_methods_with_the_same_results(work, place, arg, methods):
    sizes = (10, 30) if "matmul" in place else SIZES
    done = work(place, arg, sizes)
    for name, word in methods.items():
        prepared = done.prepare(name)
        assert (prepared.error, prepared.differs) == ("", {})
        assert word in done.methods[name].how


REFUSED = [
    ("lookups.py:lookups", "table", "numba.typed.Dict"),
    ("matmul_lists.py:product", "two", "np.array(A)"),
    ("running_mean.py:mean", "values", "jitclass"),
    ("tabs.py:total", "lines", "leave this in Python"),
    ("hostile.py:uses_global", "", "give it as an argument"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("place", "arg", "word"), REFUSED)
def test_a_refusal_says_what_to_change(work, place, arg, word):
    done = work(place, arg, (10, 30))
    prepared = done.prepare("numba.njit")
    assert prepared.error
    assert word in " ".join(prepared.advice)


@pytest.mark.parametrize(
    ("place", "arg", "word"),
    [
        ("smooth.py:smooth", "series", "np.convolve"),
        ("full.py:full", "", "np.full"),
    ],
)
def test_what_is_in_c_already_is_left(work, place, arg, word):
    (line,) = work(place, arg).advice()
    assert word in line and "leave it" in line


NO_WORK = [
    ("coro", "makes a coroutine"),
    ("gen", "makes a generator"),
    ("cached", "keeps its results"),
    ("memo", "keeps its results in CACHE"),
    ("needs_keyword", "'scale'"),
    ("two_required", "(n, m)"),
]


@pytest.mark.parametrize(("name", "word"), NO_WORK)
def test_work_that_is_not_done_is_refused(work, name, word):
    with pytest.raises(UserError) as error:
        work(f"hostile.py:{name}")
    assert word in str(error.value)


@pytest.mark.parametrize("name", ["bound", "thing"])
def test_what_numba_does_not_compile(work, name):
    subject = work(f"hostile.py:{name}").calls.subject
    assert subject.plain is None and "jitclass" in subject.why
