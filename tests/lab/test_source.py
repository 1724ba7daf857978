"""Where a page's measurements come from: kept, new, or another machine's."""

import dataclasses
import functools
import importlib.metadata
import json
import subprocess
import sys

import pytest

from onthefly import folders
from onthefly.errors import CorruptFile, UserError
from onthefly.measure import data, machine, records
from onthefly.measure.samples import Samples, Series
from onthefly.page import dependencies, source

PAGE = "races"
HERE, FRESH = source.HERE, source.FRESH


def samples(value=1.0, others=0.0, name="a"):
    """Return Samples of one candidate, all of one value."""
    series = Series(name, 10, 9.0, (value,) * 8, others=others)
    return Samples([series], cores=2)


def open_source(mode=HERE, preset="S", seed=0, **environment):
    return source.Source(PAGE, mode, preset, "auto", seed)


def never():
    raise AssertionError("measured")


@pytest.fixture(autouse=True)
def places(tmp_path, monkeypatch):
    """Empty folders for what is measured and what is recorded."""
    monkeypatch.setenv("ONTHEFLY_BUILD", str(tmp_path / "build"))
    monkeypatch.setattr(records, "RECORDED", tmp_path / "recorded")
    return tmp_path


def record(name="box", value=3.0, preset="M", groups=("ways",), when="2026"):
    """Record a machine's data of the page."""
    about = machine.record() | {"slug": name, "time": f"{when}-01-01T00:00"}
    own = data.Data(PAGE, preset, seed=7, machine=about)
    for group in groups:
        own.add(group, {"python": "3.6"}, samples(value))
    own.look("turns", {}, [1, 2])
    data.save(own, records.RECORDED / name / f"{PAGE}.json")


def values(told):
    return [series.values[0] for series in told.value]


def test_what_is_kept_is_told_and_not_measured_again():
    first = open_source()
    assert values(first.samples("ways", lambda: samples(2.0))) == [2.0]
    assert first.cached("turns", lambda: {"a": (1, 2)}).value == {"a": [1, 2]}
    first.close()
    again = open_source()
    assert values(again.samples("ways", never)) == [2.0]
    assert again.cached("turns", never).value == {"a": [1, 2]}


@pytest.mark.parametrize("change", [{"seed": 1}, {"preset": "M"}])
def test_other_parameters_measure_and_leave_the_first_preset(change):
    open_source().samples("ways", lambda: samples(2.0))
    other = open_source(**change).samples("ways", lambda: samples(4.0))
    assert values(other) == [4.0]
    if "preset" in change:
        assert values(open_source().samples("ways", never)) == [2.0]


def test_fresh_adds_a_session_and_tells_that_one_alone():
    open_source().samples("ways", lambda: samples(2.0))
    told = open_source(FRESH).samples("ways", lambda: samples(4.0))
    assert values(told) == [4.0]
    open_source(FRESH).samples("ways", lambda: samples(6.0))
    (three,) = open_source().samples("ways", never).value
    assert [part.values[0] for part in three.sessions] == [2.0, 4.0, 6.0]


def test_a_group_that_is_named_gets_one_more_session(monkeypatch):
    for name in ("ways", "other"):
        open_source().samples(name, lambda: samples(2.0))
    monkeypatch.setenv(source.AGAIN, json.dumps(["ways"]))
    again = open_source()
    again.samples("ways", lambda: samples(4.0))
    assert len(again.own.groups["ways"].sessions) == 2
    again.samples("other", never)


def test_a_second_session_waits_for_a_third():
    for value, told in ((2.0, [2.0]), (4.0, [2.0]), (6.0, [2.0, 4.0, 6.0])):
        open_source(FRESH).samples("ways", functools.partial(samples, value))
        (series,) = open_source().samples("ways", never).value
        assert [part.values[0] for part in series.parts] == told


def test_other_candidates_take_the_place_of_the_old_ones():
    open_source().samples("ways", lambda: samples(2.0))
    told = open_source(FRESH).samples("ways", lambda: samples(name="b"))
    assert told.value.names == ["b"]
    assert open_source().own.groups["ways"].samples().names == ["b"]


def test_a_record_is_told_with_its_preset_and_seed_and_measures_nothing():
    record()
    told = open_source("box")
    assert (told.own.preset, told.own.seed) == ("M", 7)
    assert values(told.samples("ways", never)) == [3.0]
    assert told.cached("turns", never).value == [1, 2]
    assert not list(folders.build_dir().rglob("*.json"))


def test_a_record_without_a_group_takes_the_newest_that_has_it():
    record("box", groups=())
    record("old", 4.0, when="2024")
    record("new", 5.0, when="2025")
    told = open_source("box").samples("ways", never)
    assert values(told) == [5.0]
    assert told.origin == "new, 2025-01-01, preset M"


def test_a_page_that_a_machine_has_not_recorded_is_anothers():
    record("old", 4.0, when="2024")
    record("new", 5.0, when="2025")
    (records.RECORDED / "box").mkdir()
    (records.RECORDED / "box" / "another-page.json").write_text("{}")
    told = open_source("box")
    assert told.own.machine["slug"] == "new"
    found = told.samples("ways", never)
    assert values(found) == [5.0] and not found.origin


def test_what_this_machine_cannot_measure_is_anothers():
    record()
    told = open_source().samples("ways", never, here=False)
    assert values(told) == [3.0] and told.origin.startswith("box")
    assert open_source().cached("turns", never, here=False).value == [1, 2]


def test_what_is_the_same_on_every_machine_is_asked_once(monkeypatch):
    def asked(mode=HERE):
        own = source.Source("dask", mode, "S", "auto", 0)
        return own.cached("printed", lambda: "now", anywhere=True)

    other = data.Data("dask", "M", machine=machine.record() | {"slug": "box"})
    code = {"cells": "1", "python": "3.6"}
    other.look("printed", code, "then")
    data.save(other, records.RECORDED / "box" / "dask.json")
    monkeypatch.setattr(source.Source, "_key", lambda self: code)
    assert asked().value == "then" and "box" in asked().origin
    assert (asked(FRESH).value, asked().value) == ("now", "now")
    monkeypatch.setattr(
        source.Source, "_key", lambda self: code | {"cells": "2"}
    )
    assert asked().value == "now" and not asked().origin


def test_a_record_without_a_look_is_refused():
    record(groups=())
    with pytest.raises(UserError, match="no machine has recorded it"):
        open_source("box").cached("other", never)


def test_what_nobody_measured_is_nowhere():
    assert open_source().cached("turns", never, here=False).nowhere
    assert open_source().samples("ways", never, here=False).nowhere
    assert open_source().of_page("dask", "ways").nowhere


def test_a_machine_that_recorded_nothing_is_refused():
    record()
    with pytest.raises(UserError, match="choose here, fresh, box"):
        open_source("nobody")


def test_code_that_has_changed_since_is_said_to_have(monkeypatch):
    cell = dependencies.statements("book.measure('ways', {'a': int})")
    monkeypatch.setattr(source, "cells", lambda: cell)
    record()
    path = records.RECORDED / "box" / f"{PAGE}.json"
    own = data.load(path)
    own.groups["ways"].key = {"files": {"clock.py": "0"}, "packages": {}}
    data.save(own, path)
    told = open_source("box").samples("ways", never)
    assert "clock.py" in told.stale and "packages" not in told.stale


def test_what_was_measured_before_an_error_stays():
    broken = open_source()
    broken.samples("ways", lambda: samples(2.0))
    with pytest.raises(ZeroDivisionError):
        broken.samples("other", lambda: 1 / 0)
    assert values(open_source().samples("ways", never)) == [2.0]


def test_what_a_page_measures_no_more_goes_at_its_end():
    for name in ("ways", "old"):
        open_source().samples(name, lambda: samples(2.0))
    last = open_source(FRESH)
    last.samples("ways", lambda: samples(4.0))
    last.close()
    assert list(open_source().own.groups) == ["ways"]


def test_a_group_has_one_name():
    twice = open_source()
    twice.samples("ways", samples)
    with pytest.raises(ValueError, match="kept already"):
        twice.samples("ways", samples)


def test_disturbed_sessions_are_set_aside_where_others_are_there():
    quiet, busy = samples(2.0), samples(5.0, others=1.0)
    joined = Samples.joined([busy, quiet, busy])
    assert [series.values[0] for series in joined] == [2.0]
    (series,) = Samples.joined([busy, busy])
    assert len(series.sessions) == 2


def test_what_was_only_measured_disturbed_is_a_record_of_the_same_code():
    busy = samples(5.0, others=1.0)
    record()
    path = records.RECORDED / "box" / f"{PAGE}.json"
    told = open_source().samples("ways", lambda: busy)
    assert values(told) == [3.0] and told.origin.startswith("box")
    assert [series.values[0] for series in told.beside] == [5.0]
    assert values(open_source(FRESH).samples("ways", lambda: busy)) == [5.0]
    recorded = data.load(path)
    recorded.groups["ways"].key = {"cells": "others"}
    data.save(recorded, path)
    assert values(open_source().samples("ways", never)) == [5.0]


def test_a_broken_file_is_set_aside(places):
    open_source().samples("ways", lambda: samples(2.0))
    path = records.path_of(PAGE, "S")
    path.write_text("{")
    told = open_source().samples("ways", lambda: samples(4.0))
    assert values(told) == [4.0]
    assert path.with_name(f"{path.name}.broken").exists()
    path.write_text("[")
    open_source().samples("ways", lambda: samples(4.0))
    first, second = (
        path.with_name(f"{path.name}.broken{n}").read_text()
        for n in ("", "-2")
    )
    assert (first, second) == ("{", "[")


def doubled(runs):
    runs["values"] *= 2


def swapped(runs):
    runs["values"].reverse()


def scaled(runs):
    runs["values"] = [value / 10 for value in runs["values"]]


def shortened(runs):
    del runs["values"][0]


@pytest.mark.parametrize("change", [doubled, swapped, scaled, shortened])
def test_a_change_that_no_schema_sees_is_seen(places, change):
    series = Series("a", 10, 9.0, (1.0, 2.0, 3.0))
    open_source().samples("ways", lambda: Samples([series], cores=2))
    path = records.path_of(PAGE, "S")
    suite = json.loads(path.read_text())
    change(suite["benchmarks"][0]["runs"][0])
    path.write_text(json.dumps(suite))
    with pytest.raises(CorruptFile, match="changed since it was written"):
        data.load(path)


def test_a_file_of_an_older_version_has_no_checksum(places):
    open_source().samples("ways", lambda: samples(2.0))
    path = records.path_of(PAGE, "S")
    suite = json.loads(path.read_text())
    del suite["onthefly"]["checksum"]
    path.write_text(json.dumps(suite))
    assert data.load(path).groups


def test_every_recorded_file_has_a_checksum():
    paths = sorted(folders.RECORDED.rglob("*.json"))
    assert len(paths) > 60
    for path in paths:
        assert data.load(path)
        assert '"checksum"' in path.read_text()


def test_counts_and_sessions_are_read_as_they_were_written(places):
    one = samples(2.0)
    (series,) = one
    counted = dataclasses.replace(series, counts={"faults": (1.0,) * 8})
    own = data.Data(PAGE, "S")
    for _ in range(2):
        own.add("ways", {"python": "3"}, Samples([counted], 2))
    data.save(own, places / "x.json")
    again = data.load(places / "x.json").groups["ways"]
    assert [list(session) for session in again.sessions] == [[counted]] * 2


def test_a_copy_that_is_not_installed_measures(places, monkeypatch):
    """By PYTHONPATH alone, on a machine that was lent."""

    def absent(name):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", absent)
    own = data.Data(PAGE, "S")
    own.add("ways", {}, samples(2.0))
    data.save(own, places / "x.json")
    assert data.load(places / "x.json").groups["ways"].version(0) == ""


def test_pyperf_reads_and_compares_what_is_kept(places):
    paths = []
    for value in (2.0, 4.0):
        own = data.Data(PAGE, "S")
        for _ in range(3):
            own.add("ways", {}, samples(value))
        paths.append(places / f"{value}.json")
        data.save(own, paths[-1])
    for command in (["show", paths[0]], ["compare_to", *paths]):
        done = subprocess.run(
            [sys.executable, "-m", "pyperf", *command],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
    assert "2.00x slower" in done.stdout
