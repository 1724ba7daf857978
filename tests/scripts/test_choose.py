"""The command that says which way to choose."""

import json

import pytest

import choose
from cases import eight_problems
from choosing import decisive, measurements, sentences
from conftest import call
from onthefly import machine, results
from onthefly.errors import UserError
from onthefly.experiments.choice import prediction
from onthefly.findings import listed

ASKED = ("--problem", "polynomial", "--size", "1e5")


@pytest.fixture
def machines(archive):
    """Results of this machine, and recorded ones of another."""
    here = results.save(eight_problems(machine.slug()))
    results.save(eight_problems("many", cores=16), results.RECORDED)
    return here


def answered(*arguments):
    """Return the JSON answer of the command."""
    done = call(choose.main, *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def refused(*arguments):
    """Return the one line that refuses."""
    done = call(choose.main, *arguments)
    assert done.returncode == 2 and not done.stdout
    (line,) = done.stderr.splitlines()
    return line


def test_its_numbers_are_the_predictions(machines):
    answer = answered(*ASKED, "--calls", "1e3", "--data", "lists")
    choices = prediction.choices(eight_problems())["polynomial"]
    expected = choices.ranked(10**5, calls=1000, data="lists", device=False)
    assert [row["way"] for row in answer["ways"]] == list(expected)
    for row in answer["ways"]:
        q = expected[row["way"]]
        assert row["seconds"] == pytest.approx([q.value, q.low, q.high])
    assert answer["best"] == "NumPy" and answer["machine"] == machine.slug()


def test_the_terminal_names_the_winner_the_gain_and_whose_numbers(machines):
    done = call(choose.main, *ASKED, "--calls", "1000")
    text = done.stdout
    assert "NumPy is predicted to take the least" in text
    assert machine.slug() in text and "1,000 calls" in text
    assert "CuPy" not in text
    best = text.splitlines()[-6]
    assert best.startswith("NumPy") and "×" in best
    assert all(len(line) <= 80 for line in text.splitlines())


def test_a_device_may_be_chosen(machines):
    asked = (*ASKED, "--calls", "1e6")
    assert "CuPy" not in {row["way"] for row in answered(*asked)["ways"]}
    assert answered(*asked, "--device")["best"] == "CuPy"


def test_libraries_that_are_loaded_cost_no_import(machines):
    def first(*more):
        rows = answered(*ASKED, *more)["ways"]
        return {row["way"]: row["seconds"][0] for row in rows}

    once, loaded = first(), first("--loaded")
    assert once["NumPy"] - loaded["NumPy"] == pytest.approx(0.1)
    assert once["Python"] == loaded["Python"]


def test_beyond_what_was_measured_it_says_what_measures_it(machines):
    def text_of(size):
        asked = ("--problem", "words", "--size", size)
        assert answered(*asked)["beyond"]
        return " ".join(call(choose.main, *asked).stdout.split())

    assert "run at M" in text_of("1e7") and "run at M" not in text_of("1e9")


def test_what_rests_on_a_guess_is_marked(machines):
    def beyond(size):
        rows = answered("--problem", "words", "--size", size)["ways"]
        return {row["way"]: (row["beyond"], row["gain beyond"])
                for row in rows}  # fmt: skip

    assert set(beyond("1e6").values()) == {(False, False)}
    assert beyond("1e7") == {"Python": (True, False), "NumPy": (True, True)}
    text = call(choose.main, "--problem", "words", "--size", "1e7").stdout
    (line,) = (x for x in text.splitlines() if x.startswith("NumPy  "))
    assert sentences.EXTRAPOLATED in line


def test_more_cores_are_those_of_the_machine_that_has_them(machines):
    sixteen = answered(*ASKED, "--cores", "16")
    assert (
        sixteen["machine"] == "many" and "many" in sixteen["about the cores"]
    )
    assert answered(*ASKED, "--cores", "8")["machine"] == machine.slug()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--problem", "polynomal", "--size", "10"],
         ["'polynomal'", "mean polynomial?"]),
        (["--problem", "dot", "--size", "10"], ["dot: not measured on"]),
        (["--problem", "words", "--size", "1.5"], ["--size", "1.5"]),
        (["--problem", "words", "--size", "0"], ["--size", "below 1"]),
        (["--problem", "words", "--size", "1e99"], ["--size", "1e+15"]),
        (["--problem", "words", "--size", "nan"], ["--size", "nan"]),
        ([*ASKED, "--calls", "-3"], ["--calls", "-3"]),
        ([*ASKED, "--cores", "4097"], ["--cores", "4096"]),
        ([*ASKED, "--data", "tensors"], ["--data", "lists"]),
        ([*ASKED, "--machine", "mane"], ["'mane'", "mean many?"]),
        (["--size", "10"], ["--problem"]),
    ],
)  # fmt: skip
def test_bad_input_is_refused_in_one_line(machines, arguments, words):
    line = refused(*arguments)
    assert all(word in line for word in words), line


def test_without_any_measurement_it_says_how_to_get_one(archive):
    assert "scripts/run.py eight-problems" in refused(*ASKED)
    with pytest.raises(UserError):
        measurements.required()


def test_a_run_that_did_not_end_does_not_count(archive):
    broken = eight_problems(machine.slug())
    broken.finished = False
    results.save(broken)
    assert measurements.usable() == {}
    results.save(eight_problems(machine.slug()), results.RECORDED)
    (one,) = measurements.usable().values()
    assert one.finished and not measurements.measured_here(machine.slug())


def spoilt(*, preset="S", without=()):
    one = eight_problems()
    one.preset = preset
    for group in without:
        del one.timings[group]
    return one


@pytest.mark.parametrize(
    ("one", "why"),
    [
        (spoilt(preset="XS"), "XS"),
        (spoilt(without=["starts"]), "older version"),
        (spoilt(without=["words, first call"]), "older version"),
        (spoilt(without=["words", "polynomial"]), "older version"),
    ],
)
def test_what_cannot_be_used_is_said_to_be_so(archive, one, why):
    results.save(one)
    assert why in refused(*ASKED)
    fine = eight_problems("other")
    results.save(fine, results.RECORDED)
    assert answered(*ASKED)["machine"] == "other"


def test_this_builds_run_comes_before_a_recorded_one(archive):
    here, old = (eight_problems(machine.slug()) for _ in range(2))
    old.machine["time"] = "2020-01-01T00:00:00+00:00"
    results.save(here)
    results.save(old, results.RECORDED)
    (one,) = measurements.usable().values()
    assert one.machine == here.machine and measurements.measured_here(
        machine.slug()
    )


def test_the_machine_at_hand_comes_first_then_the_last():
    old, new = (eight_problems(name) for name in ("old", "new"))
    old.machine["time"], new.machine["time"] = "2025-01-01", "2026-01-01"
    machines = {"old": old, "new": new}
    assert measurements.default(machines, "old") == "old"
    assert measurements.default(machines, "none") == "new"


def test_what_cannot_be_told_apart_is_not_called_the_winner():
    choices = prediction.choices(eight_problems())["polynomial"]
    best = choices.winner(10**4, calls=10**5, device=False)
    text = sentences.answer(choices, 10**4, calls=10**5, device=False)
    names = [sentences.name(choices, k) for k in best.among]
    assert len(names) > 1 and text.startswith(listed(names))
    assert "run at M" in text and "least" not in text


@pytest.mark.parametrize(
    ("n", "calls", "part"),
    [(10, 1, "less to load"), (10**5, 1000, "faster elements")],
)
def test_the_part_that_decides(n, calls, part):
    choices = prediction.choices(eight_problems())["polynomial"]
    options = {"calls": calls, "workers": 2}
    best = choices.winner(n, **options)
    assert decisive.part(choices, best, n, **options) == part


def test_the_way_into_another_form_decides_where_it_costs_most():
    alike = eight_problems(Python=(0, 6e-7, 2e-9), NumPy=(1e-6, 6e-7, 1.9e-9))
    choices = prediction.choices(alike)["polynomial"]
    options = {"calls": 10**6, "workers": 2, "data": "lists"}
    best = choices.winner(10**5, **options)
    assert best.variant == "Python"
    part = decisive.part(choices, best, 10**5, **options)
    assert part == "less to convert"


def test_no_part_decides_where_two_gain_alike():
    even = eight_problems(
        Python=(0, 1e-3, 1e-6), NumPy=(0, 1e-6, 1e-9), CuPy=(9, 1, 1)
    )  # at 1000 elements as much a call as for them
    choices = prediction.choices(even)["words"]
    options = {"calls": 10**6, "workers": 2}
    best = choices.winner(1000, **options)
    assert best.among == ("NumPy",) and not best.beyond
    assert decisive.part(choices, best, 1000, **options) == ""
    assert decisive.part(choices, best, 10, **options) == "cheaper calls"
