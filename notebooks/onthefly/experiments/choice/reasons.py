"""Which way of a problem is the fastest, and why it is no faster."""

from collections.abc import Callable
from dataclasses import dataclass

from onthefly.figures.findings import leader


@dataclass(frozen=True)
class Reason:
    """A cause, as a pair of `pairs` shows it.

    short   what is concluded, in a few words
    says    the same, a sentence without its full stop; {ratio} is how many
            times as long the first takes as the second, {speed} how much
            faster the second is
    holds   function of the ratio, a Quantity: the Comparison that must hold
    page    slug of the page that says more
    """

    short: str
    says: str
    holds: Callable
    page: str

    def ratio(self, times):
        """Return how many times as long the first takes as the second.

        times  Timings of the pair
        """
        slow, fast = times.names
        return times.ratio(slow, fast)

    def sentence(self, times):
        """Return the conclusion with its number.

        times  Timings of the pair
        """
        ratio = self.ratio(times)
        return self.says.format(ratio=ratio, speed=ratio.as_speed)


REASONS = {
    "pi": Reason(
        "the random numbers are most of the work",
        "The random numbers are most of the work: all of it takes {ratio} as "
        "long as NumPy's two draws alone",
        lambda ratio: ratio < 2,
        "all-the-ways",
    ),
    "polynomial": Reason(
        "moving the numbers sets the pace",
        "Moving the numbers sets the pace, not computing: a mere copy into a "
        "new array is {speed} the compiled loop",
        lambda ratio: ratio < 2,
        "the-roof",
    ),
    "dot": Reason(
        "a long sum is no faster than one whose numbers stay in the cache",
        "np.dot of as many numbers that stay in the cache is {speed} np.dot "
        "of long arrays: what it gains is memory's",
        lambda ratio: ratio > 0.9,
        "the-roof",
    ),
    "filter": Reason(
        "each element waits for the one before",
        "Each element waits for the one before: the same loop without the "
        "chain is {speed} with it",
        lambda ratio: ratio > 1.2,
        "what-kind-of-loop",
    ),
    "stencil": Reason(
        "operations on whole arrays walk through memory once more each",
        "Each operation on whole arrays walks through memory once more: it "
        "takes {ratio} as long as one loop that does all of them",
        lambda ratio: ratio > 1.2,
        "case-the-jump",
    ),
    "histogram": Reason(
        "each count waits for its own place in memory",
        "Each count waits for its own place in memory: with the same numbers "
        "sorted, the loop is {speed} before",
        lambda ratio: ratio > 1.2,
        "what-kind-of-loop",
    ),
    "collatz": Reason(
        "each step is several passes over all elements that are left",
        "For whole arrays each step is several passes over all elements that "
        "are left: they take {ratio} as long as a loop in which each element "
        "is followed to its end",
        lambda ratio: ratio > 2,
        "what-kind-of-loop",
    ),
    "words": Reason(
        "more than a quarter of the time goes into making the strings",
        "Before a word can be counted it has to be a string: all of it takes "
        "{ratio} as long as cutting the text alone",
        lambda ratio: ratio < 4,
        "what-kind-of-loop",
    ),
}


def fastest(times, size):
    """Return (variant, size): what is ahead, or None where none is for sure.

    times  Timings of a problem
    size   where no two variants met, the largest below at which some did
    """
    for at in sorted((n for n in times.sizes() if n <= size), reverse=True):
        met = [v for v in times.names if at in times.sizes(v)]
        if len(met) > 1:
            break
    return leader({v: times.seconds(v, at) for v in met}, "less"), at
