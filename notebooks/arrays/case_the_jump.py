"""What *The jump* concludes."""

from onthefly.figures import plots
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, figure, table

BYTES_A_SHOT = 4 * 8


def rise(seen):
    of_10_000 = 10 * seen.seconds("hits", 10_000)
    return seen.seconds("hits", 100_000) / of_10_000


def full(book):
    """Return {cache: shots whose four arrays fill it}."""
    caches = book.machine["caches"]
    return {k: size // BYTES_A_SHOT for k, size in caches.items()}


def fills(full):
    filled = ", ".join(f"{n:,} shots ({k})" for k, n in full.items())
    return filled or "sizes that the system does not tell"


@figure
def seen_figure(seen, full, shots):
    inside = {k: n for k, n in full.items() if shots[0] < n < shots[-1]}
    marks = [(n, f"four arrays fill {k}") for k, n in inside.items()]
    return plots.chart(seen, per="shot", x="shots in a call", marks=marks)


def pages(shots, page):
    return {n: BYTES_A_SHOT * n // page for n in (*shots, 10**6)}


def fetched(faults, pages):
    """Return {shots: share of their pages that is new at each call}."""
    return {n: q / pages[n] for n, q in faults.items()}


def counts(moved):
    return {
        name: {n: moved.count("page faults", name, n) for n in moved.sizes()}
        for name in moved.names
    }


def as_predicted(lengths, counts, page):
    return [
        q / (BYTES_A_SHOT * n / page) > 0.8 if n > k / 2 else q < 5
        for k, by_size in zip(lengths, counts.values(), strict=True)
        for n, q in by_size.items()
    ]


@figure(
    x="shots in a call",
    y="page faults a call",
    logx=False,
    logy=False,
    marks=[(100_000, ""), (200_000, "")],
)
def moved_figure(counts):
    """Page faults begin at half the length that was dropped (dotted)."""
    return counts


def gain(cures):
    every, *others = cures.names
    return {k: cures.ratio(every, k, 100_000) for k in others}


@figure(x="shots in a call", y="time a shot", time="y", logy=False)
def headline(cures):
    return {
        k: {n: cures.seconds(k, n) / n for n in cures.sizes(k)}
        for k in cures.names[:3]
    }


@figure(x="times as fast, at 100,000 shots", reference=1)
def cures_figure(gain):
    """Against arrays that are made in every call."""
    return gain


def new_pages(versions):
    """Return {shots: page faults of a call, by each version}."""
    return {
        n: [versions.count("page faults", k, n) for k in versions.names]
        for n in (10**5, 10**6)
    }


@table
def jump_by_version(versions, new_pages):
    """The jump by version of NumPy."""
    return [
        {
            "NumPy": name,
            "a shot, of 10,000": versions.seconds(name, 10_000) / 10_000,
            "of 100,000": versions.seconds(name, 10**5) / 10**5,
            "page faults, 100,000 shots": new_pages[10**5][k],
            "1,000,000 shots": new_pages[10**6][k],
        }
        for k, name in enumerate(versions.names)
    ]


def jumping(new_pages, pages):
    return Quantity.held(q / pages[10**5] > 0.5 for q in new_pages[10**5])


def jumpers(jumping, versions):
    every = len(versions.names)
    return f"all {every}" if jumping.value == 1 else jumping.note


def since(versions, new_pages, pages):
    each = zip(versions.names, new_pages[10**6], strict=True)
    saving = (name for name, q in each if q < 0.7 * pages[10**6])
    return next(saving, "none of them")


def begins(fetched):
    return min((n for n, q in fetched.items() if q > 0.5), default=10**5)


@answer("the-jump")
def the_jump(rise, share, gain):
    """Their memory goes back to the system after each call and is fetched
    again, page by page, in the next: by NumPy
    {book.machine[packages][numpy]}, in a process that does nothing else, a
    shot of π costs {rise.about} as much in a call of 100,000 as in one of
    10,000. The page faults are there from {begins:,} shots on, and in
    {jumpers} versions tried, but not in a process that has dropped a larger
    array before. Arrays made once are {gain[arrays made once].as_speed}
    arrays made in every call, pieces of 10,000
    {gain[pieces of 10,000].as_speed} them.
    """
    cured = gain["arrays made once"], gain["pieces of 10,000"]
    return rise > 1.3, share > 0.6, [q > 1.3 for q in cured]
