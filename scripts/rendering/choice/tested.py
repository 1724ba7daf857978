"""How the predictions were tested: each kind, by what was left out."""

from onthefly import figures
from onthefly.measure import timings
from onthefly.page import claims
from onthefly.predict import prediction
from onthefly.terminal.words import listed

ALLOWED = prediction.WITHIN
BAND = 1 - ALLOWED, 1 + ALLOWED
NEAR, WON = "choice-within-a-fifth", "choice-right-winner"  # the book's aims
SAID = {True: "met", False: "missed", None: "not decided"}


def values(every, kinds):
    """Return the template's values: shares with their aims, and pictures.

    every  {name of a problem: Choices}
    kinds  kinds.Kind of the same machine
    """
    won = prediction.right(every.values())
    rows = prediction.tests(every)
    return {
        "near_aim": _aim(NEAR, prediction.hits(every.values())),
        "sharp": prediction.hits(every.values(), sharp=True),
        "won": won,
        "won_aim": _aim(WON, won),
        "allowed": figures.percent(ALLOWED),
        "kinds": _kinds(kinds),
        "said": _said(kinds),
        "untested": {one.name: one.unknown for one in kinds if not one.cases},
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


def _met(kind):
    """Return what is to be said of a Kind and the aim, a key of SAID."""
    return _aim(NEAR, kind.share)["met"]


def _said(kinds):
    """Return {how the aim came out: the names of such kinds, or ""}."""
    names = {said: [] for said in SAID.values()}
    for one in kinds:
        if one.cases:
            names[SAID[_met(one)]].append(one.name.lower())
    return {said: some and listed(some) for said, some in names.items()}


def _kinds(kinds):
    """Return the table of the kinds, as HTML."""
    share, least = figures.percent(ALLOWED), _aim(NEAR, kinds[0].share)
    head = (
        "What is predicted",
        f"Within {share} of the measurement",
        f"The aim, {least['least']}",
        "Predicted from",
        "Furthest off (predicted / measured)",
    )
    return timings.table(
        head, list(map(_row, kinds)), "Predictions by kind, and their tests"
    )


def _row(kind):
    """Return a row of that table."""
    if not kind.cases:
        return [kind.name, "not tested", "–", "–", "–"]
    worst = kind.worst
    share, interval = kind.share.rounded(2)
    return [
        kind.name,
        f"{kind.share.note} ({share}, {interval} %)",
        SAID[_met(kind)],
        kind.from_,
        f"{worst.what} ({worst.ratio:.2g})",
    ]


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
