"""What *Does it pay to port NumPy code to a tensor library?* concludes."""

from onthefly.experiments.gpu import (
    port_steps,
    tensor_trials,
    tensor_variants,
)
from onthefly.experiments.history import builds
from onthefly.experiments.numba.rested import ahead_from
from onthefly.kernels import z_score
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, judge
from onthefly.page.verdicts import unmeasured

SLIDE_34 = (
    "convert_to_tensor, .numpy",
    "tensor, .cpu().numpy",
    "array, asnumpy",
)
FOUR = "TensorFlow eager", "TensorFlow graph", "CuPy", "PyTorch"
EAGER = "PyTorch", "TensorFlow eager", "TensorFlow graph"
SHOWN = (*EAGER, "PyTorch, compiled", "TensorFlow XLA")
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
    """A million points by each program on the CPU."""
    return {name: gain[name] for name in SHOWN}


@figure(x="points", y="time of a call")
def ways_figure(times):
    return {
        name: {n: times.seconds(name, n) for n in times.sizes(name)}
        for name in ("NumPy", *SHOWN)
    }


@expect
def none_gains(gain):
    return [gain[name] < 1.2 for name in EAGER]


@expect
def compilers_gain(gain, none_gains):
    compiled = gain["TensorFlow XLA"], gain["PyTorch, compiled"]
    return none_gains, [q > 1 for q in compiled]


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


def gain_from(times):
    size = ahead_from(times, "PyTorch", "PyTorch, compiled")
    return f"from {size:,} points on" if size else "at no size"


@answer("torch-compile-from-which-size")
def compile_from_which_size(by_compile, sizes, shots):
    """Compile functions that work on large arrays and are called often. Of
    the sizes that we measured, the page's π on the CPU gains {gain_from}, and
    {earned.about} such calls pay back the compiling.
    """
    return by_compile[sizes[0]] < 1, by_compile[shots] > 1


def more(parts):
    return {
        part: parts.ratio(f"{part}, one", f"{part}, all")
        for part in ("draw", "compute")
    }


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


@figure(x="points")
def device_figure(by_group):
    return by_group["device"]


@figure(x="points")
def launches_figure(by_group):
    return by_group["launches"]


@figure(x="points")
def loops_figure(by_group):
    return by_group["loops"]


@figure(x="points")
def placement_figure(by_group):
    return by_group["placement"]


@figure(x="points")
def fed_figure(by_group):
    return by_group["fed"]


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
