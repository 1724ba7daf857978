"""Which part of its cost makes the cheapest variant the cheapest."""

from onthefly.predict.prediction import ONCE, total

# The parts of a cost, as they are named where one of them decides.
PARTS = (
    "less to load",
    "cheaper calls",
    "faster elements",
    "less to convert",
)


def part(choices, best, n, **options):
    """Return in which part of its cost the best gains most, one of PARTS.

    choices  prediction.Choices
    best     prediction.Winner, at size n
    options  of `Choices.ranked`

    Beside Python; where that is the best, beside the second.  "" where there
    is no other, or no part is resolved to gain more than each of the rest.
    """
    ranked = choices.ranked(n, **options)
    others = [variant for variant in ranked if variant != best.variant]
    if not others:
        return ""
    other = "Python" if "Python" in others else others[0]
    start = choices.problem.start
    same = start(other) == start(best.variant)
    slow, fast = (
        _parts(choices, variant, n, shared=same, **options)
        for variant in (other, best.variant)
    )
    saved = {part: slow[part] - fast[part] for part in PARTS}
    most, *rest = sorted(PARTS, key=lambda k: saved[k].value, reverse=True)
    ahead = saved[most] > 0 and all(saved[most] > saved[k] for k in rest)
    return most if ahead else ""


def _parts(
    choices, variant, n, *, shared, calls=1, workers=None, data="own",
    imports=True, device=False,
):  # fmt: skip
    """Return {part: seconds, a Quantity} of what a variant costs.

    shared  whether the other starts the same, which is no difference
    """
    cost = choices.costs[variant]
    curve = cost.call(workers or choices.workers)
    seconds = curve.at(n).value
    fixed = min(curve.fixed, seconds)
    loads = cost.loads if imports and not shared else 0.0
    moves = [
        choices.conversions[name]
        for name in choices.converting(variant, data)
    ]
    terms = (
        [(loads, ONCE), (cost.first, ONCE)],
        [(calls * fixed, curve.spread)],
        [(calls * (seconds - fixed), curve.spread)],
        [(calls * move.at(n).value, move.spread) for move in moves],
    )
    return dict(zip(PARTS, map(total, terms), strict=True))
