"""What *Why was TensorFlow faster than NumPy?* concludes."""

from onthefly import figures
from onthefly.measure.quantity import Quantity
from onthefly.page import figure, judge, unresolved
from onthefly.page.verdicts import unmeasured


def factor(seen, many):
    return seen.ratio("NumPy", "TensorFlow", many)


def wide(vector):
    return vector.ratio("XLA, SSE 4.2", "XLA, all")


def where(full, reached):
    return (
        f"at {full / 1e6:.1f} million shots"
        if reached
        else "not known, or out of reach"
    )


def rise(caches):
    half, twice = caches.sizes()
    return {
        name: (caches.seconds(name, twice) / twice)
        / (caches.seconds(name, half) / half)
        for name in caches.names
    }


@judge("eager-cpu-array-fits-l3")
def array_fits():
    return unmeasured("what the mark says is lost")


@judge("eager-favours-multicore")
def gain(pooled):
    """{busy:.2f} cores work at once."""
    return pooled.ratio("1 thread", "2 threads")


@figure(x="how much faster TensorFlow is with it", reference=1)
def suspects_figure(factor, wide, gain):
    """What each suspect gains, below the factor to be explained."""
    return {
        "to be explained": factor,
        "wide instructions (XLA)": wide,
        "a second thread": gain,
    }


@judge("port-edit-count")
def edit_count():
    return unmeasured("what the numbers count is lost")


@judge("tf-port-steps")
def port_steps(failures, listing_steps):
    return Quantity.exact(len(listing_steps.needed(failures)))


def gains(split):
    """Return how many times faster than TensorFlow each NumPy program is."""
    return {
        name: split.ratio("TensorFlow, eager", name)
        for name in split.names
        if name.startswith("NumPy")
    }


def listed(split):
    return split.ratio("the list alone", "NumPy, as in the talk").named("%")


@figure
def parts_figure(split, lines):
    times = {name: split.seconds(name) for name in lines}
    chart = figures.bars(times, x="time at a million shots")
    chart.figure.axes[0].locator_params(axis="x", nbins=5)
    return chart


def later(doubles):
    return doubles.ratio("NumPy", "eager")


def then_later(old):
    return old.ratio("NumPy", "eager")


def graph(doubles):
    return doubles.ratio("NumPy", "graph")


def then_graph(old):
    return old.ratio("NumPy", "graph")


@judge("tf-cpu-against-numpy")
def cpu_against_numpy(later, then_later=None):
    """As a graph TensorFlow 1.9 is {then_graph.as_speed} NumPy, today's
    {graph.as_speed} it.
    """
    return then_later, later


@judge("tf-cpu-eight-cores-simd-question")
def eight_cores(then_later, old, doubles, listings):
    ahead = "eager" if then_later > 1 else "graph"
    parts = [listings.threads_part(times, ahead) for times in (old, doubles)]
    return tuple(parts) if any(parts) else unresolved("no gain is resolved")
