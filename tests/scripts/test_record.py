"""Keeping a run's measurements: what is refused, and that nothing is lost."""

import json

import pytest

import record
from onthefly import (
    claims,
    machine,
    page,
    provenance,
    results,
)
from onthefly.samples import Series
from onthefly.timings import Timings

CHAPTER = "races"


def timings(noisy):
    """Return Timings of ten series, so many of them noisy."""
    quiet, loud = (1.0,) * 8, (1.0, 2.0) * 4
    return Timings(
        Series(f"s{k}", None, 1.0, loud if k < noisy else quiet)
        for k in range(10)
    )


@pytest.fixture
def box(tmp_path, monkeypatch):
    """A folder where a chapter ran: build/ and the archive book/."""
    monkeypatch.setenv("ONTHEFLY_BUILD", str(tmp_path / "build"))
    monkeypatch.setenv("ONTHEFLY_MACHINE", "here")
    monkeypatch.setattr(page, "display", lambda *_, **__: None)
    return tmp_path


def run_chapter(preset="L", noisy=0, close=True, **changes):
    """Run a small chapter to its end and return its results file."""
    book = page.Chapter(CHAPTER, preset=preset, device="cpu")
    book.keep(timings(noisy), "steps")
    for claim in claims.load().of(CHAPTER):
        book.cannot(claim.id, "not tried")
    if close:
        book.close()
    for name, value in changes.items():
        setattr(book._results, name, value)
    return results.save(book._results)


def command(box, *more, name="quiet-box"):
    """Run record.py; return its exit code."""
    return record.main(
        ["--name", name, "--build", str(box / "build"), "--machine", "here",
         "--to", str(box / "book"), *more]
    )  # fmt: skip


def said(capsys):
    """Return the lines on the standard error."""
    return capsys.readouterr().err.splitlines()


def test_a_good_run_is_recorded_under_its_name(box, capsys):
    source = run_chapter()
    assert command(box) == 0
    kept = results.load(box / "book" / "quiet-box" / f"{CHAPTER}.json")
    assert kept.machine["slug"] == "quiet-box"
    assert kept.origin.startswith("quiet-box, ")
    kept.machine["slug"] = "here"
    was = results.load(source)
    assert list(kept.timings["steps"]) == list(was.timings["steps"])
    assert (kept.machine, kept.reasons) == (was.machine, was.reasons)
    assert "recorded" in capsys.readouterr().out


def test_a_second_time_changes_nothing(box, capsys):
    run_chapter()
    assert command(box) == 0
    path = box / "book" / "quiet-box" / f"{CHAPTER}.json"
    stamp = path.stat()
    assert command(box) == 0
    assert path.stat().st_mtime_ns == stamp.st_mtime_ns
    assert path.stat().st_ino == stamp.st_ino
    assert "unchanged" in capsys.readouterr().out.splitlines()[-1]


CLOCK = {"clock.py": provenance.file_hash(provenance.LAB / "clock.py")}
OLD = "0" * 64


@pytest.mark.parametrize(
    ("run", "words"),
    [
        ({"preset": "S"}, ["preset S, not L", "--preset L"]),
        ({"noisy": 3}, ["3 of 10 series are noisy", "20%"]),
        ({"close": False, "lab": CLOCK},
         ["did not come to its end"]),
        ({"lab": {"clock.py": OLD}}, ["another version", "clock.py"]),
        ({"read": {"book/instructions.json": OLD}}, ["instructions.json"]),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_not_worth_keeping_is_refused(box, capsys, run, words):
    run_chapter(**run)
    assert command(box) == 2
    (line,) = said(capsys)
    for word in [*words, f"here/{CHAPTER}.json", "repair: scripts/run.py"]:
        assert word in line
    assert not (box / "book").exists()


def test_every_reason_is_said_and_the_old_file_stays(box, capsys):
    run_chapter()
    assert command(box) == 0
    path = box / "book" / "quiet-box" / f"{CHAPTER}.json"
    before = path.read_text()
    run_chapter(preset="M", noisy=5)
    (box / "build" / "results" / "here" / "stray.json").write_text("{}")
    assert command(box) == 2
    lines = said(capsys)
    assert len(lines) == 3
    assert "stray.json: no key 'onthefly'" in lines[2]
    assert path.read_text() == before


def test_what_only_draws_does_not_make_results_old(box):
    run_chapter(lab={**CLOCK, "figures/maps.py": OLD, "page.py": OLD})
    assert command(box) == 0


def test_what_was_recorded_is_not_lost_to_a_poorer_run(box, capsys):
    run_chapter()
    assert command(box) == 0
    path = box / "book" / "quiet-box" / f"{CHAPTER}.json"
    before = path.read_text()
    run_chapter(timings={"others": timings(0)})
    assert command(box) == 2
    (line,) = said(capsys)
    assert "steps" in line and "others" not in line and "repair" in line
    assert path.read_text() == before


def test_an_example_is_refused(box, capsys):
    path = run_chapter()
    data = json.loads(path.read_text())
    data["onthefly"]["example"] = "made up"
    path.write_text(json.dumps(data))
    assert command(box) == 2
    assert "not a measurement" in said(capsys)[0]


@pytest.mark.parametrize("name", ["H200", "../x"])
def test_a_name_that_is_no_plain_one_is_refused(box, capsys, name):
    run_chapter()
    assert command(box, name=name) == 2
    (line,) = said(capsys)
    assert "repair: small letters" in line
    assert not (box / "book").exists()


def test_the_name_of_another_machine_is_refused(box, capsys, monkeypatch):
    run_chapter()
    assert command(box) == 0
    monkeypatch.setattr(machine, "cpu_model", lambda: "Another CPU")
    run_chapter()
    assert command(box) == 2
    assert "another machine has this name (cpu:" in said(capsys)[0]


def test_results_of_two_machines_of_a_kind_are_not_mixed(
    box, capsys, monkeypatch
):
    run_chapter()
    assert command(box) == 0
    kept = box / "book" / "quiet-box" / f"{CHAPTER}.json"
    other = kept.rename(kept.with_name("stays.json"))
    monkeypatch.setattr(machine, "identity", lambda: "abc")
    run_chapter()
    assert command(box) == 2 and not kept.exists()
    (line,) = said(capsys)
    assert str(other) in line and "another machine of this kind" in line
    data = json.loads(other.read_text())
    del data["onthefly"]["machine"]["id"]  # recorded before there were any
    other.write_text(json.dumps(data))
    assert command(box) == 0 and kept.exists()


def test_a_chapter_whose_check_fails_leaves_no_results(box):
    book = page.Chapter(CHAPTER, device="cpu")
    book.keep(timings(0), "steps")
    with pytest.raises(AssertionError):  # the kernel's check, in its cell
        assert not book.preset
    assert not list(box.glob("build/results/*/*.json"))


def test_what_was_measured_for_tests_is_refused(box, capsys):
    run_chapter(preset="XS")
    assert command(box, "--preset", "XS") == 2
    (line,) = said(capsys)
    assert "preset XS" in line and "repair" in line
