"""The answer to a question: a sentence, a table, and what to know of it.

The command prints it, and the book's calculator shows it.
"""

import dataclasses

from onthefly.kernels.methods import KINDS
from onthefly.measure.quantity import INTERVAL, Quantity
from onthefly.predict import measurements, prediction, sentences
from onthefly.terminal.words import counted, listed

DIGITS = 2  # of a number that a person reads here
HEAD = "Method", "Time in all", "Faster than Python"
PYTHON = "Python's own loop"
BEYOND = "beyond what was measured"


@dataclasses.dataclass(frozen=True)
class Question:
    """What is asked of a problem.

    size    of each call
    calls   how many
    cores   how many may work
    data    the form of the data, one of prediction.DATA
    loaded  whether the program has imported the libraries already
    device  whether methods on a GPU may be chosen
    """

    size: int
    calls: int = 1
    cores: int = 1
    data: str = "own"
    loaded: bool = False
    device: bool = False

    @property
    def options(self):
        """Arguments of `Choices.ranked`, beside the size."""
        return {
            "calls": self.calls,
            "workers": self.cores,
            "data": self.data,
            "imports": not self.loaded,
            "device": self.device,
        }


@dataclasses.dataclass(frozen=True)
class Row:
    """What a method of a problem is predicted to do.

    method   its name among the variants
    name     what a person calls it
    seconds  of all the calls and what comes before them, a Quantity
    gain     Quantity: times as fast as Python's own loop; None: unknown
    upto     the largest size that was measured of it
    beyond   whether the question lies beyond what was measured of it
    guessed  whether Python's loop was not measured at such a size
    """

    method: str
    name: str
    seconds: Quantity
    gain: Quantity | None
    upto: int
    beyond: bool
    guessed: bool

    @property
    def time(self):
        """The seconds as text, in few digits, with their interval if any."""
        return _written(self.seconds)

    @property
    def times_as_fast(self):
        """The gain as text, in few digits, with its interval if any."""
        if not self.gain:
            return "–"
        return _written(self.gain) + sentences.EXTRAPOLATED * self.guessed

    @property
    def cells(self):
        """Its texts in a table with the columns HEAD, and a remark."""
        return self.name, self.time, self.times_as_fast, BEYOND * self.beyond


class Answer:
    """What a machine's measurements say to a question.

    choices   prediction.Choices of the problem on it
    question  a Question
    recorded  whether the machine stands for another, which has fewer cores
    best      prediction.Winner of the methods that need no build
    built     name of a method that needs one and is faster by far, or ""
    """

    def __init__(self, choices, question, recorded=False):
        self.choices, self.question = choices, question
        self.recorded = recorded
        self._ranked = choices.ranked(question.size, **question.options)
        free = {
            name: seconds
            for name, seconds in self._ranked.items()
            if name not in sentences.BUILT
        }
        self.best = choices.winner(
            question.size, ranked=free, **question.options
        )
        self.built = self._clearly_faster(free[self.best.variant])

    def _clearly_faster(self, seconds):
        """Return the fastest method that needs a build, if it is faster.

        seconds  of the best that needs none
        """
        for name, cost in self._ranked.items():
            if name in sentences.BUILT:
                return name if cost.high < seconds.low else ""
        return ""

    @property
    def rows(self):
        """A Row for each method, the cheapest first."""
        return list(map(self._row, self._ranked))

    def foremost(self, count):
        """Return the first Rows, and Python's where it is not among them."""
        names = list(self._ranked)
        shown = names[:count]
        shown += [name for name in names[count:] if name == "Python"]
        return list(map(self._row, shown))

    def _row(self, variant):
        choices, (n, cores, data) = self.choices, self._asked
        return Row(
            variant,
            sentences.name(choices, variant),
            self._ranked[variant],
            prediction.gain(self._ranked, variant),
            int(choices.costs[variant].all_.upto),
            choices.beyond(variant, n, cores, data),
            bool(sentences.guessed(choices, variant, n)),
        )

    @property
    def _asked(self):
        question = self.question
        return question.size, question.cores, question.data

    @property
    def sentence(self):
        """Which method to take, what it takes and gains."""
        parts = (self._take, self._with_a_build, self._with_more_cores)
        return " ".join(filter(None, parts))

    @property
    def _take(self):
        first = self._row(self.best.variant)
        cost = f"{first.seconds.rounded(DIGITS)[0]} in all"
        python = first.method == "Python"
        if first.gain and not python and not first.guessed:
            times = first.gain.rounded(DIGITS)[0]
            cost += f", {times} faster than {PYTHON}"
        if self.best.rivals:
            names = sentences.left_open(self.choices, self.best)
            return (
                f"Too close to call: take {names}, whichever suits you. "
                f"{first.name} is predicted to take {cost}."
            )
        if python:
            why = self._lost_at_the_start and f" {self._lost_at_the_start}"
            return f"Stay with {PYTHON}: it is predicted to take {cost}.{why}"
        return f"Take {first.name}: it is predicted to take {cost}."

    @property
    def _lost_at_the_start(self):
        """Say that Python wins by its start alone, or ""."""
        question, choices = self.question, self.choices
        warm = {
            name: choices.costs[name].call(question.cores).at(question.size)
            for name in self._ranked
            if name not in sentences.BUILT
        }
        fastest = min(warm, key=lambda name: warm[name].value)
        if fastest == "Python":
            return ""
        name = sentences.name(choices, fastest)
        return (
            f"A call of {name} is shorter, but not by what its start and "
            "conversions cost."
        )

    @property
    def _with_a_build(self):
        """What a build would gain, or ""."""
        if not self.built:
            return ""
        row = self._row(self.built)
        name = row.name.partition(" (")[0]
        return (
            f"If you can build, {name} takes "
            f"{row.seconds.rounded(DIGITS)[0]}."
        )

    @property
    def _with_more_cores(self):
        """Who may be faster on more cores than are predicted, or ""."""
        choices, cores = self.choices, self.question.cores
        reach = prediction.FARTHEST * choices.workers
        fastest = self._ranked[self.best.variant].low
        names = [
            sentences.name(choices, variant)
            for variant, seconds in self._ranked.items()
            if choices.too_many_cores(variant, cores)
            and choices.gains_by_sharing(variant, self.question.size)
            and seconds.low * reach / cores < fastest
        ]
        return names and (
            f"That is for {reach} cores; with {cores:,}, "
            f"{listed(sentences.few(names), 'or')} may be faster."
        )

    @property
    def notes(self):
        """What to know of the answer: its limits, in sentences."""
        shares = sentences.about_cores(
            self.choices, self.question.cores, self.recorded
        )
        notes = [self._untested, self._far, self._lone, shares]
        choices, n = self.choices, self.question.size
        if any(sentences.guessed(choices, k, n) for k in self._ranked):
            notes.append(sentences.legend(choices))
        if any(KINDS[variant].ahead for variant in self._ranked):
            notes.append(
                "Needs a build: a compiler, and some seconds. C's time "
                "includes compiling it; Cython, Pythran and mypyc are "
                "compiled beforehand, and that is not counted."
            )
        return [note for note in notes if note]

    @property
    def _untested(self):
        """Why some times have no interval, or ""."""
        found = {
            kind
            for seconds in self._ranked.values()
            for kind in prediction.untested(seconds)
        }
        return sentences.about_untested(found)

    def _named(self, tells):
        """Return those of which one wins and which a function tells."""
        names = [
            sentences.name(self.choices, variant)
            for variant in self.best.among
            if tells(variant)
        ]
        return listed(sentences.few(names), "and") if names else ""

    @property
    def _far(self):
        """Of whom the size lies beyond what was measured, or ""."""
        n, _, data = self._asked
        far = self._named(lambda k: n > self.choices.limit(k, data))
        unit = self.choices.problem.unit
        return far and (
            f"{counted(n, unit).capitalize()} are more than "
            f"{prediction.REACH:g} times what was measured of {far}: the "
            "time is a guess."
        )

    @property
    def _lone(self):
        """Who was measured with all cores alone, where others are asked."""
        cores = self.question.cores
        lone = self._named(lambda k: self.choices.other_cores(k, cores))
        own = counted(self.choices.workers, "cores")
        return lone and (
            f"{lone} ran on {own} alone: what {cores:,} would do is not "
            "known."
        )

    @property
    def asked(self):
        """The question as a phrase."""
        question, problem = self.question, self.choices.problem
        parts = [
            f"{problem.name} ({problem.title})",
            counted(question.size, problem.unit),
            counted(question.calls, "calls"),
            counted(question.cores, "cores"),
        ]
        if self.choices.conversions:
            parts.append(f"data {sentences.DATA[question.data]}")
        if question.loaded:
            parts.append("libraries loaded already")
        return ", ".join(parts)


def _written(predicted):
    """Return a prediction as text: its interval, or "about" without one."""
    value, interval = predicted.rounded(DIGITS)
    if prediction.untested(predicted):
        return f"about {value}"
    return f"{value} ({interval})" if interval else value


def whose(measured):
    """Say where the numbers are from, and what their intervals are.

    measured  timings.Measured
    """
    return (
        f"Predicted from what was measured on {measured.origin}. In "
        f"brackets is the {INTERVAL}."
    )


def ask(every, here, problem, question):
    """Return the Answer of the machine that knows most of so many cores.

    every     {machine: {problem: Choices}}
    here      name of the machine that is asked first
    problem   name of the problem
    question  a Question
    """
    choices, machine = measurements.for_cores(
        every, here, problem, question.cores
    )
    return Answer(choices, question, machine != here)
