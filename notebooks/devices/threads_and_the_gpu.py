"""What *Threads and the GPU* concludes."""

from onthefly import figures
from onthefly.experiments.gpu import device_calls, enqueue, spin_trials
from onthefly.experiments.history import builds
from onthefly.measure import nogil
from onthefly.page import answer, expect, figure, judge, table

LAUNCH, GRAPH = "CuPy, launch", f"CuPy, graph of {device_calls.GRAPH}"


def _both_ends(queue):
    return {
        "late": queue.ratio(enqueue.DONE, enqueue.RETURNED, 1),
        "gain": enqueue.gain(queue, enqueue.DONE, 8),
    }


def of_a_thread(queue):
    return _both_ends(queue)


def of_a_device(handed):
    return _both_ends(handed)


@table
def handed_there(of_a_device):
    """CuPy's count on a device."""
    names = {
        "late": "one thread: the end over the return",
        "gain": "speed of eight threads over one",
    }
    return [
        {"on a device": name, "": of_a_device[end].short}
        for end, name in names.items()
    ]


def gain(reports):
    return {name: report.speedups[2] for name, report in reports.items()}


def one_time(in_threads, short):
    return in_threads.seconds(short, 1)


def long_time(in_threads, long):
    return in_threads.seconds(long, 1)


def a_second(in_threads, short):
    return {n: enqueue.rate(in_threads, short, n) for n in (1, 2)}


@figure(x="calls of two threads over one", reference=1)
def headline(gain):
    return dict(sorted(gain.items(), key=lambda pair: -pair[1].value))


def lets_go_by_source():
    """Return {function of CUDA: whether CuPy lets go there}."""
    return builds.calls()


@expect
def held_in_draws(lets_go_by_source):
    free = ("LaunchKernel", "daMemcpyAsync", "daStreamSynchronize")
    drawing = "curandGenerate"
    return (
        [lets_go_by_source[f"cu{name}"] for name in free],
        [
            not v
            for k, v in lets_go_by_source.items()
            if k.startswith(drawing)
        ],
    )


@table
def hand_overs_there(witnessed):
    """Hand-overs on the device."""
    return witnessed


@expect
def torch_lets_go(witnessed):
    holding = [row["call"] for row in witnessed if not row["hand-overs"]]
    return not any(name.startswith("torch") for name in holding)


def speeds(asked):
    return enqueue.gains(asked)


@figure
def launches_figure(speeds, asked):
    shown = [LAUNCH, f"{LAUNCH}, own stream", GRAPH, "CuPy, π", nogil.FREE]
    chosen = {name: speeds[name] for name in shown}
    return figures.speed_against_threads(chosen, max(asked.cores, 1))


@table
def calls_there(asked, speeds):
    """Calls of one thread, and gains of eight."""
    return [
        {
            "call": name,
            "one thread": asked.seconds(name, 1),
            "eight threads make": speeds[name][8],
        }
        for name in asked.names
    ]


def launched(asked):
    return {n: enqueue.rate(asked, LAUNCH, n) for n in (1, 8)}


def by_graph(asked):
    return enqueue.rate(asked, GRAPH, 1, device_calls.GRAPH)


@table
def launches_a_second(launched, by_graph):
    """Launches a second on a device."""
    by = {
        "one thread": launched[1],
        "eight threads": launched[8],
        "one thread, twenty in a graph": by_graph,
    }
    return [{"launches by": k, "": rate.short} for k, rate in by.items()]


@judge("cupy-full-nogil-question")
def at_four(asked):
    return enqueue.beside(asked, "CuPy, π", nogil.FREE, 4)


def on_a_device(speeds=None):
    if speeds is None:
        return "No machine on record can tell what eight threads launch"
    eight = speeds[LAUNCH][8].about
    return f"On a device eight threads launch {eight} as often as one"


@answer("threads-and-a-gpu")
def threads_and_a_gpu(gain, short, long, saved):
    """Hardly: to hand work over is mostly Python's part, which takes turns.
    On the processor two threads make {gain[torch, one number + 1].about} the
    calls of one where a call of PyTorch takes {one_time.about}, and
    {gain[torch.sin].about} where it takes {long_time.about}; one call for
    twenty numbers is {saved.as_speed} twenty, so hand over less often.
    {on_a_device}.
    """
    return gain[short] < 1.2, gain[long] > 1, saved > 5


def on_host(host):
    return spin_trials.told(host)


@figure(alt="when each kernel ran, with the GIL held and with it released")
def host_spans_figure(host):
    """Two threads, a kernel each, on the processor."""
    x = "time after the first begin"
    return figures.spans(spin_trials.bars(host), x=x)


@expect
def kernels_take_turns(on_host):
    (held, held_long), (free, free_long) = on_host.values()
    return held < 0.5, held_long > 1.9, free > 0.5, free_long < 1.5


def on_streams(spins):
    return spin_trials.told(spins)


@figure(alt="when each kernel ran, by kind of stream, as the table counts it")
def device_spans_figure(spins):
    """Four threads, a kernel each, on the device."""
    x = "time after the first begin"
    return figures.spans(spin_trials.bars(spins), x=x)


@table
def of_four_threads(on_streams):
    """Kernels of four threads."""
    return [
        {"stream": way, "pairs at once": share, "all, in times of one": whole}
        for way, (share, whole) in on_streams.items()
    ]


def at_once(on_streams):
    return {way: share for way, (share, _) in on_streams.items()}


@judge("cupy-parallel-in-cuda-question")
def parallel_in_cuda(at_once):
    """With a stream a thread {at_once[own stream].about}, of kernels that
    fill the device {at_once[full device].about}.
    """
    return at_once["null stream"]


@expect
def as_ruled(at_once):
    return (
        at_once["null stream"] < 0.1,
        at_once["own stream"] > 0.5,
        at_once["full device"] < 0.5,
    )
