"""What *Two workers, one model* concludes."""

from onthefly.measure.quantity import Quantity
from onthefly.page import expect, judge, table


def _as_specified(stops, far, steps, tolerance):
    """Return the share of: the hook stops, and the weights are the same."""
    stopped = all(at == steps for at in stops)
    return Quantity.share_of([stopped, *(each < tolerance for each in far)])


def spec_then(ends_then, steps, tolerance):
    stops, far = zip(*ends_then.values(), strict=True)
    return _as_specified(stops, far, steps, tolerance)


@judge("train-distributed-same-spec")
def same_spec(stopped, there, far, steps, tolerance, spec_then=None):
    today = _as_specified([stopped, there], far, steps, tolerance)
    return spec_then, today


def price(times, few, many):
    ways = "two processes", "one process"
    return {n: times.ratio(*ways, n) for n in (few, many)}


def extra(times, few, many):
    """Return by how much a step of two processes is longer."""
    return {
        n: times.seconds("two processes", n) - times.seconds("one process", n)
        for n in (few, many)
    }


def cells(twice, place, total, on_two, tolerance):
    """Return of three cells of the table whether they are as printed."""
    no_cluster = "job:worker" not in place or total != 3
    return [twice == 42, no_cluster, not on_two < tolerance]


@expect
def only_interactive(cells):
    return cells == [True, False, False]


@expect
def all_lacked(lacked):
    refused = lacked["operation on a server"], lacked["monitored session"]
    return [lacked["interactive"] == 42, all(refused), bool(lacked["towers"])]


@judge("eager-lacks-multi-gpu-and-cluster")
def eager_lacks(cells, all_lacked=None):
    return all_lacked and Quantity.share_of(all_lacked), Quantity.share_of(
        cells
    )


@table
def successors(places):
    """Names of 2017."""
    return places
