"""Questions that lead from a loop to a method: the decision tree.

`onthefly choose` asks them, and the book draws them.  The gains are those of
the problem that is most like such a loop.
"""

import dataclasses

from onthefly.predict import prediction

CALL_S = 1e-2  # how long a call of Python's loop takes in what is told


@dataclasses.dataclass(frozen=True)
class Leaf:
    """What to do with a loop.

    take     the method, as an imperative
    code     a line or two of it
    problem  the one of the eight that is most like it
    method   the variant of it whose gain is told
    catch    what to know before
    page     slug of the book's page that has more
    """

    take: str
    code: str
    problem: str
    method: str
    catch: str
    page: str


@dataclasses.dataclass(frozen=True)
class Question:
    """One question, and what to do where the answer is yes."""

    asks: str
    yes: Leaf


QUESTIONS = (
    Question(
        "Does NumPy have one function that does all of it, such as a sum of "
        "products, a product of matrices or a sort?",
        Leaf(
            "Call that function",
            "total = np.dot(x, y)",
            "dot",
            "routine",
            "A list has to become an array first. Not every routine is fast: "
            "SciPy's filters and convolutions are slower than a compiled "
            "loop.",
            "whole-arrays",
        ),
    ),
    Question(
        "Does it work on text or dictionaries?",
        Leaf(
            "Use Python's own C code: Counter, sort, join, a comprehension",
            "counts = collections.Counter(words)",
            "words",
            "routine",
            "Profile first. Numba is slower than Python on text, and fast on "
            "the bytes of a file. For tables of text, take Polars. Processes "
            "help if each reads its own part of a file.",
            "large-text-file",
        ),
    ),
    Question(
        "Does each element need the result of the one before?",
        Leaf(
            "Compile the loop with Numba, on one core",
            "@numba.njit\ndef smooth(x, y): ...",
            "filter",
            "Numba",
            "More cores help only if you have several independent loops of "
            "this kind.",
            "one-decorator",
        ),
    ),
    Question(
        "Does the work differ from element to element, as in a while loop or "
        "a search?",
        Leaf(
            "Compile the loop with Numba, and share it by prange",
            "@numba.njit(parallel=True)\nfor i in numba.prange(n): ...",
            "collatz",
            "Numba, prange",
            "NumPy would compute for all elements until the slowest is done. "
            "Sharing costs time in every call, so keep short calls on one "
            "core.",
            "prange-or-a-pool",
        ),
    ),
    Question(
        "Is it one or two operations on whole arrays?",
        Leaf(
            "Use NumPy's operators on whole arrays",
            "total = (x * y).sum()",
            "dot",
            "NumPy",
            "Each operation passes through memory once. If there are more "
            "than two or three, compile the loop.",
            "whole-arrays",
        ),
    ),
)
OTHERWISE = Leaf(
    "Compile the loop with Numba; share it by prange if a call is long",
    "@numba.njit\ndef step(grid, new): ...",
    "stencil",
    "Numba",
    "The first call compiles, so a short program may not gain. A light loop "
    "over a large array waits for memory, and more cores help it little.",
    "one-decorator",
)
ALWAYS = (
    "Do not hand calls of less than a few milliseconds to processes, or of "
    "less than a millisecond to threads, one by one. Put the loop that makes "
    "these calls inside the compiled function, or hand them over in batches."
)


def gain(every, leaf):
    """Return how many times faster than Python a leaf's method is, or None.

    every  {problem: Choices} of a machine

    A Quantity, of warm calls at the size at which a call of Python's loop
    takes CALL_S; None where that was not measured.
    """
    choices = every.get(leaf.problem)
    if choices is None or not {"Python", leaf.method} <= choices.costs.keys():
        return None
    return prediction.gain_at(choices, leaf.method, CALL_S)


def said(every, leaf):
    """Return (the gain, what like) of a leaf as texts, or ("", "").

    every  {problem: Choices} of a machine
    """
    gained = gain(every, leaf)
    if gained is None:
        return "", ""
    like = f"for {every[leaf.problem].problem.title}"
    return (gained.about if gained > 1 else "no clear gain"), like


def advice(every, leaf):
    """Return what a leaf says, as a paragraph.

    every  {problem: Choices} of a machine
    """
    gained, like = said(every, leaf)
    gains = f" Here: {gained} {like}." if gained else ""
    return f"{leaf.take}.{gains} {leaf.catch}"


def about_gains(measured):
    """Say what the gains are, and whose.

    measured  timings.Measured
    """
    return (
        "Gains are over plain Python, in warm calls that take Python "
        f"{CALL_S * 1000:g} ms, measured on {measured.origin}."
    )
