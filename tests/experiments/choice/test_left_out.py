"""What was left out and predicted, of laws that are known."""

import math

import pytest

from cases import measured_problems
from onthefly.measure.samples import Series
from onthefly.measure.timings import Timings
from onthefly.page import results
from onthefly.predict import kinds, left_out, prediction
from onthefly.predict.left_out import Case

SIZES = [10, 100, 1000, 10_000, 100_000]


def timings(**laws):
    """Return Timings by laws, functions of a size."""
    return Timings(
        Series(name, n, None, (law(n),) * 8)
        for name, law in laws.items()
        for n in SIZES
    )


def processes(*values, names=8):
    """Return Timings of starts, a value a process."""
    return Timings(
        Series(f"lib{k}", None, None, values) for k in range(names)
    )


def test_a_lawful_kind_is_near_and_a_jump_is_poor():
    line = timings(line=lambda n: 1e-9 * n)
    jump = timings(jump=lambda n: 1e-9 * n * (9 if n > 10_000 else 1))
    for test, count in (
        (left_out.sizes_between, 3),
        (left_out.sizes_beyond, 1),
    ):
        assert left_out.share(test(line)).note == f"{count} of {count}"
    (last,) = left_out.sizes_beyond(jump)
    assert last.what == "jump at 100,000"
    assert last.ratio == pytest.approx(1 / 9)
    assert left_out.share([last]).value == 0


def test_with_too_few_sizes_nothing_can_be_left_out():
    few = Timings(Series("f", n, None, (1.0,) * 8) for n in SIZES[:3])
    assert left_out.sizes_between(few) == left_out.sizes_beyond(few) == []


def test_the_last_process_is_predicted_from_those_before_it():
    (case,) = left_out.last_processes(processes(1.0, 3.0, 2.5, names=1))
    assert case == Case("lib0", 2.0, 2.5)
    assert left_out.last_processes(processes(1.0)) == []


@pytest.mark.parametrize("off", [1.0, 1.1, 3.0])
def test_the_interval_is_as_wide_as_the_errors(off):
    cases = left_out.last_processes(processes(off, 1.0))
    assert left_out.share(cases).value == (off < 1.2)
    quantile = 2.306  # Student's, of eight
    assert left_out.spread(cases) == pytest.approx(
        math.expm1(quantile * math.log(off)), rel=1e-3
    )


def test_few_cases_give_no_interval():
    few = [Case("", 1.0, 1.0)] * (left_out.LEAST - 1)
    assert left_out.spread(few) is None
    assert left_out.spread([*few, few[0]]) == 0
    assert left_out.share([]).interval == "0 to 100"


def started(*values):
    """Return Choices of a machine where each start was measured so often."""
    one = results.Results("eight-problems", "S")
    one.timings = dict(measured_problems().timings)
    one.timings["starts"] = Timings(
        Series(s.name, None, None, tuple(v * s.values[0] for v in values))
        for s in one.timings["starts"]
    )
    return prediction.choices(one)["polynomial"]


def test_an_import_has_the_interval_of_its_test():
    def import_(*values):
        return started(*values).cost("NumPy", 10**6, calls=100)

    once, alike, poor = import_(1), import_(1, 1.05), import_(1, 4)
    assert "imports" in prediction.untested(once)
    for tested in (alike, poor):
        assert "imports" not in prediction.untested(tested)
    assert poor.high / poor.value > 1.5 > alike.high / alike.value


def test_a_part_that_no_digit_shows_does_not_count():
    part = prediction.Part(0.009, prediction.ONCE, prediction.FIRST)
    rest = prediction.Part(1.0, 0.1)
    assert prediction.untested(prediction.total([part, rest])) == []
    assert prediction.untested(prediction.total([part, part, rest])) == []
    more = prediction.total([prediction.Part(0.1, 1.0, "x"), rest])
    assert prediction.untested(more) == ["x"]
    assert prediction.untested(more / more) == ["x"]


def test_a_larger_size_has_the_errors_of_larger_sizes():
    choices = started(1, 1)
    inside, beyond = (
        choices.cost("NumPy", n, calls=10**6) for n in (10**6, 2 * 10**6)
    )
    spread = left_out.spread(choices.larger)
    assert not prediction.untested(beyond)
    assert beyond.high / beyond.value == pytest.approx(1 + spread, rel=1e-2)
    assert inside.high / inside.value != pytest.approx(1 + spread, rel=1e-2)
    far = choices.cost("NumPy", 10**7, calls=10**6)
    assert prediction.untested(far) == [prediction.LARGER]


def threads(**laws):
    return Timings(
        Series(name, n, None, (law(n),) * 8)
        for name, law in laws.items()
        for n in (1, 2, 4, 8, 16)
    )


def test_numbers_of_workers_are_predicted_from_others():
    amdahl = threads(loop=lambda n: 0.2 + 0.8 / n)
    cases = kinds.shared(amdahl, workers=8)
    assert {case.what for case in cases} >= {"loop with 4 workers, from 8"}
    assert "loop with 8 workers, from 2" not in {c.what for c in cases}
    assert all(case.ratio == pytest.approx(1) for case in cases)
    uneven = threads(loop=lambda n: 1 / n if n < 8 else 1.0)
    assert left_out.share(kinds.shared(uneven, workers=8)) < 0.9
    assert kinds.shared(amdahl, workers=2) == []


def test_programs_that_call_once_test_the_first_call():
    choices = prediction.choices(measured_problems())["polynomial"]
    law = choices.cost("NumPy", kinds.STARTED_SIZE, imports=False).value
    programs = Timings(
        Series(name, None, None, (seconds,) * 8)
        for name, seconds in {"NumPy": law, "no such method": 1.0}.items()
    )
    (case,) = kinds.started(choices, programs)
    assert case.ratio == pytest.approx(1)


def test_a_kind_says_what_it_was_tested_with():
    every = prediction.choices(measured_problems(off=1.5))
    found = {one.name: one for one in kinds.kinds(every, {})}
    warm, cores = found["Warm calls"], found["Other numbers of cores"]
    assert warm.share.note.startswith("0 of") and warm.worst.ratio < 0.8
    assert not found["Imports"].cases and found["Imports"].unknown
    assert cores.worst is None and "2 cores" in cores.unknown
    assert len(found["Conversions"].cases) == 16  # of four, between six sizes
    assert found["Conversions"].share > 0.5
