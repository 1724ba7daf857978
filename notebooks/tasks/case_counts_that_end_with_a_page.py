"""What *Why did threads miscount an array of ones?* concludes."""

from onthefly.experiments.gil import count_standalone as counting
from onthefly.experiments.gil import other_pythons
from onthefly.measure.quantity import Quantity
from onthefly.page import expect, figure, judge, table
from onthefly.page.verdicts import unmeasured


def rest(printed):
    rests = {count % 512 for count in printed.values()}
    return " or ".join(map(str, sorted(rests)))


@table
def listed(printed):
    """Counts that the slide prints"""
    return [
        {"size": f"{size:,}", "printed count": f"{count:,}"}
        for size, count in printed.items()
    ]


def wrong(wide, listing, listing_2018, as_large):
    """Return {kind of array: (wrong counts, counts)}."""
    runs = [*wide, *listing, *listing_2018, *as_large.values()]
    kinds = {k: [k] for k in wide[0]} | {"all": wide[0]}
    return {k: counting.wrong_of(runs, some) for k, some in kinds.items()}


def lost(wrong):
    return {k: Quantity.share(*pair) for k, pair in wrong.items()}


def right(wrong):
    return {k: Quantity.share(c - w, c) for k, (w, c) in wrong.items()}


def _shares(tried):
    """Return {name: share of wrong counts} of {name: what was counted}."""
    return {
        k: Quantity.share(v["wrong"], v["counts"]) for k, v in tried.items()
    }


def in_25(wide, listing, listing_2018, as_large):
    """Return the wrong counts of the listing's sizes, now and then."""
    found = {"now": [*listing, as_large["now"]]}
    if "then" in as_large:
        found["then"] = [*listing_2018, as_large["then"]]
    return {
        when: Quantity.share(*counting.wrong_of(some, wide[0]))
        for when, some in found.items()
    }


def then_too(in_25):
    then = in_25.get("then")
    return f", and {then.note} with the NumPy of 2018" if then else ""


def _on_a_bench(in_25, lost, outcome):
    """Return what judges, if a count is wrong: by the talk that depends."""
    if lost["float"].value or any(q.value for q in in_25.values()):
        return outcome
    return unmeasured(
        "needs a machine on which counts go wrong, as the talk's"
    )


@judge("count-loses-elements")
def loses_elements(as_large, in_25, lost):
    """In 25 threads {in_25[now].note} counts are wrong by today's NumPy."""
    ones = _shares({k: one["float"] for k, one in as_large.items()})
    return _on_a_bench(in_25, lost, (ones.get("then"), ones["now"]))


@judge("rng-count-loses-nothing")
def rng_loses_nothing(right, in_25, lost):
    """After random numbers {right[after rand].note} counts are right."""
    return _on_a_bench(in_25, lost, right["after rand"])


@judge("count-listing-output")
def listing_output(listing, listing_2018, in_25, lost):
    def as_printed(found):
        same = [
            bool(counts[k]["wrong"]) == (k == "float")
            for counts in found
            for k in ("float", "after rand")
        ]
        return Quantity.share_of(same) if found else None

    by_both = as_printed(listing_2018), as_printed(listing)
    return _on_a_bench(in_25, lost, by_both)


@judge("gil-safety-unpredictable")
def safety_unpredictable(in_25, lost):
    return _on_a_bench(in_25, lost, (in_25.get("then"), in_25["now"]))


@judge("count-safe-on-atom")
def safe_on_atom(book, right):
    """On this processor {right[all].note} counts are right."""
    atom = "N3150" in book.machine["cpu"]
    return right["all"] if atom else unmeasured("needs an Atom N3150")


def _minor(name):
    """Return the second number of an interpreter's version."""
    return int(name.split(".")[1])


def _wrong_totals(loops, kind, names):
    """Return the share of wrong totals of one kind of counter."""
    totals = [v for k in names for x, v in loops[k].items() if kind in x]
    runs = sum(v["runs"] for v in totals)
    return Quantity.share(sum(v["wrong"] for v in totals), runs)


def wrong_totals(loops):
    return {k: _wrong_totals(loops, k, loops) for k in ("local", "shared")}


@table
def totals(loops):
    """Wrong totals of eight threads"""
    return [
        {"Python": name}
        | {k: f"{v['wrong']} of {v['runs']}" for k, v in totals.items()}
        for name, totals in loops.items()
    ]


@judge("numpy-eight-threads-gil-error")
def eight_threads_gil_error(loops):
    then = [name for name in loops if _minor(name) < 8]
    today = _wrong_totals(loops, "local", set(loops) - set(then))
    return _wrong_totals(loops, "local", then) if then else None, today


@expect
def shared_loses(wrong_totals, loops):
    loses = any("free-threaded" in n or _minor(n) < 10 for n in loops)
    return wrong_totals["shared"] > 0 if loses else None


def histograms(own_missed, shared_missed):
    """Return the shares of runs that lost something."""
    runs = {"own": own_missed, "shared": shared_missed}
    return {
        k: Quantity.share(sum(map(bool, missed)), len(missed))
        for k, missed in runs.items()
    }


@judge("gil-guards-intervals-not-accesses")
def guards_intervals():
    """With nopython, which the diagram calls guaranteed, and the GIL released
    {histograms[own].note} runs lost updates of local arrays, and
    {histograms[shared].note} of a shared one.
    """
    return unmeasured(
        "needs a Numba that releases the GIL without nopython, where the "
        "diagram has Python's objects; today's does not (“Which NumPy "
        "functions release the GIL?”), and 0.38 was not asked"
    )


def ends(new, used, begins):
    """Return {memory: {Python: unfinished counts that end with a page}}."""
    return {
        memory: {
            k: other_pythons.whole_pages(counts[k], begins[k]) for k in begins
        }
        for memory, counts in (("new", new), ("used before", used))
    }


@expect
def most_of_new_memory(ends):
    return (
        [q > 0.5 for q in ends["new"].values()],
        [q < 0.5 for q in ends["used before"].values()],
    )


@figure(x="early counts that stop at the end of a page")
def headline(ends):
    called = {"new": "new memory", "used before": "used memory"}
    return {
        f"Python {name.split(',')[0]}, {called[memory]}": q
        for memory, shares in ends.items()
        for name, q in shares.items()
    }


def spoiled(reuse):
    return _shares(reuse)


@table
def reused(reuse, spoiled):
    """Counts in a buffer of 300,000 numbers, in eight threads"""
    return [
        {
            "memory": k.replace("a thread", "for each thread"),
            "wrong": spoiled[k].note,
            "counts, for example": ", ".join(
                f"{c:,}" for _, c in v["seen"][:3]
            ),
        }
        for k, v in reuse.items()
    ]


@judge("apply-forced-nogil-functions")
def apply_forced_nogil(lost):
    """In one buffer that threads share, of which the talk does not speak,
    NumPy's count is wrong in {spoiled[one buffer].note}, a nogil one in
    {spoiled[one buffer, nogil].note}.
    """
    if lost["float"] > 0:
        return lost["nogil"]
    return unmeasured(
        "needs wrong counts to remedy: in the talk's own test none is wrong"
    )
