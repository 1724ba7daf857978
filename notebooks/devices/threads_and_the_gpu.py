"""What *Do more Python threads keep a GPU busier?* concludes."""

from onthefly import figures
from onthefly.experiments.gpu import device_calls, spin_trials
from onthefly.experiments.history import builds
from onthefly.measure import nogil
from onthefly.measure.models import root_mean_square
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, judge, table

# CuPy's shared generators, whose kernels may read a state that is not yet
# written.
UNORDERED = "CuPy, shared, own streams", "CuPy Generator, shared, own streams"
LAUNCH, GRAPH = "CuPy, launch", f"CuPy, graph of {device_calls.GRAPH}"


def gain(reports):
    return {name: report.speedups[2] for name, report in reports.items()}


def one_time(in_threads, short):
    return in_threads.seconds(short, 1)


def long_time(in_threads, long):
    return in_threads.seconds(long, 1)


@figure(x="calls of two threads over one", reference=1)
def headline(gain):
    """What two threads gain on the CPU, by the call."""
    return dict(sorted(gain.items(), key=lambda pair: -pair[1].value))


def lets_go_by_source():
    """Return {function of CUDA: whether CuPy releases the GIL there}."""
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
    """How often the witness gets the GIL during a call."""
    return witnessed


@expect
def torch_lets_go(witnessed):
    holding = [row["call"] for row in witnessed if not row["hand-overs"]]
    return not any(name.startswith("torch") for name in holding)


def speeds(asked):
    """Return {call: {N: the calls of N threads over those of one}}."""
    return {
        name: {n: n * _gained(asked, name, n) for n in asked.sizes(name)}
        for name in asked.names
    }


def _gained(asked, name, threads):
    return asked.seconds(name, 1) / asked.seconds(name, threads)


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
            "gain of eight threads": speeds[name][8],
        }
        for name in asked.names
    ]


@judge("cupy-full-nogil-question")
def at_four(asked):
    own, other = (_gained(asked, k, 4) for k in ("CuPy, π", nogil.FREE))
    return (own / other).named("%")


@answer("threads-and-a-gpu")
def threads_and_a_gpu(gain, short, long, saved):
    """Hardly, so hand over less often: handing work over is mostly Python
    code, which runs one thread at a time. On the CPU, two threads make no
    more calls of PyTorch than one where a call takes {one_time.about}, while
    one call for twenty numbers is {saved.about} faster than twenty calls.
    """
    return gain[short] < 1.2, gain[long] > 1, saved > 5


def on_host(host):
    return spin_trials.told(host)


@figure(alt="when each kernel ran, with the GIL held and with it released")
def host_spans_figure(host):
    """Two threads with a kernel each, on the CPU."""
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
    """Four threads with a kernel each, on the GPU."""
    x = "time after the first begin"
    return figures.spans(spin_trials.bars(spins), x=x)


@table
def of_four_threads(on_streams):
    """Kernels of four threads."""
    return [
        {
            "stream": way,
            "pairs at once": share,
            "time of all over that of one": whole,
        }
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


@figure
def law_figure(lines):
    return figures.lines(
        {name: law.errors for name, law in lines.items()},
        x="shots N",
        y="relative error of π, root mean square",
        fits={name: law.fit for name, law in lines.items()},
    )


@table
def laws(lines):
    """The error law of eight threads."""
    return [
        {
            "generator": name,
            "exponent b": law.fit["b"],
            "error over that of independent points": law.height,
        }
        for name, law in lines.items()
    ]


@expect
def all_straight(lines):
    slopes = [law.fit["b"] for law in lines.values()]
    return [(b > -0.7, b < -0.3) for b in slopes]


@table
def numbers(tests, draw_trials):
    """Eight threads draw on the CPU."""
    return [draw_trials.row(name, trial) for name, trial in tests.items()]


@expect
def repeats(raced):
    return raced["before"] > 0 or None  # a race need not happen


@table
def device_draws(drawn):
    """Eight threads draw on a GPU."""
    return drawn


def before_by(drawn):
    return {row["way"]: row["drawn before"] for row in drawn}


@expect
def two_ways(before_by):
    return [
        (n > 2 or None) if way in UNORDERED else n <= 2
        for way, n in before_by.items()
    ]


@judge("cupy-streams-share-one-state")
def streams_share_one_state(before_by, many):
    """Chance repeats about {drawn[0][by chance, about]}; on the null stream
    {before_by[CuPy, shared, null stream]} were repeated, by PyTorch on own
    streams {before_by[torch, shared, own streams]}.
    """
    return Quantity.share(before_by["CuPy, shared, own streams"], 64 * many)


@judge("cupy-eight-threads-keep-error-law")
def keep_error_law(deviations):
    return root_mean_square(deviations).named("×")
