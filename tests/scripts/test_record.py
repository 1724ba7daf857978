"""Keeping a run's measurements: what is refused, and that nothing is lost."""

import pytest

import record
from onthefly import page
from onthefly.measure import data, machine, records
from onthefly.measure.samples import Samples, Series
from onthefly.page import dependencies, results
from recording import outdated

CHAPTER = "races"


def steps(noisy):
    """Return Samples of ten series, so many of them noisy."""
    quiet, loud = (1.0,) * 8, (1.0, 2.0) * 4
    return Samples(
        Series(f"s{k}", None, 1.0, loud if k < noisy else quiet)
        for k in range(10)
    )


@pytest.fixture
def box(tmp_path, monkeypatch):
    """A folder where a chapter ran: build/ and the archive book/."""
    monkeypatch.setenv("ONTHEFLY_BUILD", str(tmp_path / "build"))
    monkeypatch.setenv("ONTHEFLY_MACHINE", "here")
    return tmp_path


def run_chapter(preset="L", noisy=0, close=True, group="steps", lab=None):
    """Run a small chapter to its end and return its data file.

    lab  {file: hash} that its measurement is said to be made from
    """
    book = page.Chapter(CHAPTER, preset=preset, device="cpu")
    book.collect(group, lambda: steps(noisy))
    book.close()
    book.results.finished = close
    book.results.reasons["a-claim"] = "not tried"
    results.save(book.results)
    path = records.path_of(CHAPTER, preset)
    own = data.load(path)
    own.groups[group].key = {"files": lab or {}}
    data.save(own, path)
    return path


def command(box, *more, name="quiet-box"):
    """Run record.py; return its exit code."""
    return record.main(
        ["--name", name, "--build", str(box / "build"), "--machine", "here",
         "--to", str(box / "book"), *more]
    )  # fmt: skip


def recorded(box, kind="data"):
    """Return the path of what was recorded."""
    return box / "book" / kind / "quiet-box" / f"{CHAPTER}.json"


def said(capsys):
    """Return the lines on the standard error."""
    return capsys.readouterr().err.splitlines()


def test_a_good_run_is_recorded_under_its_name(box, capsys):
    source = run_chapter()
    assert command(box) == 0
    kept = data.load(recorded(box))
    assert kept.machine["slug"] == "quiet-box"
    assert kept.origin.startswith("quiet-box, ")
    was = data.load(source)
    for one in (kept, was):
        assert list(one.groups["steps"].samples()) == list(steps(0))
    told = results.load(recorded(box, "results"))
    assert told.machine["slug"] == "quiet-box" and told.reasons
    assert "recorded" in capsys.readouterr().out


def test_a_second_time_changes_nothing(box, capsys):
    run_chapter()
    assert command(box) == 0
    path = recorded(box)
    stamp = path.stat()
    assert command(box) == 0
    assert path.stat().st_mtime_ns == stamp.st_mtime_ns
    assert path.stat().st_ino == stamp.st_ino
    assert "unchanged" in capsys.readouterr().out.splitlines()[-1]


OWN = {"files.py": dependencies.package().hash("files.py")}


@pytest.mark.parametrize(
    ("run", "words"),
    [
        ({"noisy": 3}, ["3 of 10 series are noisy", "20%"]),
        ({"close": False, "lab": OWN},
         ["did not come to its end"]),
        ({"lab": {"clock.py": "0"}}, ["another version", "clock.py"]),
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


@pytest.mark.parametrize(("value", "code"), [("1", 2), ("0", 0)])
def test_a_simulators_times_are_refused(box, capsys, value, code):
    path = run_chapter()
    own = data.load(path)
    chosen = {"environment": {"NUMBA_ENABLE_CUDASIM": value}}
    own.groups["steps"].key |= chosen
    data.save(own, path)
    assert command(box) == code
    assert ("simulator (steps)" in capsys.readouterr().err) == bool(code)


def test_every_reason_is_said_and_the_old_file_stays(box, capsys):
    run_chapter()
    assert command(box) == 0
    path = recorded(box)
    before = path.read_text()
    run_chapter(noisy=5, lab={"clock.py": "0"})
    records.path_of("stray", "L").write_text("{}")
    assert command(box) == 2
    lines = said(capsys)
    assert len(lines) == 3
    assert "stray.json: no key 'onthefly'" in lines[2]
    assert path.read_text() == before


def test_what_was_recorded_is_not_lost_to_a_poorer_run(box, capsys):
    run_chapter()
    assert command(box) == 0
    path = recorded(box)
    before = path.read_text()
    run_chapter(group="others")
    assert command(box) == 2
    (line,) = said(capsys)
    assert "steps" in line and "others" not in line and "repair" in line
    assert path.read_text() == before


@pytest.mark.parametrize("name", ["H200", "../x"])
def test_a_name_that_is_no_plain_one_is_refused(box, capsys, name):
    run_chapter()
    assert command(box, name=name) == 2
    (line,) = said(capsys)
    assert "small letters" in line
    assert not (box / "book").exists()


def test_the_name_of_another_machine_is_refused(box, capsys, monkeypatch):
    run_chapter()
    assert command(box) == 0
    monkeypatch.setattr(machine, "cpu_model", lambda: "Another CPU")
    run_chapter()
    assert command(box) == 2
    assert "another machine has this name (cpu:" in said(capsys)[0]


def test_a_chapter_whose_check_fails_leaves_no_results(box):
    book = page.Chapter(CHAPTER, device="cpu")
    book.collect("steps", lambda: steps(0))
    with pytest.raises(AssertionError):  # the kernel's check, in its cell
        assert not book.preset
    assert not list(box.glob("build/results/*/*.json"))


def test_what_other_code_measured_is_listed(box, monkeypatch):
    run_chapter(lab={"clock.py": "0"})
    monkeypatch.setattr(records, "RECORDED", box / "build" / "data" / "L")
    (line,) = outdated.lines("here")
    assert line.startswith(f"here: {CHAPTER}: steps: cells")
