"""The command that says which way to choose."""

import json

import choose
import pytest

from cases import eight_problems, keep, measured_problems
from conftest import call
from onthefly.figures.findings import listed
from onthefly.measure import machine
from onthefly.predict import prediction, sentences
from small_books import assert_refused

ASKED = ("--problem", "polynomial", "--size", "1e5")


@pytest.fixture
def machines(archive):
    """Results of this machine, and recorded ones of another."""
    keep(eight_problems(machine.slug()))
    keep(eight_problems("many", cores=16), recorded=True)


def answered(*arguments):
    """Return the JSON answer of the command."""
    done = call(choose.main, *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_its_numbers_are_the_predictions(machines):
    answer = answered(*ASKED, "--calls", "1e3", "--data", "lists")
    choices = prediction.choices(measured_problems())["polynomial"]
    expected = choices.ranked(10**5, calls=1000, data="lists", device=False)
    assert [row["way"] for row in answer["ways"]] == list(expected)
    for row in answer["ways"]:
        q = expected[row["way"]]
        assert row["seconds"] == pytest.approx([q.value, q.low, q.high])
    assert answer["best"] == "NumPy" and answer["machine"] == machine.slug()


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


@pytest.mark.parametrize(
    ("cores", "name", "noted"),
    [
        (1, machine.slug(), False),
        (8, machine.slug(), True),  # by the model
        (16, "many", True),
    ],
)
def test_more_cores_are_those_of_the_machine_that_has_them(
    machines, cores, name, noted
):
    answer = answered(*ASKED, "--cores", str(cores))
    assert answer["machine"] == name
    assert bool(answer["about the cores"]) == noted


def test_the_newest_of_the_machines_with_so_many_cores_counts(machines):
    newer = eight_problems("newer", cores=16)
    newer.machine["time"] = "2999-01-01T00:00:00+00:00"
    keep(newer, recorded=True)
    assert answered(*ASKED, "--cores", "16")["machine"] == "newer"


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
        ([*ASKED, "--cores", "4097"], ["--cores", "4096"]),
        ([*ASKED, "--data", "tensors"], ["--data", "lists"]),
        ([*ASKED, "--machine", "mane"], ["'mane'", "mean many?"]),
    ],
)  # fmt: skip
def test_bad_input_is_refused_in_one_line(machines, arguments, words):
    assert_refused(call(choose.main, *arguments), *words)


def test_without_any_measurement_it_says_how_to_get_one(archive):
    done = call(choose.main, *ASKED)
    assert_refused(done, "scripts/run.py eight-problems")


def spoilt(*without):
    one = eight_problems()
    for group in without:
        del one.groups[group]
    return one


@pytest.mark.parametrize(
    "one", [spoilt("starts"), spoilt("words", "polynomial")]
)
def test_what_cannot_be_used_is_said_to_be_so(archive, one):
    keep(one)
    assert_refused(call(choose.main, *ASKED), "older version")
    fine = eight_problems("other")
    keep(fine, recorded=True)
    assert answered(*ASKED)["machine"] == "other"


def test_of_several_that_are_not_resolved_none_is_called_the_winner():
    choices = prediction.choices(measured_problems())["polynomial"]
    best = choices.winner(10**4, calls=10**5, device=False)
    text = sentences.answer(choices, 10**4, calls=10**5, device=False)
    names = [sentences.name(choices, k) for k in best.among]
    assert len(names) > 1 and text.startswith(listed(names))
