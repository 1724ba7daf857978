"""The page that tells how a comparison judges, and how often it errs."""

from onthefly import figures, files
from onthefly.compare import background, ranks
from onthefly.errors import CorruptFile
from onthefly.figures import percent
from onthefly.measure.quantity import Quantity
from reading import calibration

COUNTS = (1, 10, 30, 100, 300, 1000, 3000)  # series of a comparison
AIM = {True: "met", False: "missed"}
NUMBERS = {"least": "shortest sample"}  # in words, where that needs any


def page(copy):
    """Return the page as Markdown.

    copy  a rendering.copy.Copy

    Raises CorruptFile where the record does not hold what it should.
    """
    return copy.render(
        "book/regression",
        number=NUMBERS.get(ranks.NUMBER, ranks.NUMBER),
        level=percent(ranks.LEVEL),
        unlike=percent(ranks.UNLIKE),
        limit=percent(background.LIMIT),
        threshold=percent(ranks.THRESHOLD),
        needed=[(n, ranks.needed(n)) for n in COUNTS],
        record=_record(),
    )


def answer(_):
    """Return how to find a small slow-down; "" without trials of it."""
    trial = _record().get("slowed")
    if not trial:
        return ""
    few = min(trial["by_runs"], key=lambda row: row["runs"])
    return (
        "You cannot tell from one run on each side. Run both versions "
        "several times, in turns, and let `onthefly compare` judge. It found "
        f"a slow-down by {trial['work']} in {trial['found']} of "
        f"{trial['trials']} trials with {trial['runs']} runs a side, and in "
        f"{few['found']} of {few['trials']} with {few['runs']}."
    )


def _record():
    """Return what the page tells of the record of trials; {} without one."""
    if not calibration.RECORD.exists():
        return {}
    record = files.json_data(calibration.RECORD)
    try:
        unchanged, slowed = record["unchanged"], record["planted"]
        return {
            "of": record["of"],
            "unchanged": _unchanged(unchanged, record["pages"]),
            "slowed": _slowed(slowed),
            "numbers": [
                {
                    "name": NUMBERS.get(name, name),
                    "noise": _share(about["noise"], 1),
                    "called": about["called"][calibration.BEYOND],
                    "found": calibration.times_found(slowed["numbers"][name]),
                }
                for name, about in unchanged["numbers"].items()
            ],
        }
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise CorruptFile(
            f"{calibration.RECORD}: {error!r} in it", "restore it with git"
        ) from None


def _unchanged(trial, pages):
    """Return what is told of the halves of unchanged runs."""
    own = trial["numbers"][ranks.NUMBER]
    every = own["series"] * trial["splits"]
    called = own["called"][calibration.BEYOND]
    return {
        "pages": pages,
        "runs": trial["runs"],
        "splits": trial["splits"],
        "series": own["series"],
        "called": f"{called:,}",
        "every": f"{every:,}",
        "share": Quantity.exact(called / every, "%").short,
        "aim": percent(calibration.FALSE),
        "met": AIM[calibration.few(called, every)],
        "figure": _let_through(own["called"], every),
        "in_order_alone": own["in order"][calibration.ALONE],
        "in_order": own["in order"][calibration.BEYOND],
    }


def _slowed(trial):
    """Return what is told of the kernel that was slowed on purpose."""
    pairs = trial["numbers"][ranks.NUMBER]
    hits = calibration.times_found(pairs)
    return {
        "kernel": trial["kernel"],
        "page": trial["page"],
        "work": percent(trial["work"]),
        "runs": trial["runs"],
        "trials": trial["trials"],
        "found": hits,
        "aim": percent(calibration.FOUND),
        "met": AIM[calibration.most(hits, len(pairs))],
        "others_called": sum(pair["others called"] for pair in pairs),
        "others": sum(pair["others"] for pair in pairs),
        "figure": _ratios(pairs, trial["work"]),
        "by_runs": [
            {key: row[key] for key in ("runs", "found", "trials")}
            for row in trial["by runs"]
        ],
    }


def _share(number, digits):
    return f"{number:.{digits}%}".replace("%", " %")


def _let_through(called, every):
    """Return the figure of what each step of the judgement lets through."""
    shares = {
        step: Quantity.exact(called[step] / every, "%")
        for step in calibration.STAGES
    }
    finding = (
        f"Of unchanged series, {shares[calibration.ALONE]} look changed by "
        f"one test, and {shares[calibration.BEYOND]} are called slower or "
        "faster in the end. The last bar is those called slower or faster by "
        f"more than {percent(ranks.THRESHOLD)}."
    )
    chart = figures.bars(shares, x="series let through")
    return figures.as_html(
        chart, "false-alarms", alt=finding, caption=finding
    )


def _ratios(pairs, work):
    """Return the figure of the slow-down that each trial measured."""
    changes = {
        f"trial {k}": (Quantity(*pair["ratio"], "×") - 1).named("%")
        for k, pair in enumerate(pairs, 1)
    }
    finding = (
        f"Found in {calibration.times_found(pairs)} of {len(pairs)} trials. "
        "The change at the kernel's largest size; dashed: the "
        f"{percent(work)} of work that was added."
    )
    chart = figures.bars(changes, x="slower by", reference=work)
    return figures.as_html(chart, "slowed", alt=finding, caption=finding)
