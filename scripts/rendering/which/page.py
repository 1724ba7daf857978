"""The page "Which one should I choose?", from what the machines measured."""

from choosing import kept, words
from onthefly import figures
from onthefly.experiments.choice import prediction
from onthefly.experiments.choice.problems import PROBLEMS
from onthefly.findings import listed
from onthefly.quantity import INTERVAL
from rendering import blocks
from rendering.which import calculator, readers, tested, tiles, winners

FEW, MANY, OFTEN = 10, 100_000, 1000  # elements, elements, calls

NONE = """\
(which-one)=
# Which one should I choose?

(which-one-loop)=
(which-one-call)=
**This copy cannot say**: no machine that it knows of has measured the eight
problems. `scripts/run.py {page}` measures them here.
"""

TEXT = """\
(which-one)=
# Which one should I choose?

:::{{admonition}} In short
:class: tip
{short}
:::

{whose}

## Ask for your own loop

What is your loop like? {like}

{calculator}

Times are those of a whole program: what the imports and the first call
take, and then every call. Intervals say how far such a prediction may be off.

(which-one-loop)=
## A loop over 100,000 elements, 5 operations each, 4 cores, no GPU

*What do I pick, and what do I gain?*

{loop}

(which-one-call)=
## A function of 40 µs, called a million times

*Would TensorFlow help?*

{call}

## The map

Find your problem, then the row of your size and the column of your calls. A
tile names the winner, how many times as fast as Python's loop it is, with the
interval, and which part of the cost decides, beside Python's loop or, where
that wins, beside the next way. Where several ways cannot be told apart, or
nothing was measured, it names no winner: it says what would find one, and,
where all of them are sure to beat Python's loop, what they gain at least. The
data are in the form that each way takes. Where Python's own loop was too slow
to be measured, its line is drawn on beyond the measured sizes.

In the figures a colour is a way that wins. The border between two is
uncertain, and hatched: by oblique lines, where Python's own loop is among
those that may win, by level ones, where only others are. What stays empty
lies beyond the sizes measured.

{problems}

## Were the predictions right?

The lines of the model were fitted to some sizes. Other sizes, between them,
were measured in the same rounds and hidden from the fits. So the tests share
the hour and the state of the machine with what they test, and the cases of
one problem are not independent: a machine that slows down meets many of them
at once.

Only a call with all the measured workers was tested, in the form that the way
takes, with everything loaded. Not tested were the imports, the first calls,
the conversions, and the law for other numbers of workers.

{tested}

{tested_figure}

{tested_table}

A point above the band was predicted slower than it is, a point below it
faster. Two likely reasons, not followed here: waking threads takes a
different time each time, and where data outgrow a cache two pieces of a line
may be too few.

## The model

$c$ calls of size $n$ by $w$ workers are predicted to take

$$T(n, c, w) = s + c\\,\\bigl(v(n) + t_w(n)\\bigr).$$

$s$ is the start, of a library and of its workers, and the first call. Each
was read once, or a few times; that it is good within a factor of two is an
assumption, no {interval}. What starts with two ways alike is no difference
between them.
$v(n)$ is the way of the data into the form that a way takes, and of the
result back: nothing, where they are in it already. A call takes

$$t(n) = a_j + b_j\\,n,$$

in one piece $j$ or in two, whichever the data are worth. Ways that share
their work were measured with one worker and with all $W$ of the machine.
What one worker spends beyond all of them is shared,

$$t_w = t_1 - (t_1 - t_W)\\,\\frac{{1 - 1/w}}{{1 - 1/W}},$$

and where several take longer than one, each further worker has its price,

$$t_w = t_1 + (t_W - t_1)\\,\\frac{{w - 1}}{{W - 1}}.$$

The interval of a line is what its errors let expect of one more size. These
are its errors at the sizes that it was fitted to, as shares of the time; with
few sizes Student's distribution makes it wider.
{more}
"""


def page(stamps):
    """Return the page as Markdown.

    stamps  {page's file stem: stamp}, in the book's order
    """
    found = kept.kept()
    if not found:
        return NONE.format(page=prediction.PAGE)
    runs = {stamp["chapter"]: stamp["machine"] for stamp in stamps.values()}
    here = kept.default(found, runs.get(prediction.PAGE))
    every = {name: prediction.choices(one) for name, one in found.items()}
    own = every[here]
    ran = prediction.PAGE in runs and kept.measured_here(here)
    return TEXT.format(
        short=_short(own),
        whose=_whose(found[here], ran),
        like=_like(own, runs),
        calculator=blocks.raw(calculator.form(found, here)),
        loop="\n\n".join(readers.loop(every, here)),
        call="\n\n".join(readers.call(own)),
        problems="\n\n".join(_problems(every, here, runs)),
        tested=tested.sentences(own),
        tested_figure=tested.figure(own),
        tested_table=tested.table(own),
        interval=INTERVAL,
        more=_more(runs),
    )


def _whose(found, ran):
    """Say whose measurements the page rests on."""
    if ran:
        return f"Measured in this copy: {found.origin}."
    return (
        f"**Recorded, not measured in this copy**: {found.origin}. "
        f"`scripts/run.py {prediction.PAGE}` measures your machine."
    )


def _short(own):
    """Return who wins in two kinds of program, and how predictions did."""
    return "\n".join(
        [
            f"Predicted to be the cheapest in a program that makes "
            f"{OFTEN:,} calls with {MANY:,} elements each: "
            f"{_grouped(own, MANY, OFTEN)}. With a single call of {FEW}: "
            f"{_grouped(own, FEW, 1)}.\n",
            tested.sentences(own),
        ]
    )


def _grouped(own, n, calls):
    """Return who wins for which problems, those of one winner together."""
    best = {
        name: choices.winner(n, calls=calls, device=False)
        for name, choices in own.items()
    }
    groups = {}
    for name, winner in best.items():
        groups.setdefault(_told(winner), []).append(name)
    order = sorted(groups, key=lambda told: not told.startswith("**"))
    return "; ".join(f"{told}: {listed(groups[told])}" for told in order)


def _told(winner):
    """Say who wins, or what is left open."""
    if winner.beyond:
        return "not measured"
    if winner.rivals:
        return winners.unresolved(winner)
    return f"**{winners.called(winner.way)}**"


def _like(own, runs):
    """Return the problems in a line, and where they are shown."""
    told = [f"`{name}` is {PROBLEMS[name].title}" for name in own]
    link = f" {{ref}}`{prediction.PAGE}` shows each." * (
        prediction.PAGE in runs
    )
    return f"{', '.join(told)}.{link}"


def _problems(every, here, runs):
    """Yield a section for each problem: its reason, map and figure."""
    own = every[here]
    cells = {name: winners.regions(choices) for name, choices in own.items()}
    names = winners.ahead(cells)
    for name, choices in own.items():
        problem = choices.problem
        yield f"### `{name}`: {problem.title}"
        yield from filter(None, [_because(choices, runs)])
        yield blocks.raw(tiles.tables(every, here, name))
        if cells[name]:
            yield _figure(choices, cells[name], names)


def _because(choices, runs):
    """Return the reason of a problem with its number, or ""."""
    from onthefly.experiments.choice import reasons

    name = choices.problem.name
    times = choices.found.timings.get(f"{name}, because")
    reason = reasons.REASONS.get(name)
    said = reason.sentence(times) if times and reason else ""
    if not said:
        return ""
    link = f" More: {{ref}}`{reason.page}`." * (reason.page in runs)
    return f"{blocks.plain(said)}{link}"


def _figure(choices, cells, names):
    """Return the figure of who wins where, as a Markdown block."""
    problem = choices.problem
    chart = figures.regions(
        cells,
        x=problem.unit,
        y="calls",
        names=names,
        hatched=winners.HATCHED,
    )
    cores = words.counted(choices.workers, "cores")
    said = f"Fastest, {problem.name}, {cores}: {chart.finding}"
    return blocks.raw(
        figures.as_html(
            chart, f"regions-{problem.name}", alt=said, caption=said
        )
    )


def _more(runs):
    """Return links to the pages behind the model, as far as they ran."""
    pages = "cost-of-a-call", "what-conversion-costs", "how-many-workers"
    links = [f"{{ref}}`{slug}`" for slug in pages if slug in runs]
    return f"More: {', '.join(links)}." if links else ""
