"""Two readers' questions, answered with the model's numbers."""

from onthefly.kernels.methods import KINDS
from onthefly.measure import timings
from onthefly.measure.quantity import INTERVAL, Quantity
from onthefly.predict import answers, measurements, sentences

LIKE = "polynomial"  # 6 operations an element, streaming
LOOP, CORES = 10**5, 4
CALL, CALLS = 40e-6, 10**6  # seconds, and how often
HELPER = "TensorFlow"


def loop(every, here):
    """Answer: a loop over 10^5 elements, 5 flops each, 4 cores, no GPU.

    every  {machine: {name of a problem: Choices}}
    here   name of the machine at hand

    Returns the template's values; None where nothing like it was measured.
    """
    if LIKE not in every[here]:
        return None
    choices, machine = measurements.for_cores(every, here, LIKE, CORES)
    rows = [
        _row(choices, data, calls)
        for data in ("lists", "arrays")
        for calls in (1, 1000)
    ]
    head = ["Data in", "Calls", "Pick", f"Predicted ({INTERVAL})", "Gain",
            "Where a build counts, too"]  # fmt: skip
    about = sentences.about_cores(choices, CORES, machine != here)
    question = answers.Question(LOOP, 1000, CORES, "lists")
    guess = any(
        sentences.EXTRAPOLATED in text for row in rows for text in row
    )
    return {
        "like": LIKE,
        "answer": answers.Answer(choices, question).sentence,
        "whose": about or f"Measured: {choices.measured.origin}.",
        "cores": _cores(choices),
        "table": timings.table(head, rows, "A loop over 100,000 elements"),
        "legend": sentences.legend(choices) if guess else "",
    }


def _options(data, calls):
    return {"calls": calls, "workers": CORES, "data": data, "device": False}


def _row(choices, data, calls):
    """Return a row: what to pick, what it takes and what it gains."""
    options = _options(data, calls)
    best = choices.winner(LOOP, **options)
    ranked = choices.ranked(LOOP, **options)
    unbuilt = next(k for k in ranked if not KINDS[k].ahead)
    return [
        data,
        f"{calls:,}",
        sentences.left_open(choices, best) + " (not measured)" * best.beyond,
        str(ranked[best.variant]),
        sentences.gained(choices, ranked, best.variant, LOOP),
        f"{sentences.name(choices, unbuilt)}, {ranked[unbuilt].short}",
    ]


def _cores(choices):
    """Say what the cores add: who shares the loop, against who does not.

    "" where either was not measured.
    """
    options = {"calls": 1000, "workers": CORES, "data": "arrays"}
    ranked = choices.ranked(LOOP, device=False, **options)
    shared = [k for k in ranked if choices.costs[k].one is not None]
    alone = [k for k in ranked if k not in shared]
    if not (shared and alone):
        return ""
    first, best = shared[0], alone[0]
    ratio = choices.longer(first, best, LOOP, **options)
    outcome = {
        True: "So in such a program more cores add nothing: stay on one.",
        False: "So in such a program more cores add to it.",
        None: "So whether more cores add to it is left open.",
    }[(ratio > 1).holds]
    return (
        f"Of the ways that share the loop among {CORES} cores, "
        f"{sentences.name(choices, first)} is predicted to take the least: "
        f"{ranked[first].short} for a thousand calls with the data in "
        "arrays, imports and compiling included. That is "
        f"{ratio} as long as {sentences.name(choices, best)}. {outcome}"
    )


def call(every):
    """Answer: a function takes 40 µs and is called 10^6 times: TensorFlow?

    every  {name of a problem: Choices}

    Returns the template's values; None where it was not measured.
    """
    rows, faster = [], []
    for name, choices in every.items():
        size = size_of(choices.costs["Python"].all_, CALL)
        if size is None or HELPER not in choices.costs:
            continue
        options = {"calls": CALLS, "data": "lists", "device": False}
        ranked = choices.ranked(size, **options)
        faster.append(ranked[HELPER] < ranked["Python"])
        best = choices.winner(size, **options)
        rows.append(
            [
                name,
                f"{size:,}",
                ranked["Python"].short,
                ranked[HELPER].short,
                sentences.gained(choices, ranked, HELPER, size),
                sentences.left_open(choices, best),
                sentences.gained(choices, ranked, best.variant, size),
            ]
        )
    if not rows:
        return None
    head = ["Problem", "Size", "Python", HELPER, "Its gain", "Best",
            "The best's gain"]  # fmt: skip
    return {
        "verdict": verdict(faster, sentences.again(choices.measured.preset)),
        "helped": Quantity.held(faster).note,
        "table": timings.table(head, rows, f"Would {HELPER} help?"),
    }


def verdict(comparisons, again):
    """Answer in a sentence: yes, no, it depends, or it is left open.

    comparisons  one a problem: does it help?
    again        what would resolve more
    """
    outcomes = [one.holds for one in comparisons]
    clear, left = {*outcomes} - {None}, outcomes.count(None)
    if len(clear) == 2:
        return "That depends on what the function is like."
    if not clear or left > 1:
        return f"That is not resolved here: {again}."
    far = ", as far as this is resolved" * left
    word = "Yes" if True in clear else "No"
    return f"{word}, whichever of the problems it is like{far}."


def size_of(curve, seconds):
    """Return the size at which a call takes so long, or None.

    curve  models.Curve; the size is within what was measured
    """
    start = 0.0
    for end, a, b in curve.pieces:
        size = (seconds - a) / b if b else 0.0
        if start < size <= min(end, curve.upto):
            return max(1, round(size))
        start = end
    return None
