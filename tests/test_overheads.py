"""The kernels, fits, traces and figure of the chapter on overheads."""

import numpy as np
import pytest

from cases import bad_shots
from onthefly import figures, models
from onthefly.experiments.memory import buffers, faults
from onthefly.experiments.overheads import heavy_tensors, profiles
from onthefly.kernels import sigmas
from onthefly.kernels import trips_tensorflow as add
from onthefly.quantity import Quantity
from onthefly.tools import processes

tf = add.tf


def test_a_loop_adds_its_steps_by_each_way():
    array = np.arange(7, dtype=np.float32)
    loop = add.while_session(add.add_one, array)
    for steps in (1, 5):
        expected = array + steps
        assert np.array_equal(add.eager(add.add_one, steps, array), expected)
        assert np.array_equal(loop(steps, array), expected)
    assert np.array_equal(loop(0, array), array)
    assert np.array_equal(loop(3, array[:2]), array[:2] + 3)  # another size
    add_one = tf.function(add.add_one)
    for way in (add_one, add.in_caller(add_one)):
        assert np.array_equal(way(tf.constant(array)), array + 1)


@bad_shots
def test_bad_steps_are_refused(shots, error):
    with pytest.raises(error, match="must be"):
        add.eager(add.add_one, shots, np.zeros(1, np.float32))


def test_pi_steps_lie_within_five_sigma():
    steps, points = 10, 20_000
    shape, hits = np.array([points], np.int32), np.float32(0)
    loop = add.while_session(add.pi_step, hits, shape)
    for found in (
        add.eager(add.pi_step, steps, hits, shape),
        loop(steps, hits, shape),
    ):
        assert sigmas(4 * found / steps / points, steps * points) < 5


def test_fed_points_are_counted():
    rng = np.random.default_rng(1)
    x, y = rng.random((2, 50_000), np.float32)
    calls = add.pi_feeds(x, y)
    r = np.sqrt(x * x + y * y)
    assert calls["fed"](x, y) == calls["computing"]() == np.sum(r <= 1)
    assert sigmas(4 * calls["drawn"]() / x.size, x.size) < 5
    assert calls["nothing"]() is None and calls["feeding"](x, y) is None


def test_a_round_trip_returns_what_it_says():
    array = np.arange(5, dtype=np.float32)
    trips = add.round_trip()
    assert trips["run"](array) is None and trips["feed"](array) is None
    assert np.array_equal(trips["identity"](array), array)
    assert np.array_equal(trips["add"](array), array + 1)


@pytest.mark.parametrize("offset", [0, 4, 16, 60])
def test_an_array_lies_where_it_is_asked_to(offset):
    array = buffers.aligned(10, offset)
    assert array.shape == (10,) and array.dtype == np.float32
    assert buffers.address(array) % 64 == offset
    with pytest.raises(TypeError, match="no address in a list"):
        buffers.address([1])


def test_sharing_is_told_from_copying():
    torch = pytest.importorskip("torch")
    array = buffers.aligned(10)
    assert buffers.shares(torch.from_numpy, array) == (True, "yes")
    assert buffers.shares(torch.tensor, array) == (False, "no")
    assert buffers.shares(np.copy, array) == (False, "no")
    assert buffers.shares(np.asarray, array) == (True, "yes")
    constant = tf.constant(array)
    there = buffers.address(buffers.to_tensorflow(array))
    assert there == array.ctypes.data != buffers.address(constant)
    same, told = buffers.shares(memoryview, constant)
    assert same and told == "cannot be written"


@pytest.mark.parametrize(("offset", "shared"), [(0, True), (4, False)])
def test_a_session_is_asked_for_the_address_it_reads(offset, shared):
    array = buffers.aligned(1000, offset)
    seen = add.fed_address(array)
    assert (seen == array.ctypes.data) == shared
    assert seen % 64 == 0  # TensorFlow's own copy lies there, too


def test_a_reader_of_aligned_memory_reads_and_ends():
    reader = buffers.start_reading()
    assert buffers.readings(reader, 0, 0) == ["it reads 7.0"] * 2
    assert reader._process.returncode == 0


def test_a_reader_that_is_ended_is_told():
    reader = buffers.start_reading()
    reader._process.kill()
    assert buffers.readings(reader, 0) == ["the process is ended by SIGKILL"]
    reader = buffers.start_reading()
    with pytest.raises(processes.Ended, match="Child ended: 1"):
        buffers.readings(reader, "no offset")


def test_overhead_of_a_loop_is_found():
    slow, fast = {}, {}
    for n in (10, 100, 1000):
        for steps in (1, 8, 64):
            fast[n, steps] = 3e-4 + steps * (5e-6 + 1e-9 * n)
            slow[n, steps] = 2e-5 + steps * (4e-5 + 2e-9 * n)
    step, once = models.loop_overhead(slow, fast)
    assert step["a"].value == pytest.approx(3.5e-5, rel=1e-3)
    assert step["b"].value == pytest.approx(1e-9, rel=1e-3)
    assert once == pytest.approx(2.8e-4, rel=1e-3)
    with pytest.raises(ValueError, match="needs 3"):
        models.loop_overhead({(1, 1): 1.0}, {(1, 1): 1.0})


def test_own_times_leave_out_what_lies_inside():
    events = [(0, 10, "a"), (1, 4, "b"), (2, 3, "c"), (5, 6, "b"),
              (20, 21, "a")]  # fmt: skip
    assert profiles.own_times(events) == [
        ("a", 6), ("b", 2), ("c", 1), ("b", 1), ("a", 1)]  # fmt: skip


def test_a_trace_counts_the_operations_of_a_call():
    x = tf.constant([1.0, 2.0])
    profile = profiles.tensorflow(lambda: tf.raw_ops.AddV2(x=x, y=x), 10)
    assert profiles.operations(profile) == {"AddV2": 1}
    assert tuple(profile.parts) == profiles.PARTS
    assert sum(profile.parts.values()) == pytest.approx(profile.wall)
    assert min(profile.parts.values()) >= 0
    shares = [q.value for q in profile.shares().values()]
    assert sum(shares) == pytest.approx(1)


def test_a_sessions_run_is_handed_over():
    array = np.zeros(10, np.float32)
    add_one = add.round_trip()["add"]
    profile = profiles.tensorflow(lambda: add_one(array), 10)
    assert profile.parts["hand-over to a thread"] > 0
    assert sum(profile.parts.values()) == pytest.approx(profile.wall)


def test_a_hand_over_shorter_than_its_stamps_is_not_resolved():
    own = {"dispatch": 1.0, "run": 4.0, "here": 0.5}
    for away, expected in {
        3.0: (4.5, 1.0, 1.0, 3.5),
        0.0: (4.5, 1.0, 0.0, 4.5),  # on the caller's thread
        5.0: (4.5, 1.0, 0.0, 4.5),
    }.items():
        parts, unresolved = profiles.divided(10.0, own, away)
        assert tuple(parts.values()) == expected
        assert unresolved == (profiles.PARTS[2:3] if away > 4 else ())
    profile = profiles.Profile(parts, 10.0, 8.0, {}, unresolved)
    share = profile.shares()["hand-over to a thread"]
    assert (share.note, share.high) == ("not resolved", 0.45)
    assert profile.row("x")["hand-over to a thread"] == "not resolved"


def test_parts_of_other_calls_add_up():
    torch = pytest.importorskip("torch")
    x, none = torch.zeros(1000), torch.zeros(0)
    profile = profiles.torch(lambda: x + 1, lambda: none + 1, 20)
    assert sum(profile.parts.values()) == pytest.approx(profile.wall)
    parts = profiles.untraced(5.0, 2.0).parts
    assert list(parts.values()) == [0.0, 2.0, 0.0, 3.0]
    row = profiles.untraced(5.0, 2.0).row("x")
    assert row["the profiler's price"] == "1.00×"


def test_python_functions_are_counted():
    def inner():
        return 1

    assert profiles.python_calls(lambda: None) == 0
    assert profiles.python_calls(lambda: inner() + inner()) == 2


def test_faults_are_counted_in_turns():
    touched = faults.in_turns(
        {
            "touch": lambda: np.ones(2**23),  # too large to be kept
            "nothing": lambda: None,
        }
    )
    assert set(touched) == {"touch", "nothing"}
    assert touched["nothing"] < touched["touch"]


@pytest.mark.parametrize("function", heavy_tensors.FUNCTIONS)
def test_heavy_functions_agree_with_numpy(function):
    array = heavy_tensors.heavy_input(function, 16)
    expected = {
        "FFT": lambda x: np.fft.fft(x),
        "matmul": lambda x: x @ x,
        "solve": lambda x: np.linalg.solve(x, x[:, :1]),
    }[function](array)
    jobs, sizes = heavy_tensors.heavy_jobs({function: [16]})
    assert set(jobs) == set(sizes)
    for kit in heavy_tensors.KITS:
        name = f"{kit} {function}"
        assert np.allclose(jobs[name](16), expected, atol=1e-4)
        there = jobs[f"{name}, resident"](16).numpy()
        assert np.allclose(there, expected, atol=1e-4)


def test_stacked_bars_lie_end_to_end():
    s = Quantity.exact
    chart = figures.stacked(
        {"one": {"a": s(1, "s"), "b": s(2, "s")}, "two": {"b": s(4, "s")}},
        x="time",
    )
    (axes,) = chart.figure.axes
    boxes = [(b.get_x(), b.get_width()) for b in axes.patches]
    assert boxes == [(0, 1), (0, 0), (1, 2), (0, 4)]
    assert [row[:3] for row in chart.rows] == [
        ["one", "a", "1.00 s"],
        ["one", "b", "2.00 s"],
        ["two", "b", "4.00 s"],
    ]
