"""The command that says which method to choose."""

import json

import pytest

from cases import eight_problems, keep, measured_problems, printed
from conftest import call
from onthefly import folders
from onthefly.commands import main
from onthefly.measure import machine
from onthefly.predict import answers, prediction, tree
from small_books import assert_refused

ASKED = ("--problem", "polynomial", "--size", "1e5")


@pytest.fixture
def machines(archive):
    """Results of this machine, and recorded ones of another."""
    keep(eight_problems(machine.slug()))
    keep(eight_problems("many", cores=16), recorded=True)


def answered(*arguments):
    """Return the JSON answer of the command."""
    done = call(main, "choose", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def named(answer):
    """Return {name of a method: its row} of a JSON answer."""
    return {row["method"]: row for row in answer["methods"]}


def test_its_numbers_are_the_predictions(machines):
    answer = answered(*ASKED, "--calls", "1e3", "--data", "lists")
    choices = prediction.choices(measured_problems())["polynomial"]
    expected = choices.ranked(10**5, calls=1000, data="lists", device=False)
    assert [row["method"] for row in answer["methods"]] == list(expected)
    for row in answer["methods"]:
        q = expected[row["method"]]
        ends = [None, None] if row["untested"] else [q.low, q.high]
        assert row["seconds"] == pytest.approx([q.value, *ends])
    assert answer["best"] == "NumPy" and answer["machine"] == machine.slug()


def test_a_device_may_be_chosen(machines):
    asked = (*ASKED, "--calls", "1e6")
    assert "CuPy" not in named(answered(*asked))
    assert answered(*asked, "--device")["best"] == "CuPy"


def test_libraries_that_are_loaded_cost_no_import(machines):
    def first(*more):
        rows = named(answered(*ASKED, *more))
        return {name: row["seconds"][0] for name, row in rows.items()}

    once, loaded = first(), first("--loaded")
    assert once["NumPy"] - loaded["NumPy"] == pytest.approx(0.1)
    assert once["Python"] == loaded["Python"]


def test_beyond_what_was_measured_it_says_so(machines):
    asked = ("--problem", "words", "--calls", "1e5", "--size")
    answer = answered(*asked, "1e7")
    assert answer["beyond"]
    assert "10,000,000 words are more than" in answer["notes"][1]
    assert not answered(*asked, "1e6")["notes"]


def test_first_the_answer_then_the_table(machines):
    """What a person reads has the words of the JSON, and few digits."""
    asked = (*ASKED, "--calls", "1e3", "--data", "lists", "--cores", "8")
    answer = answered(*asked)
    text = call(main, "choose", *asked).stdout
    sentence, table, below = text.split("\n\n")
    assert " ".join(sentence.split()) == answer["answer"]
    assert answer["best"] in answer["answer"]
    head, *rows = table.splitlines()
    assert head.split("  ")[0] == answers.HEAD[0]
    names = [row["name"] for row in answer["methods"]]
    assert [row.split("  ")[0] for row in rows] == names
    below = " ".join(below.split())
    assert "data in lists" in below
    assert all(note in below for note in answer["notes"])


def test_what_nothing_tested_has_no_interval(machines):
    """Import and first call count for one call, and not for many."""
    few, many = (answered(*ASKED, "--calls", n) for n in ("1", "1e7"))
    rows = named(few)
    assert rows["NumPy"]["untested"] == ["first calls", "imports"]
    assert rows["NumPy"]["seconds"][1:] == [None, None]
    assert rows["NumPy"]["gain"][1:] == [None, None]
    assert rows["Python"]["untested"] == []
    assert None not in rows["Python"]["seconds"]
    assert not any(row["untested"] for row in many["methods"])
    (note,) = (one for one in few["notes"] if "about" in one)
    assert "first calls" in note and "imports" in note
    assert "cores" not in note
    text = call(main, "choose", *ASKED).stdout
    (numpy,) = (x for x in text.splitlines() if x.startswith("NumPy "))
    (python,) = (x for x in text.splitlines() if x.startswith("Python "))
    assert numpy.count("about") == 2 and "(" not in numpy
    assert "about" not in python and "(" in python


def test_cores_that_were_not_measured_give_no_interval(machines):
    def untested(*cores):
        asked = (*ASKED, "--calls", "1e7", *cores)
        return named(answered(*asked))["Numba, prange"]["untested"]

    assert untested("--cores", "1") == untested() == []
    assert untested("--cores", "4") == ["other numbers of cores"]


def test_what_rests_on_a_guess_is_marked(machines):
    def beyond(size):
        rows = named(answered("--problem", "words", "--size", size))
        return {
            name: (row["beyond"], row["gain beyond"])
            for name, row in rows.items()
        }

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
    assert any("cores" in note for note in answer["notes"]) == noted


def test_of_far_more_cores_than_were_measured_it_says_so(machines):
    asked = (*ASKED, "--calls", "1e6", "--size", "1e6", "--machine", "many")
    few, many = (
        answered(*asked, "--cores", cores) for cores in ("32", "256")
    )
    assert [row["seconds"] for row in few["methods"]] == [
        row["seconds"] for row in many["methods"]
    ]
    assert any("measure on that machine" in note for note in many["notes"])
    assert "may be faster" in many["answer"]
    assert "may be faster" not in few["answer"]


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
    assert_refused(call(main, "choose", *arguments), *words)


@pytest.mark.parametrize("checkout", [True, False])
def test_without_any_measurement_it_says_how_to_get_one(
    archive, monkeypatch, checkout
):
    monkeypatch.setattr(folders, "CHECKOUT", checkout)
    done = call(main, "choose", *ASKED)
    word = "scripts/run.py eight-problems" if checkout else "install"
    assert_refused(done, word)
    assert ("scripts" in done.stderr) == checkout


def test_a_problem_that_another_machine_measured_names_that_one(machines):
    lean = eight_problems("lean")
    del lean.groups["polynomial"]
    keep(lean, recorded=True)
    done = call(main, "choose", *ASKED, "--machine", "lean")
    assert_refused(done, "not measured on lean", "--machine many")


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
    assert_refused(call(main, "choose", *ASKED), "older version")
    fine = eight_problems("other")
    keep(fine, recorded=True)
    assert answered(*ASKED)["machine"] == "other"


def test_what_needs_a_build_is_an_option(machines):
    choices = prediction.choices(
        measured_problems(C=(1.0, 1e-7, 1e-11), Cython=(1, 1e-7, 1e-11))
    )["polynomial"]
    question = answers.Question(10**6, 10**6, choices.workers)
    answer = answers.Answer(choices, question)
    assert answer.best.variant not in ("C", "Cython")
    assert answer.built in ("C", "Cython")
    assert f"If you can build, {answer.built} takes" in answer.sentence


def test_without_options_it_shows_the_questions(machines):
    done = call(main, "choose")
    assert done.returncode == 0
    assert done.stdout.count("Yes: ") == len(tree.QUESTIONS)
    assert_refused(call(main, "choose", "--size", "10"), "--problem")


def test_of_several_that_are_not_resolved_none_is_called_the_winner():
    choices = prediction.choices(measured_problems())["polynomial"]
    question = answers.Question(10**4, 10**5, choices.workers)
    answer = answers.Answer(choices, question)
    names = [row.name for row in answer.rows[: len(answer.best.among)]]
    assert len(names) > 1
    assert f"take {' or '.join(names)}, whichever" in answer.sentence
    assert answer.sentence.startswith("Too close to call")


def test_the_help_names_the_machines(machines, capsys):
    with pytest.raises(SystemExit):
        main(["choose", "--help"])
    shown = capsys.readouterr().out
    assert f"{machine.slug()}" in "".join(shown.split())
    assert "many" in shown and "Exit codes" in shown


@pytest.mark.parametrize("asked", [["--help"], ["choose", *ASKED]])
def test_nothing_is_imported_that_it_does_not_need(asked):
    code = (
        "import sys; from onthefly.commands import main\n"
        f"try: main({asked})\n"
        "except SystemExit: pass\n"
        "heavy = {'matplotlib', 'numba', 'tensorflow', 'torch', 'jinja2'}\n"
        "print(heavy & {*sys.modules})"
    )
    assert printed(code).endswith("set()")
