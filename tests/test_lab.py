"""The lab: measuring with a fake clock, intervals, fits, results, page."""

import dataclasses
import json
import math
import random
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import gone
from onthefly import claims, clock, figures, machine, models, page, results
from onthefly.quantity import Quantity
from onthefly.refused import Refused
from onthefly.timings import Series, Timings, doubt, median, ratio


class FakeClock:
    """A clock that moves only when a candidate runs."""

    def __init__(self):
        self.now = 0.0
        self.calls = []

    def __call__(self):
        return self.now

    def work(self, name, seconds, first=None):
        """Return a candidate that takes `seconds` a call."""
        left = [first if first is not None else seconds]

        def run(*size):
            self.calls.append((name, *size))
            self.now += left.pop() if left else seconds

        return run


def test_measure_times_each_candidate():
    fake = FakeClock()
    work = {"a": fake.work("a", 0.02), "b": fake.work("b", 0.005)}
    times = clock.measure(work, budget=10, rounds=8, timer=fake)
    assert times.seconds("a").value == pytest.approx(0.02)
    assert times.seconds("b").value == pytest.approx(0.005)
    assert times.ratio("a", "b").value == pytest.approx(4)
    assert times.names == ["a", "b"]


def test_timings_are_a_tidy_table():
    fake = FakeClock()
    times = clock.measure(
        {"a": fake.work("a", 0.02)}, sizes=[1, 2], rounds=6, timer=fake
    )
    rows = times.rows()
    assert len(rows) == 2 * 6  # one row a sample
    assert {(r["size"], r["round"]) for r in rows} == {
        (size, k) for size in (1, 2) for k in range(6)
    }
    assert rows[0]["seconds"] == pytest.approx(0.02)


def test_measure_keeps_the_first_call_apart():
    fake = FakeClock()
    times = clock.measure(
        {"jit": fake.work("jit", 0.02, first=3.0)}, budget=9, timer=fake
    )
    assert times.first("jit") == pytest.approx(3.0)
    assert max(times.series("jit").values) == pytest.approx(0.02)


def test_measure_calibrates_loops_to_the_sample():
    fake = FakeClock()
    times = clock.measure(
        {"quick": fake.work("quick", 1e-5)}, budget=1, rounds=6, timer=fake
    )
    series = times.series("quick")
    assert clock.MIN_SAMPLE <= series.loops * 1e-5 < 3 * clock.MIN_SAMPLE
    assert series.values[0] == pytest.approx(1e-5)


def test_measure_stops_at_its_budget():
    fake = FakeClock()
    clock.measure({"a": fake.work("a", 1.0)}, budget=5.0, timer=fake)
    assert 5.0 <= fake.now <= 6.0


def test_measure_interleaves_in_random_order():
    fake = FakeClock()
    work = {k: fake.work(k, 0.02) for k in "abc"}
    clock.measure(work, budget=60, rounds=30, timer=fake, seed=1)
    rounds = fake.calls[6:]  # after first calls and calibration
    orders = {tuple(rounds[k : k + 3]) for k in range(0, len(rounds), 3)}
    assert all(len(set(order)) == 3 for order in orders)
    assert len(orders) > 3


def test_measure_passes_sizes_and_waits_for_the_device():
    fake, waits = FakeClock(), []
    times = clock.measure(
        {"a": fake.work("a", 0.02)},
        sizes=[1, 2],
        rounds=6,
        budget=9,
        timer=fake,
        wait=lambda: waits.append(fake.now),
    )
    assert times.sizes() == [1, 2]
    assert {call[1] for call in fake.calls} == {1, 2}
    assert len(waits) == 2 * len(fake.calls)  # before and after each sample


def test_measure_counts_the_wait_as_time():
    fake = FakeClock()

    def idle():
        fake.now += 0.5

    times = clock.measure(
        {"queued": lambda: None}, rounds=6, budget=9, timer=fake, wait=idle
    )
    assert times.first("queued") == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (({}, 1), "no candidates"),
        (({"a": int}, 0), "budget"),
        (({"a": int}, math.nan), "budget"),
    ],
)
def test_measure_refuses(arguments, message):
    candidates, budget = arguments
    with pytest.raises(ValueError, match=message):
        clock.measure(candidates, budget=budget)


def test_median_interval_covers_as_often_as_it_says():
    rng = random.Random(7)
    hits = 0
    for _ in range(400):
        found = median([rng.expovariate(1) for _ in range(15)])
        hits += found.low <= math.log(2) <= found.high
    assert hits >= 400 * 0.92


def test_median_of_too_few_has_no_interval():
    assert not math.isfinite(median([1.0] * 5).low)
    assert math.isfinite(median([1.0] * 6).low)


def test_ratio_cancels_a_drift_that_hits_both():
    drift = np.geomspace(1, 3, 30)
    noise = np.random.default_rng(3).normal(1, 0.01, 30)
    found = ratio(list(2 * drift * noise), list(drift))
    assert found.low < 2 < found.high
    # Unpaired, the threefold drift would leave an interval this wide.
    assert found.high / found.low < 1.4


def test_ratio_interval_covers():
    rng, hits = np.random.default_rng(5), 0
    for _ in range(120):
        a, b = rng.lognormal(1, 0.1, 20), rng.lognormal(0, 0.1, 20)
        found = ratio(list(a), list(b))
        hits += found.low <= math.e <= found.high
    assert hits >= 120 * 0.88


def series(values, load=0.0, others=0.0):
    return Series("a", None, 1.0, tuple(values), 1, load, others)


def test_doubt_names_what_is_wrong():
    assert doubt(series([1.0] * 8), cores=2) == ""
    assert "spread" in doubt(series([1, 1, 1, 2, 2, 2.0]), cores=2)
    assert "load 2.5 on 2 cores" in doubt(series([1.0] * 8, 2.5), cores=2)
    assert "only 3 samples" in doubt(series([1.0] * 3), cores=2)
    busy = series([1.0] * 8, others=0.5)
    assert "others used 0.5 of 2 cores" in doubt(busy, cores=2)
    assert Timings([busy], cores=2).seconds("a").contended
    assert not Timings([busy], cores=8).seconds("a").contended


def test_noise_shows_on_the_page():
    noisy = Timings([series([1, 1, 1, 2, 2, 2.0])], cores=2)
    assert "noisy: spread" in noisy._repr_html_()
    calm = Timings([series([1.0] * 8)], cores=2)
    assert "noisy" not in calm._repr_html_()


def test_unknown_series_names_what_there_is():
    with pytest.raises(KeyError, match="there are: a @ None"):
        Timings([series([1.0])]).seconds("b")


@pytest.mark.parametrize(
    ("quantity", "text"),
    [
        (Quantity(0.00192, 0.0019, 0.002, "s"), "1.92 ms (1.90 to 2.00)"),
        (Quantity(1.84, 1.8, 1.9, "×"), "1.84× (1.80 to 1.90)"),
        (Quantity.exact(0.5, "%"), "50.0 %"),
        (Quantity(-0.5, -0.52, -0.48), "−0.500 (−0.520 to −0.480)"),
        (Quantity(1e-12, 0.0, 5e-5, "s"), "0 µs (0 to 50.0)"),
        (Quantity(2.0, 1.0, math.inf, "×"), "2.00× (1.00 or more)"),
        (Quantity(2.0, -math.inf, math.inf, "×"), "2.00× (unknown)"),
    ],
)
def test_quantity_as_text(quantity, text):
    assert str(quantity) == text


def test_a_linear_map_keeps_the_interval_in_order():
    q = Quantity(0.7, 0.6, 0.9, "×", "noisy").linear(-1, 1, "%")
    assert (q.value, q.low, q.high) == pytest.approx((0.3, 0.1, 0.4))
    assert q.unit == "%" and q.note == "noisy"
    part = Quantity(3.0, 2.0, 4.0, "s").per(2)
    assert (part.value, part.low, part.high, part.unit) == (1.5, 1, 2, "s")


def test_share_interval_is_exact():
    share = Quantity.share(0, 20)
    assert share.value == 0 and share.low == 0
    assert share.high == pytest.approx(0.1684, abs=1e-4)  # Clopper-Pearson


@given(a=st.floats(1e-7, 1e-3), b=st.floats(1e-10, 1e-7))
def test_line_recovers_its_constants(a, b):
    sizes = np.array([100, 300, 1000, 3000, 10_000, 100_000])
    fit = models.line(sizes, a + b * sizes)
    assert fit.predict(5000) == pytest.approx(a + b * 5000, rel=1e-3)
    assert fit.worst < 1e-3


def test_line_interval_covers():
    rng, hits = np.random.default_rng(11), 0
    sizes = np.array([100, 300, 1000, 3000, 10_000, 30_000])
    for _ in range(200):
        noise = rng.normal(1, 0.02, sizes.size)
        fit = models.line(sizes, (1e-5 + 1e-8 * sizes) * noise)
        hits += fit["b"].low <= 1e-8 <= fit["b"].high
    assert hits >= 200 * 0.9


def test_sizes_left_out_are_predicted_from_the_others():
    sizes = [30_000, 100, 300, 1000, 3000, 10_000]
    seconds = [1e-5 + 1e-8 * n for n in sizes]
    found = models.left_out(sizes, seconds)
    assert [n for n, _, _ in found] == [300, 3000, 30_000]
    for _, said, real in found:
        assert said == pytest.approx(real, rel=1e-3)
    seconds[4] *= 2  # a size that is left out changes no prediction
    again = models.left_out(sizes, seconds)
    assert [said for _, said, _ in again] == [said for _, said, _ in found]
    assert again[1][2] == 2 * found[1][2]
    with pytest.raises(ValueError, match="needs 5"):
        models.left_out(sizes[:4], seconds[:4])


@given(b=st.floats(-2, 2), a=st.floats(1e-3, 1e3))
def test_power_recovers_its_constants(a, b):
    sizes = np.array([1e2, 1e3, 1e5, 1e7])
    fit = models.power(sizes, a * sizes**b)
    assert fit["b"].value == pytest.approx(b, abs=1e-6)
    assert fit["a"].value == pytest.approx(a, rel=1e-5)


def test_amdahl_recovers_the_nogil_fraction():
    threads = np.array([1, 2, 3, 4, 6, 8])
    speed = 1 / (0.2 + 0.8 / np.minimum(threads, 4) + 0.01 * (threads - 1))
    fit = models.amdahl(threads, speed, cores=4)
    assert fit["f"].value == pytest.approx(0.8, abs=1e-3)
    assert fit["c"].value == pytest.approx(0.01, abs=1e-3)


def test_crossing_is_where_the_lines_meet():
    sizes = np.array([100, 1000, 10_000, 100_000])
    slow = models.line(sizes, 1e-6 + 1e-7 * sizes)
    fast = models.line(sizes, 1e-5 + 1e-8 * sizes)
    assert models.crossing(slow, fast).value == pytest.approx(100, rel=0.01)
    assert models.crossing(fast, slow) is None  # the steeper never wins
    later = models.line(sizes, 1e-4 + 2e-7 * sizes)
    assert models.crossing(slow, later) is None


@pytest.mark.parametrize(
    ("n", "y", "message"),
    [
        ([1, 2], [1, 2], "needs 3"),
        ([1, 2, 3], [1, 2], "against"),
        ([1, 2, 3], [1, 2, 0], "above 0"),
        ([1, 2, 3], [1, 2, math.nan], "finite"),
    ],
)
def test_fits_refuse(n, y, message):
    for fit in (models.line, models.power):
        with pytest.raises(ValueError, match=message):
            fit(n, y)


@pytest.fixture(scope="module")
def loops():
    """Timings of two real candidates."""
    return clock.measure(
        {"sum": lambda n: sum(range(n)), "len": lambda n: len(range(n))},
        sizes=[100, 1000],
        budget=0.5,
    )


@pytest.fixture
def measured(loops):
    """Results of two real candidates."""
    return results.Results(
        "method",
        "S",
        timings={"loops": loops},
        quantities={
            "pi-error-power-law": Quantity(-0.5, -math.inf, 0.1, "", "note")
        },
        reasons={"pi-error-power-law": "because"},
        tables={"rows": [{"a": 1}]},
    )


def test_results_come_back_as_they_were_saved(measured, tmp_path):
    path = results.save(measured, tmp_path)
    again = results.load(path)
    assert list(again.timings["loops"]) == list(measured.timings["loops"])
    for field in dataclasses.fields(measured):
        if field.name != "timings":
            name = field.name
            assert getattr(again, name) == getattr(measured, name), name


def test_results_name_no_person_and_no_path(measured, tmp_path):
    text = results.save(measured, tmp_path).read_text()
    assert "hostname" not in text and sys.executable not in text


@pytest.mark.parametrize("command", ["show", "stats", "compare_to"])
def test_pyperf_reads_the_results(measured, tmp_path, command):
    path = str(results.save(measured, tmp_path))
    files = [path, path] if command == "compare_to" else [path]
    done = subprocess.run(
        [sys.executable, "-m", "pyperf", command, *files],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    if command != "compare_to":
        assert "loops | sum | 1,000" in done.stdout


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("[]", "'onthefly' is missing"),
        (
            '{"onthefly": {"format": 99}}',
            "format is 99, this version reads 1",
        ),
        ('{"onthefly": {"format": 1}}', "quantities"),
    ],
)
def test_bad_results_name_file_and_repair(measured, tmp_path, text, message):
    path = tmp_path / measured.machine["slug"] / "method.json"
    path.parent.mkdir()
    path.write_text(text)
    for action in (results.load, lambda _: results.save(measured, tmp_path)):
        with pytest.raises(Refused) as caught:
            action(path)
        line = str(caught.value)
        assert message in line and str(path) in line and "\n" not in line
        assert "run the chapter again" in line
    assert path.read_text() == text  # nothing overwritten


def test_results_without_timings_are_refused(tmp_path):
    with pytest.raises(Refused, match="no timings"):
        results.save(results.Results("method", "S"), tmp_path)
    assert not list(tmp_path.iterdir())


def test_an_interrupted_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    results.write_atomically(path, "old")

    def fail(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(results.os, "replace", fail)
    with pytest.raises(KeyboardInterrupt):
        results.write_atomically(path, "new")
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def test_machine_record_is_whole_and_plain():
    record = machine.record()
    assert json.loads(json.dumps(record)) == record
    assert 1 <= record["cores"]["usable"] <= record["cores"]["machine"]
    assert record["memory"] > 0 and record["caches"]["L1"] > 0
    assert (
        record["slug"].endswith(f"{record['cores']['usable']}c")
        or (record["gpus"])
    )
    assert any("openblas" in pool for pool in record["pools"])
    assert record["packages"]["numpy"] == np.__version__


def test_usable_cores_follow_the_affinity():
    code = (
        "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))});"
        "from onthefly import machine; print(machine.usable_cores())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True
    )
    assert done.stdout.strip() == "1", done.stderr


@pytest.mark.parametrize(
    ("quota", "cores"), [("150000 100000", 1), ("max 100000", 2)]
)
def test_usable_cores_follow_the_cgroup(monkeypatch, quota, cores):
    files = {"/sys/fs/cgroup/cpu.max": quota}
    monkeypatch.setattr(machine, "_read", files.get)
    monkeypatch.setattr(
        machine.os, "sched_getaffinity", lambda _: {0, 1}, raising=False
    )
    assert machine.usable_cores() == cores


def test_interpreters_include_this_one():
    here = ".".join(map(str, sys.version_info[:3]))
    assert here in {i["version"] for i in machine.interpreters()}


SPIN = "import time; end = time.time() + {}\nwhile time.time() < end: pass"
STRANGER = """\
import os
if pid := os.fork():
    print(pid)
else:
    os.setsid()
    os.close(1)  # so that nobody waits for what it prints
    exec({!r})
"""


def test_bystanders_count_others_and_not_us():
    # A grandchild whose parent has ended is no descendant of ours.
    code = STRANGER.format(SPIN.format(2))
    stranger = subprocess.run(
        [sys.executable, "-c", code], check=True, stdout=subprocess.PIPE
    ).stdout
    watch = machine.Bystanders()
    clock.measure({"a": lambda: sum(range(1000))}, budget=1.5)
    with_stranger = watch.cores()
    assert with_stranger > 0.3
    assert gone(int(stranger))
    watch = machine.Bystanders()
    child = [sys.executable, "-c", SPIN.format(1.5)]
    subprocess.run(child, check=True)
    assert watch.cores() < 0.6  # a child, at one core, is one of us


def test_the_lab_imports_light():
    """Worker processes import kernels.count: it must not load NumPy."""
    code = (
        "import sys; from onthefly.experiments.gil import race_standalone;"
        "from onthefly.kernels import count;"
        "print({'numpy', 'scipy', 'IPython'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True
    )
    assert done.stdout.strip() == "set()", done.stderr


def chart():
    points = {n: Quantity(n / 1e6, n / 2e6, n / 5e5, "s") for n in (10, 100)}
    return figures.lines({"a": points}, x="shots", y="time", time="y")


def test_figures_are_text_in_the_pages_own_ink():
    text = figures.svg(chart(), "one")
    assert "<text" in text and "currentColor" in text
    assert figures.INK not in text and "<style" not in text
    ids = [part.split('"')[0] for part in text.split(' id="')[1:]]
    assert ids and all(i.startswith("one-") for i in ids)
    assert len(ids) == len(set(ids))


def test_every_figure_kind_draws():
    q = Quantity(2.0, 1.5, 2.5, "×")
    for made in (
        figures.bars({"a": q, "b": q}, x="ratio", reference=1),
        figures.bars({"a": q, "b": q}, x="ratio", log=True),
        figures.speed_against_threads({"a": {1: q, 2: q, 4: q}}, cores=2),
    ):
        assert "<svg" in figures.svg(made, "x")
        assert all(len(row) == len(made.head) for row in made.rows)


def test_a_graphs_inputs_stand_above_those_that_take_them():
    nodes = dict.fromkeys("abcd", "")
    edges = [("a", "b"), ("b", "c"), ("d", "c")]
    layers, _ = figures._layers(nodes, edges)
    assert layers == [["a"], ["b", "d"], ["c"]]
    made = figures.graph({**nodes, "alone": ""}, edges)
    assert len(made.rows) == 5


def test_many_names_stand_beside_the_lines():
    q = Quantity(2.0, 1.5, 2.5, "s")
    for count, beside in ((5, False), (6, True)):
        series = {str(k): {1: q, 2: q} for k in range(count)}
        axes = figures.lines(series, x="n", y="t").figure.axes[0]
        left = axes.get_legend().get_bbox_to_anchor().x0
        assert bool(left >= axes.bbox.x1) == beside


@pytest.fixture
def shown(tmp_path, monkeypatch):
    """The HTML texts that chapters show."""
    shown = []

    def keep(*things, **_):
        shown.extend(getattr(t, "data", t) for t in things)

    monkeypatch.setattr(page, "display", keep)
    monkeypatch.setenv("ONTHEFLY_BUILD", str(tmp_path))
    return shown


@pytest.fixture
def chapter(shown):
    """A chapter whose page is a list of HTML texts."""
    book = page.Chapter("gil-races", preset="S")
    book.shown = shown
    return book


def test_a_figure_needs_words(chapter):
    with pytest.raises(ValueError, match="alt and caption"):
        chapter.figure(chart(), "one", alt=" ", caption="c")


def test_a_figure_has_alt_text_data_and_a_file(chapter, tmp_path):
    chapter.figure(chart(), "one", alt='rises "fast"', caption="It rises.")
    text = chapter.shown[-1]
    assert 'aria-label="rises &quot;fast&quot;"' in text
    assert "<figcaption>It rises.</figcaption>" in text
    assert text.count("<tr>") == 3 and "10.0 µs" in text
    assert (tmp_path / "figures" / "gil-races" / "one.svg").exists()


def test_a_card_says_it_all(chapter):
    chapter.judge(
        "gil-switch-interval", Quantity.exact(0.005, "s"), "read it"
    )
    text = chapter.shown[-1]
    for part in ("slices of five milliseconds", "Okuda, PyCon JP 2018",
                 "slide 11", "5 msec", "5.00 ms", "✓ reproduced",
                 "read it"):  # fmt: skip
        assert part in text


def test_a_claim_of_another_chapter_is_refused(chapter):
    with pytest.raises(KeyError, match="not of 'gil-races'"):
        chapter.judge("pi-error-power-law", Quantity.exact(1, ""))


def test_close_refuses_a_claim_left_open(chapter, tmp_path):
    with pytest.raises(ValueError, match="was not judged"):
        chapter.close()
    assert not list(tmp_path.glob("results/*/*"))


def test_recorded_rows_name_their_machine(chapter, measured, monkeypatch):
    rows = [{"v": "1", "n": "5 of 5"}, {"v": "2", "n": "0 of 5"}]
    measured.tables = {"loss": rows}
    monkeypatch.setattr(results, "recorded", lambda slug: [measured])
    chapter.table("loss", [{"v": "1", "n": "4 of 4"}], "Loss")
    chapter.recorded("loss", "v")
    line, table = chapter.shown[-2:]
    assert "Recorded, not measured in this run" in line
    assert measured.machine["slug"] in line
    assert measured.machine["time"][:10] in line
    assert "0 of 5" in table and "5 of 5" not in table
    chapter.table("loss", rows, "Loss")
    chapter.recorded("loss", "v")
    assert "No recorded result adds" in chapter.shown[-1]


def test_what_lacks_a_compiler_is_one_line_and_recorded(shown):
    chapter = page.Chapter("c-extension")
    chapter.lacking("compiler", "not measured here: no compiler")
    line, table = shown[-2:]
    assert "not measured here: no compiler.  Below, what" in line
    assert "23✕" in table and "reproduced" in table
    count = len(shown)
    chapter.lacking("tpu", "not measured here: no TPU")
    assert "no TPU" in shown[-1] and len(shown) == count + 1


def test_pick_takes_the_nearest_smaller_preset(chapter):
    assert chapter.pick(S=1, L=3) == 1
    chapter.preset = "M"
    assert chapter.pick(S=1, L=3) == 1
    chapter.preset = "talk"
    assert chapter.pick(S=1, L=3) == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"preset": "XL"}, "choose one of S, M, L, talk"),
        ({"device": "tpu"}, "one of"),
    ],
)
def test_a_chapter_refuses(arguments, message):
    with pytest.raises(ValueError, match=message):
        page.Chapter("method", **arguments)


def test_an_unknown_chapter_is_refused():
    with pytest.raises(ValueError, match=r"'nope' is not in .*claims\.yml"):
        page.Chapter("nope")


@pytest.mark.parametrize("gpu", [True, False])
def test_needs_are_told(monkeypatch, gpu):
    claim = claims.load().claims["ranking-all-packages"]
    monkeypatch.setattr(machine, "has_cuda", lambda: gpu)
    assert ("gpu" in claims.unmet(claim)) != gpu
    assert "gpu" in claims.unmet(claim, cuda=False)
    assert not machine.available("tpu")
    assert machine.available("numba") and machine.available("cores>=1")
