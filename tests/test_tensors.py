"""The same program on processor and device: kernels, ports and trials.

What needs a GPU is skipped, with the reason, where there is none; the CUDA C
kernel's logic is tested without one, by a C++ compiler and by NumPy.
"""

import importlib
import random
import shutil
import subprocess

import numpy as np
import pytest
from scipy.stats import fisher_exact

from cases import bad_shots
from onthefly import machine
from onthefly.experiments.gpu import tensor_trials as trials
from onthefly.kernels import pi_ports, pi_raw, sigmas
from onthefly.kernels import pi_ports_device as on_device
from onthefly.tools import cpp, devices

LARGE = 200_000
COMPILER = pytest.mark.skipif(bool(cpp.missing()), reason="no C++ compiler")

# {kernel: (module, library)}; those on a GPU apart.
KERNELS = {
    "pi_raw": ("pi_raw", None),
    "pi_torch_device": ("pi_torch_device", "torch"),
    "pi_torch_nonzero": ("pi_torch_device", "torch"),
    "pi_torch_moved": ("pi_torch_device", "torch"),
    "pi_torch_compiled": ("pi_torch_device", "torch"),
}
ON_GPU = {
    "pi_torch_device": ("pi_torch_device", "torch"),
    "pi_torch_nonzero": ("pi_torch_device", "torch"),
    "pi_torch_moved": ("pi_torch_device", "torch"),
    "pi_torch_compiled": ("pi_torch_device", "torch"),
    "pi_torch_captured": ("pi_torch_device", "torch"),
    "pi_cupy": ("pi_cupy", "cupy"),
    "pi_cupy_fused": ("pi_cupy", "cupy"),
    "pi_cupy_raw": ("pi_cupy", "cupy"),
}
WITH_DEVICE = {k for k in KERNELS if k.startswith("pi_torch")}


def kernel(name, gpu=False):
    """Return a kernel and its maker of streams, or skip the test."""
    module, library = (ON_GPU if gpu else KERNELS)[name]
    if gpu and not machine.has_cuda():
        pytest.skip("no CUDA device")
    if library and not machine.available(library):
        pytest.skip(f"no {library}")
    if gpu and not devices.sees_cuda(library):
        pytest.skip(f"{library} sees no CUDA device")
    if name in ("pi_raw", "pi_torch_compiled") and cpp.missing():
        pytest.skip("no C++ compiler")
    found = importlib.import_module(f"onthefly.kernels.{module}")
    way = getattr(found, name)
    stream = found.stream
    if name == "pi_cupy_raw":
        stream = pi_raw.stream
    if gpu and name in WITH_DEVICE:
        return lambda shots, rng=None: way(shots, rng, "cuda"), stream
    return way, stream


@pytest.fixture(scope="module", autouse=True)
def compiler_cache(tmp_path_factory):
    """Let torch.compile write to a folder of these tests."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("inductor")
        patch.setenv("TORCHINDUCTOR_CACHE_DIR", str(folder))
        yield


EVERY = pytest.mark.parametrize(
    ("name", "gpu"),
    [(k, False) for k in KERNELS] + [(k, True) for k in ON_GPU],
)


@EVERY
@pytest.mark.parametrize("shots", [1, 7, 10_001, LARGE])
def test_a_kernel_estimates_pi(name, gpu, shots):
    estimate, stream = kernel(name, gpu)
    found = estimate(shots, stream(2018))
    assert 0 <= found <= 4
    assert shots < 100 or sigmas(found, shots) < 5


@EVERY
def test_a_seed_repeats_the_result(name, gpu):
    estimate, stream = kernel(name, gpu)
    first, again = (estimate(10_000, stream(7)) for _ in range(2))
    assert first == again
    assert {estimate(10_000, stream(s)) for s in range(8, 12)} != {first}


@EVERY
@bad_shots
def test_bad_shots_are_refused(name, gpu, shots, error):
    with pytest.raises(error, match="shots must be"):
        kernel(name, gpu)[0](shots)


@EVERY
def test_a_kernel_hits_as_often_as_numpy(name, gpu):
    estimate, stream = kernel(name, gpu)
    hits = round(estimate(LARGE, stream(3)) * LARGE / 4)
    rng = np.random.default_rng(4)
    x, y = rng.random((2, LARGE))
    other = int(np.count_nonzero(x * x + y * y <= 1.0))
    table = [[hits, LARGE - hits], [other, LARGE - other]]
    assert fisher_exact(table).pvalue > 1e-6


@COMPILER
@pytest.mark.parametrize("shots", [1, 2, 7, 255, 256, 257, 10_001])
@pytest.mark.parametrize("shape", [(1, 1), (1, 32), (3, 7), (512, 256)])
def test_the_raw_kernel_takes_any_launch_shape(shots, shape):
    key = random.Random(shots).getrandbits(64)
    found = pi_raw.build()(shots, key, *shape)
    assert found == pi_raw.hits_numpy(shots, key) <= shots


@COMPILER
def test_keys_give_other_shots():
    keys = [random.Random(s).getrandbits(64) for s in range(5)]
    assert len({pi_raw.build()(LARGE, key, 3, 7) for key in keys}) > 1


@pytest.mark.skipif(not shutil.which("nvcc"), reason="no nvcc")
def test_cuda_compiles_the_raw_kernel(tmp_path):
    source = tmp_path / "hits.cu"
    source.write_text(pi_raw.SOURCE)
    target = source.with_suffix(".ptx")
    subprocess.run(["nvcc", "--ptx", source, "-o", target], check=True)
    assert ".entry hits(" in target.read_text()


@pytest.mark.skipif(not machine.has_cuda(), reason="no CUDA device")
@pytest.mark.parametrize("shots", [1, 7, 10_001])
@pytest.mark.parametrize("shape", [(1, 1), (3, 7), (512, 256)])
def test_the_device_hits_what_numpy_hits(shots, shape):
    kernel("pi_cupy_raw", gpu=True)
    from onthefly.kernels.pi_cupy import hits_cupy_raw

    found = int(hits_cupy_raw(shots, 99, *shape)[0])
    assert found == pi_raw.hits_numpy(shots, 99)


def torch_or_skip():
    return pytest.importorskip("torch", exc_type=ImportError)


def tensorflow_or_skip():
    pytest.importorskip("tensorflow", exc_type=ImportError)
    return devices.library("tensorflow")


def test_the_device_changes_the_lines_that_create():
    changed = pi_ports.edits(on_device.device_torch, pi_ports.port_torch)
    assert changed["lines"] == 3
    assert pi_ports.edits(pi_ports.port_cupy)["beyond the prefix"] == 0


def test_ports_run_where_they_are_told():
    torch, tf = torch_or_skip(), tensorflow_or_skip()
    found = [
        on_device.device_torch(torch, LARGE, "cpu"),
        on_device.around_torch(torch, LARGE, "cpu"),
        on_device.around_tensorflow(tf, LARGE, "/CPU:0"),
    ]
    assert all(sigmas(pi, LARGE) < 5 for pi in found)
    with pytest.raises(RuntimeError, match="meta"):
        on_device.device_torch(torch, 10, "meta")


def test_tensorflow_loops_inside_its_graph():
    tensorflow_or_skip()
    from onthefly.kernels import pi_tensorflow_device as module

    way = module.on_device("/CPU:0", module.pi_tensorflow_loop)
    assert sigmas(way(10_000, loop=20), LARGE) < 5
    assert 0 <= way(1, loop=1) <= 4
    with pytest.raises(ValueError, match="shots must be"):
        way(10, loop=0)


@pytest.mark.parametrize("name", ["fed", "drawn"])
def test_a_graph_is_fed_points_or_draws_them(name):
    tensorflow_or_skip()
    from onthefly.kernels import pi_tensorflow_device as module

    way = getattr(module, f"pi_tensorflow_{name}")
    assert sigmas(way(LARGE), LARGE) < 5
    assert way(1) in (0, 4)
    with pytest.raises(ValueError, match="shots must be"):
        way(0)


def test_what_is_fed_is_what_numpy_draws():
    tensorflow_or_skip()
    from onthefly.kernels.pi_tensorflow_device import pi_tensorflow_fed

    x, y = np.random.RandomState(3).rand(2, 1000).astype(np.float32)
    hits = np.count_nonzero(np.sqrt(x * x + y * y) <= 1)
    found = pi_tensorflow_fed(1000, np.random.RandomState(3))
    assert found == pytest.approx(4 * hits / 1000)


def test_creation_alone_has_to_be_told():
    found = trials.places(torch_or_skip())
    assert found["rand(3)"] == "cpu"
    assert found["x * rand(3)"].startswith("refused")
    told = ("x * x", "ones_like(x)", "with device: rand(3)")
    assert {found[text] for text in told} == {"meta"}


@pytest.mark.skipif(machine.has_cuda(), reason="there is a GPU")
def test_a_missing_gpu_is_silent_or_refused():
    tf = tensorflow_or_skip()
    assert trials.gpu_block(tf, soft=True) == ["CPU:0", "CPU:0"]
    assert trials.gpu_block(tf, soft=False) == ["refused", "refused"]
    assert tf.config.get_soft_device_placement()


def test_asynchronous_execution_is_switched_back():
    tf = tensorflow_or_skip()
    pairs = trials.asynchronous(tf, 10_000, rounds=3)
    assert len(pairs) == 3
    assert all(0 < returned <= done for returned, done in pairs)
    assert tf.config.experimental.get_synchronous_execution()


def test_eager_makes_arrays_and_the_compiler_does_not():
    torch = torch_or_skip()
    from onthefly.kernels import pi_torch_device as ways

    count, taken = trials.made(torch, lambda: ways.hits_torch(1000))
    assert count >= 7 and taken == 41 * 1000 + 8
    if not ways.missing():
        ways.pi_torch_compiled(1000)
        call = ways.compiled()
        few, many = (
            trials.made(torch, lambda n=n: call(n, "cpu"))[1]
            for n in (1000, 2000)
        )
        assert few == many < 1000


def test_conversions_keep_all_and_say_what_they_share():
    tf, torch = tensorflow_or_skip(), torch_or_skip()
    found = {
        name: trials.crosses(*pair)
        for name, pair in trials.trips(tf, torch).items()
    }
    assert all(same for same, _, _ in found.values())
    assert found["from_numpy, .cpu().numpy"] == (True, True, True)
    assert not found["tensor, .cpu().numpy"][1]
    assert found["convert_to_tensor, .numpy"] == (True, False, False)


def test_a_copy_is_not_taken_for_shared_memory():
    assert not trials.seen(np.zeros(4), np.copy)
    assert trials.seen(np.zeros(4), np.asarray)
    same, shares_in, shares_out = trials.crosses(np.copy, np.copy)
    assert same and not shares_in and not shares_out


def test_dlpack_hands_over_without_a_copy():
    found = trials.handovers(tensorflow_or_skip(), torch_or_skip())
    assert len(found) == 4 and all(found.values())


def test_the_bridge_holds_on_the_processor():
    checks = trials.bridge(torch_or_skip(), device="cpu")
    assert len(checks) == 5 and all(checks.values())


def test_a_wrong_estimate_is_not_measured():
    with pytest.raises(ValueError, match="wrong: π = 3"):
        trials.checked({"wrong": lambda shots: 3.0}, [10**6])


def test_threads_are_set_back():
    torch = torch_or_skip()
    from onthefly.experiments.gpu import torch_trials

    threads = torch.get_num_threads()
    times, told = torch_trials.by_threads(1000, budget=0.1)
    assert threads == told == torch.get_num_threads()
    assert {"draw, one", "draw, all", "compute, one"} <= set(times.names)


def test_names_that_a_library_lacks():
    assert trials.absent(np) == []
    assert trials.absent(random, ["random", "random.rand"]) == ["random.rand"]


def test_the_survey_asks_all_three():
    found = devices.survey()
    assert list(found) == list(devices.NAMES)
    assert not found["cupy"]["computes on the processor"]
    if not machine.has_cuda():
        assert not any(row["computes on a GPU"] for row in found.values())
        assert devices.library("cupy") is None
