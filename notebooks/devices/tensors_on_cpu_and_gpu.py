"""What *The same program on CPU and device* concludes."""

from onthefly.experiments.gpu import (
    port_steps,
    tensor_trials,
    tensor_variants,
)
from onthefly.experiments.history import builds
from onthefly.experiments.numba.rested import ahead_from
from onthefly.kernels import z_score
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, judge, table
from onthefly.page.chapter import NOWHERE
from onthefly.page.missing import Missing
from onthefly.page.verdicts import unmeasured

SLIDE_34 = (
    "convert_to_tensor, .numpy",
    "tensor, .cpu().numpy",
    "array, asnumpy",
)
FOUR = "TensorFlow eager", "TensorFlow graph", "CuPy", "PyTorch"
RANKED = (
    "NumPy",
    "TensorFlow graph, CPU",
    "TensorFlow graph",
    "CuPy",
    "TensorFlow loop",
    "PyTorch",
)


@judge("ml-package-backends")
def package_backends(survey):
    on_processor = survey["tensorflow"]["computes on the processor"]
    return Quantity.share_of(
        [on_processor, *map(bool, builds.for_cuda().values())]
    )


@judge("pytorch-port-steps")
def steps_needed(left_out):
    needed = port_steps.needed(left_out)
    return Quantity.share(len(needed), len(port_steps.STEPS))


@judge("cupy-port-steps")
def cupy_steps(swapped, shots):
    assert all(z_score(one["pi"], shots) < 5 for one in swapped.values())
    return Quantity.exact(
        sum(len(one["refused"]) for one in swapped.values())
    )


@judge("ml-packages-as-numpy-accelerators")
def accelerators(answers, shots):
    return Quantity.share_of(
        [z_score(pi, shots) < 5 for pi in answers.values()]
    )


@judge("tensor-device-block")
def device_block(landed, survey):
    if not survey["tensorflow"]["computes on a GPU"]:
        return unmeasured()
    return Quantity.share_of(
        [place == "GPU:0" for place in landed["soft placement"]]
    )


@judge("tensor-copy-calls")
def copy_calls(trips):
    return Quantity.share_of(
        [trips[name][0] for name in SLIDE_34 if name in trips]
    )


@expect
def some_share(trips):
    same = [same for same, *_ in trips.values()]
    return same, len({into for _, into, _ in trips.values()}) == 2


@judge("tensor-buffer-and-dlpack")
def dlpack(shared):
    return Quantity.share_of(shared.values())


@judge("tensor-is-a-bridge")
def is_a_bridge(bridge):
    return Quantity.share_of(bridge.values())


def gain(times, shots):
    return {
        name: times.ratio("NumPy", name, shots) for name in times.names[1:]
    }


@figure(x="speed over NumPy", reference=1)
def headline(gain):
    return gain


@figure(x="shots")
def ways_figure(times):
    return times


@expect
def xla_alone(gain):
    alone = tensor_variants.TALK, "PyTorch", "TensorFlow eager"
    return [gain[k] < 1.2 for k in alone], gain["TensorFlow XLA"] > 1.25


@judge("pytorch-cpu-against-numpy")
def talk(times, shots):
    """Shorter ones, with count_nonzero: {gain[PyTorch].about}."""
    return times.ratio(tensor_variants.BASE, tensor_variants.TALK, shots)


def to_compile(first):
    return Quantity.exact(first, "s")


def earned(times, to_compile, shots):
    """Return how many compiled calls earn the first one back."""
    eager = times.seconds("PyTorch", shots)
    spared = eager - times.seconds("PyTorch, compiled", shots)
    return (to_compile / spared).named("")


def by_compile(times, sizes):
    return {n: times.ratio("PyTorch", "PyTorch, compiled", n) for n in sizes}


def at_each(by_compile):
    return ", ".join(f"{q.about} at {n:,}" for n, q in by_compile.items())


def gain_from(times):
    size = ahead_from(times, "PyTorch", "PyTorch, compiled")
    return f"from {size:,} shots on" if size else "at no size"


@answer("torch-compile-from-which-size")
def compile_from_which_size(by_compile, sizes, shots):
    """For certain {gain_from}, of those measured, for the page's π on the
    processor. Compiled it is so many times as fast as eager PyTorch:
    {at_each} shots, and it draws by another generator. The first call takes
    {to_compile.about}, which {earned.about} calls of {shots:,} shots earn
    back.
    """
    return by_compile[sizes[0]] < 1, by_compile[shots] > 1


def more(parts):
    return {
        part: parts.ratio(f"{part}, one", f"{part}, all")
        for part in ("draw", "compute")
    }


@figure(x="times as fast with all threads", reference=1)
def parts_figure(more):
    """What {threads} threads gain over one."""
    return more


def drawing(parts):
    return 2 * parts.ratio("draw, all", "compute, all")


def graph_then(old_ones):
    return old_ones.ratio("NumPy", "graph")


def eager_then(old_ones):
    return old_ones.ratio("NumPy", "eager")


def graph_now(new_ones):
    return new_ones.ratio("NumPy", "graph")


@judge("tensor-roles-of-packages")
def roles_of_packages(graph_then, eager_then):
    """the graph of TensorFlow 1.9 is {graph_then.as_speed} slide 18's NumPy
    of its time, and eagerly it is {eager_then.as_speed} it. Today's graph is
    {graph_now.as_speed} NumPy.
    """
    modes = Quantity.held([graph_then > 1, eager_then > 1])
    if modes.value in (0, 1):
        return modes
    return unmeasured("needs the mode that the slide means")


@figure(x="shots")
def device_figure(by_group):
    return by_group["device"]


@figure(x="shots")
def launches_figure(by_group):
    return by_group["launches"]


@figure(x="shots")
def loops_figure(by_group):
    return by_group["loops"]


@figure(x="shots")
def placement_figure(by_group):
    return by_group["placement"]


@figure(x="shots")
def fed_figure(by_group):
    return by_group["fed"]


@table
def bytes_held(memory):
    """Bytes of the device that a library holds."""
    return memory


def best_on_device(device_figure):
    most = device_figure.sizes()[-1]
    on_cpu = "NumPy", "TensorFlow graph, CPU"
    ways = [k for k in device_figure.names if k not in on_cpu]
    gains = [device_figure.ratio("NumPy", k, most) for k in ways]
    return max(gains, key=lambda q: q.value)


def replay(launches_figure, device_figure):
    least = device_figure.sizes()[0]
    return launches_figure.ratio("PyTorch", "PyTorch, captured", least)


def raw(launches_figure, device_figure):
    most = device_figure.sizes()[-1]
    return launches_figure.ratio("CuPy", "CuPy, raw kernel", most)


@table
def speeds_there(by_group, shots, replay=None, raw=None):
    """Speed on a device."""
    fed = by_group["fed"]
    speeds = {
        "a replayed CUDA graph over PyTorch's calls, at the smallest size, "
        "where launches are all there is": replay,
        "a kernel of one's own over CuPy's operations, at the largest, where "
        "memory decides": raw,
        "a graph that is fed by NumPy, over NumPy's program of the first "
        "talk": fed.ratio("NumPy", "fed", shots),
        "one that draws on the device, over the same": fed.ratio(
            "NumPy", "drawn", shots
        ),
    }
    return [
        {"on a device": what, "speed": speed.short}
        for what, speed in speeds.items()
        if speed
    ] or Missing(NOWHERE)


def at(device_figure, shots, loops_figure=None):
    """Return {variant: seconds on a device, or by it beside}."""
    took = {k: device_figure.seconds(k, shots) for k in device_figure.names}
    loop = "TensorFlow loop"
    if loops_figure is not None and loop in loops_figure.names:
        turns = loops_figure.seconds(loop, shots)
        took[loop] = turns / tensor_variants.LOOP
    return took


def _in_order(at, order, times):
    lacks = [k for k in order if k not in at]
    if lacks:
        return unmeasured(f"no GPU in one environment for {', '.join(lacks)}")
    return times.derived(tensor_trials.in_order(at, list(order)))


@judge("cuda-four-packages")
def four_packages(at, device_figure):
    return _in_order(at, FOUR, device_figure)


@judge("ml-ranking")
def ranking(at, device_figure):
    return _in_order(at, RANKED, device_figure)


@judge("pytorch-implicit-device-is-fast")
def implicit_device(by_group, shots):
    return by_group["placement"].ratio("made here", "made there", shots)


@judge("feed-dict-collapses-gpu-gain")
def fed_gain(by_group, shots):
    return by_group["fed"].ratio("fed", "drawn", shots)
