"""Five questions to a loop over an array; the answers tell which ways it can
take."""

import functools

import numpy as np

FEW, MANY = 10, 1000


def fixed_and_each(short, long):
    """Return the fixed part of a call, and the part for each element.

    short, long  Quantities: seconds of a call with FEW and MANY elements

    A call is taken to cost a + b·n; returned are a and b, Quantities.
    """
    each = (long - short) / (MANY - FEW)
    return short - FEW * each, each


def same_in_halves(function, x):
    """Tell whether two halves, computed apart, make the whole.

    function  of an array of shape (n,), which returns one
    x         array of shape (n,)
    """
    half = len(x) // 2
    joined = np.concatenate([function(x[:half]), function(x[half:])])
    return np.array_equal(joined, function(x))


class Asked:
    """A loop to which the five questions are put.

    loop      function of an array, which returns an array
    compiled  the same, compiled
    x         array of float64, shape (n,), in a core's own cache; n ≥ MANY
    size      of an array that no cache holds
    """

    def __init__(self, loop, compiled, x, size):
        self.loop, self.compiled = loop, compiled
        self.x, self.size = x, size

    @functools.cached_property
    def large(self):
        """The numbers of `x`, again and again, in an array of that size."""
        return np.resize(self.x, self.size)

    def variants(self):
        """Return {name: function without arguments}, for the stopwatch."""
        few, many = self.x[:FEW], self.x[:MANY]
        numbers, half = many.tolist(), len(self.x) // 2
        first, second = self.x[:half], self.x[half:]
        return {
            "few": lambda: self.loop(few),
            "many": lambda: self.loop(many),
            "into an array": lambda: np.asarray(numbers),
            "first half": lambda: self.compiled(first),
            "second half": lambda: self.compiled(second),
            "small": lambda: self.compiled(self.x),
            "large": lambda: self.compiled(self.large),
        }

    def answers(self, times):
        """Return a table's rows: questions, and answers.

        times  Timings of the variants
        """
        short, long = times.seconds("few"), times.seconds("many")
        same = same_in_halves(self.loop, self.x[:MANY])
        longer = self.size / len(self.x)
        answers = {
            "fixed part of a call": fixed_and_each(short, long)[0],
            "way into an array, in passes of the loop": times.ratio(
                "into an array", "many"
            ),
            "do halves make the whole?": "yes" if same else "no",
            "second half, in times of the first": times.ratio(
                "second half", "first half"
            ),
            "an element in a large array, in times of a small one": (
                times.ratio("large", "small") / longer
            ),
        }
        return [{"question": k, "answer": v} for k, v in answers.items()]
