"""How the predictions were tested: at sizes that no fit has seen."""

from onthefly import figures
from onthefly.measure import timings
from onthefly.page import claims
from onthefly.predict import prediction

ALLOWED = prediction.WITHIN
BAND = 1 - ALLOWED, 1 + ALLOWED
NEAR, WON = "choice-within-a-fifth", "choice-right-winner"  # the book's aims


def values(every):
    """Return the template's values: shares with their aims, and pictures.

    every  {name of a problem: Choices}
    """
    near = prediction.hits(every.values())
    won = prediction.right(every.values())
    rows = prediction.tests(every)
    return {
        "near": near,
        "near_aim": _aim(NEAR, near),
        "sharp": prediction.hits(every.values(), sharp=True),
        "won": won,
        "won_aim": _aim(WON, won),
        "allowed": figures.percent(ALLOWED),
        "figure": _figure(every),
        "table": timings.table(
            [name.capitalize() for name in rows[0]],
            [list(row.values()) for row in rows],
            "The test of the predictions",
        ),
    }


def _aim(claim, share):
    """Return the book's aim, and whether a share meets it, or None."""
    least = claims.load().claims[claim].expect["value"]
    return {"least": figures.percent(least), "met": (share > least).holds}


def _figure(every):
    """Return the figure of predicted over measured, as HTML."""
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
    caption = (
        f"Predicted over measured times, {len(ratios)} of them: {slow} lie "
        f"above the band of {figures.percent(ALLOWED)}, {fast} below it."
    )
    return figures.as_html(chart, "tested", alt=caption, caption=caption)
