"""What *Why does NumPy slow down when arrays grow?* concludes."""

from onthefly.figures import plots
from onthefly.page import answer, expect, figure, table

BYTES_A_SHOT = 4 * 8


def rise(seen):
    of_10_000 = 10 * seen.seconds("hits", 10_000)
    return seen.seconds("hits", 100_000) / of_10_000


@figure
def seen_figure(seen, book, shots):
    """The lines mark where the four arrays of a call fill a cache. The
    slowdown turns out to have another cause.
    """
    caches = book.machine["caches"]
    full = {k: size // BYTES_A_SHOT for k, size in caches.items()}
    inside = {k: n for k, n in full.items() if shots[0] < n < shots[-1]}
    marks = [(n, f"four arrays fill {k}") for k, n in inside.items()]
    return plots.chart(seen, per="shot", x="shots in a call", marks=marks)


def pages(shots, page):
    return {n: BYTES_A_SHOT * n // page for n in (*shots, 10**6)}


def fetched(faults, pages):
    """Return the share of its pages that is new at each call."""
    return faults[100_000] / pages[100_000]


def faults_take(price):
    return price.seconds("alone", 100_000)


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
def cures_figure(cures):
    """Without a remedy, a shot takes longer in large calls. (The environment
    variable is not drawn.)
    """
    return {
        k: {n: cures.seconds(k, n) / n for n in cures.sizes(k)}
        for k in cures.names[:3]
    }


@expect
def flat(cures):
    _, *others = cures.names
    return [
        cures.seconds(k, 100_000) / (10 * cures.seconds(k, 10_000)) < 1.3
        for k in others
    ]


def new_pages(versions):
    """Return {shots: page faults of a call, by each version}."""
    return {
        n: [versions.count("page faults", k, n) for k in versions.names]
        for n in (10**5, 10**6)
    }


@table
def jump_by_version(versions, new_pages):
    """The slowdown by version of NumPy."""
    return [
        {
            "NumPy": name,
            "time a shot, 10,000 shots": versions.seconds(name, 10_000)
            / 10_000,
            "100,000 shots": versions.seconds(name, 10**5) / 10**5,
            "page faults, 100,000 shots": new_pages[10**5][k],
            "1,000,000 shots": new_pages[10**6][k],
        }
        for k, name in enumerate(versions.names)
    ]


@expect
def all_fetch(new_pages, pages):
    return [q / pages[10**5] > 0.5 for q in new_pages[10**5]]


def since(versions, new_pages, pages):
    each = zip(versions.names, new_pages[10**6], strict=True)
    saving = (name for name, q in each if q < 0.7 * pages[10**6])
    return next(saving, "none of them")


@expect
def huge_pages(new_pages, pages):
    first, *_, last = (q / pages[10**6] for q in new_pages[10**6])
    return first > 0.8, last < 0.7, new_pages[10**6][-1] > 100


@answer("the-jump")
def the_jump(rise, share, gain):
    """Make the arrays once and reuse them: at 100,000 elements this page's
    example is then {gain[arrays made once].about} faster, and in pieces of
    10,000 it is {gain[pieces of 10,000].about} faster. Otherwise the C
    library returns their memory to the system after each call, and the
    system must supply it anew for the next call, page by page.
    """
    cured = gain["arrays made once"], gain["pieces of 10,000"]
    return rise > 1.3, share > 0.6, [q > 1.3 for q in cured]
