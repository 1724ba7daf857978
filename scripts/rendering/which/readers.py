"""Two readers' questions, answered with the model's numbers."""

from choosing import kept, words
from onthefly import timings
from onthefly.quantity import INTERVAL, Quantity
from rendering import blocks

LIKE = "polynomial"  # 6 operations an element, streaming
LOOP, CORES = 10**5, 4
CALL, CALLS = 40e-6, 10**6  # seconds, and how often
HELPER = "TensorFlow"


def loop(every, here):
    """Answer: a loop over 10^5 elements, 5 flops each, 4 cores, no GPU.

    every  {machine: {name of a problem: Choices}}
    here   name of the machine at hand

    Returns Markdown blocks.
    """
    if LIKE not in every[here]:
        return [f"This copy has not measured `{LIKE}`."]
    choices, machine = kept.for_cores(every, here, LIKE, CORES)
    rows = []
    for data in ("lists", "arrays"):
        for calls in (1, 1000):
            options = {
                "calls": calls, "workers": CORES, "data": data,
                "device": False,
            }  # fmt: skip
            best = choices.winner(LOOP, **options)
            seconds = choices.ranked(LOOP, **options)[best.way]
            pick = words.left_open(choices, best)
            rows.append(
                [data, f"{calls:,}", pick, str(seconds),
                 str(best.gain) if best.gain else "–"]
            )  # fmt: skip
    head = ["Data in", "Calls", "Pick", f"Predicted ({INTERVAL})", "Gain"]
    told = (
        f"Of the eight problems, `{LIKE}` is the one like it: some "
        "operations on each element, none waiting for another. "
        + words.answer(
            choices, LOOP, calls=1000, workers=CORES, data="lists",
            device=False,
        )
    )  # fmt: skip
    return [
        f"For a thousand calls, with the data in lists. {told}",
        _whose(choices, machine, here),
        blocks.raw(timings.table(head, rows, "A loop over 100,000 elements")),
        "Several names are those that the prediction does not tell apart; "
        "time and gain are then the first one's.",
    ]


def _whose(choices, machine, here):
    """Say whose numbers these are, where they are not the copy's own."""
    if machine != here:
        return f"The numbers are recorded: {choices.found.origin}."
    return words.cores(choices, CORES) or f"Measured: {choices.found.origin}."


def call(every):
    """Answer: a function takes 40 µs and is called 10^6 times: TensorFlow?

    every  {name of a problem: Choices}

    Returns Markdown blocks.
    """
    rows, helped = [], []
    for name, choices in every.items():
        size = size_of(choices.costs["Python"].curve, CALL)
        if size is None or HELPER not in choices.costs:
            continue
        options = {"calls": CALLS, "data": "lists", "device": False}
        ranked = choices.ranked(size, **options)
        gain = ranked["Python"].value / ranked[HELPER].value
        faster = ranked[HELPER] < ranked["Python"]
        helped.append(faster)
        best = choices.winner(size, **options)
        rows.append(
            [name, f"{size:,}", ranked["Python"].short,
             ranked[HELPER].short, f"{gain:.3g}×",
             words.left_open(choices, best)]
        )  # fmt: skip
    if not rows:
        return [f"This copy has not measured {HELPER}."]
    head = ["Problem", "Size", "Python", HELPER, "Gain", "Best"]
    return [
        _verdict(helped, words.again(choices.found.preset)),
        blocks.raw(timings.table(head, rows, f"Would {HELPER} help?")),
        "Each row takes the whole size at which Python's own loop lasts "
        f"nearest to {CALL * 1e6:g} µs, called {CALLS:,} times, with the "
        "data in lists; the way into tensors and back is counted.",
    ]


def _verdict(helped, again):
    """Say for how many problems it helps.

    helped  Comparisons
    again   what would resolve more
    """
    return (
        f"{_short(helped, again)} Problems for which {HELPER} is predicted "
        f"to take less than Python's own loop: {Quantity.held(helped).note}."
    )


def _short(helped, again):
    """Answer in a sentence: yes, no, it depends, or it is left open."""
    found = [one.holds for one in helped]
    told, left = {*found} - {None}, found.count(None)
    if len(told) == 2:
        return "That depends on what the function is like."
    if not told or left > 1:
        return f"That is not resolved here: {again}."
    open_ = ", as far as this is resolved" * left
    said = "Yes" if True in told else "No"
    return f"{said}, whichever of the problems it is like{open_}."


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
