"""How the predictions were tested: at sizes that no fit has seen."""

from onthefly import claims, figures, timings
from onthefly.experiments.choice import prediction
from rendering import blocks

ALLOWED = prediction.WITHIN
BAND = 1 - ALLOWED, 1 + ALLOWED
NEAR, WON = "choice-within-a-fifth", "choice-right-winner"  # the book's aims
SAID = {
    True: "The aim is met.",
    False: "The aim is missed.",
    None: "So few cases do not tell whether it is met.",
}


def sentences(every):
    """Return how the two tests came out, in sentences.

    every  {name of a problem: Choices}
    """
    near = prediction.hits(every.values())
    sharp = prediction.hits(every.values(), sharp=True)
    won = prediction.right(every.values())
    allowed = figures.percent(ALLOWED)
    return (
        f"Of the predictions, {near.note} ({near.short}, "
        f"{near.interval} %) came within {allowed} of the measurement; "
        f"{_aim(NEAR, near)} Of those whose own measurement is known to "
        f"{allowed}, {sharp.note} did. Where the two fastest differ by more "
        f"than {allowed}, the way that was predicted to win won in "
        f"{won.note} cases ({won.short}, {won.interval} %); {_aim(WON, won)}"
    )


def _aim(claim, share):
    """Say what the book's aim is, and whether a share meets it."""
    least = claims.load().claims[claim].expect["value"]
    said = SAID[(share > least).holds]
    return f"the aim is {figures.percent(least)}. {said}"


def figure(every):
    """Return the figure of predicted over measured, as a Markdown block."""
    points = {
        name: [
            (n, predicted.value / measured.value)
            for _, n, predicted, measured in one.unseen
        ]
        for name, one in every.items()
    }
    chart = figures.ratios(
        points, x="size", y="predicted / measured", band=BAND
    )
    ratios = [r for pairs in points.values() for _, r in pairs]
    fast = sum(r < BAND[0] for r in ratios)
    slow = sum(r > BAND[1] for r in ratios)
    said = (
        f"Predicted over measured times, {len(ratios)} of them: {slow} lie "
        f"above the band of {figures.percent(ALLOWED)}, {fast} below it."
    )
    return blocks.raw(
        figures.as_html(chart, "tested", alt=said, caption=said)
    )


def table(every):
    """Return the test problem by problem, as a Markdown block."""
    rows = prediction.tests(every)
    return blocks.raw(
        timings.table(
            [name.capitalize() for name in rows[0]],
            [list(row.values()) for row in rows],
            "The test of the predictions",
        )
    )
