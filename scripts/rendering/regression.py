"""The page that tells how compare.py judges, and how often it errs."""

from comparing import background, calibration, ranks
from onthefly import figures, files
from onthefly.quantity import Quantity
from onthefly.refused import Broken
from rendering import blocks

COUNTS = (1, 10, 30, 100, 300, 1000, 3000)  # series of a comparison
NONE = (
    "This copy keeps no record of such a trial, so there are no figures to "
    "show. `tests/calibration/test_compare_calibration.py` makes one, on a "
    "machine that does nothing else; it goes on where it was ended."
)
TEXT = """\
(regression)=
# How a regression run is judged

A library was upgraded, or a kernel rewritten. Which of the book's series are
slower now, which are faster, and which differ by chance? `scripts/compare.py`
answers for two sets of runs, made in turns on one machine. One run against
one run answers nothing. This page gives the commands, and says how they judge
and how often they err.

## The commands

**Two versions of a library,** in two environments, in turns:

    for k in $(seq 15); do
        old-env/bin/python scripts/run.py one-decorator --repeat 1 \\
            --build _build/old
        new-env/bin/python scripts/run.py one-decorator --repeat 1 \\
            --build _build/new
    done
    .venv/bin/python scripts/compare.py _build/old _build/new

Each environment is made from `requirements.lock`, with that library changed
and the lab in it (`pip install --no-deps -e .`). {{ref}}`sweeps` makes such
environments by itself, and times kernels in place of pages.

**Two checkouts,** in turns:

    .venv/bin/python scripts/run.py one-decorator --repeat 15 \\
        --against ../old/notebooks
    .venv/bin/python scripts/compare.py --despite lab \\
        _build/against _build/repeats

**Before and after,** where turns are not to be had: a drift of the machine
between the two then looks like a change.

    .venv/bin/python scripts/run.py one-decorator --repeat 15
    # the change
    .venv/bin/python scripts/run.py one-decorator --repeat 15
    .venv/bin/python scripts/compare.py \\
        _build/repeats@1:15 _build/repeats@16:30

Each run's results stay, under the next number that is free;
`_build/repeats@3:8` are those from 3 to 8. `--html FILE` writes the report as
a page, `--json FILE` as data. `--all` lists every series, also those that
did not change. Name a few pages: the more series are compared together, the
more repeats it takes.

| Exit code | |
|---|---|
| 0 | no regression was found |
| 1 | at least one series is slower by more than `--threshold` |
| 2 | nothing could be compared (too few repeats, another machine), or an \
input cannot be used: one line says which |

## How it judges

1. **A run of a page is one process, and gives one number a series:** the
   {number} of its samples. Samples of one process share its memory layout,
   its compiled code and its minute: thirty of them are not thirty
   independent measurements. Several processes are.
2. **Both sides take turns.** A machine drifts: a neighbour comes, the clock
   falls. If all runs of the base came first, a drift would look like a
   change.
3. **Disturbed runs are set aside.** A neighbour on the same core slows all
   that a process measures in that minute. The series of a group are measured
   in turns; a run in which they are slower, taken together, by more than
   {limit} than in the quietest quarter of its own side does not count there.
   A change that slows all runs of a side sets none of them aside.
4. **Ranks decide.** The exact test of Mann and Whitney asks how often runs
   that are drawn from one bag would be ordered as these are. It takes no
   shape of the distribution for granted, and one run that was disturbed
   moves it little.
5. **Many series are tried at once.** Of a hundred series that did not
   change, five have a p below {level} by chance. Benjamini and Yekutieli's
   correction, over all series of the comparison, keeps the share of false
   ones among those called at {level} on average, however the series depend
   on one another.
6. **The change must lie beyond the A/A noise.** Each side's runs are halved,
   in many ways, and one half is compared with the other. What {unlike} of
   these stay below, scaled from half a side's runs to all of them, is the
   noise of that series. Where a side's own runs fall into two camps, a
   change of that size is no news.
7. **The change must matter.** Only series that are slower by more than
   {threshold} are a regression; `--threshold` sets another share.

The change is the median of all quotients of a new run and a base's (Hodges
and Lehmann), with the interval that belongs to the test, of each series by
itself.

| Verdict | Meaning |
|---|---|
| ▼ slower, ▲ faster | called: steps 5 and 6 |
| = unchanged | not called, and the interval lies within ±{threshold} |
| ? too noisy | neither: the runs do not tell |
| … too few repeats | not called, and so few runs that a change of this \
series alone could not be |
| – not comparable | processor, cores, caches, GPU, preset, device, seed, \
interpreter or the lab's code differ, or a series is not in every run; it is \
said which |

Versions of libraries are what one compares: they are said, and forbid
nothing. Two machines are not comparable even where each has many runs. A
shared runner of a CI service may be another machine each time: a comparison
needs a runner of your own, with a base that it measured itself. `--despite`
allows another lab, interpreter or seed.

Some pages choose a size by what they find, as where two ways are equally
fast. Such a size differs from run to run, and its series are not comparable.

## How many repeats

The fewest runs a side with which a single series among so many can be called
at all. It needs that the two sides do not overlap; a few runs more allow for
one that was disturbed. How many it takes to find a slow-down is tried below.

{repeats}

## How often it errs

{errs}
"""
AIM = {True: "met", False: "missed"}
ERRS = """\
Tried by `pytest -m calibration` on {of}.

### False alarms

{pages} ran {runs} times, unchanged. These runs were halved by chance,
{splits} times, and one half was compared with the other, as if it were the
new one: {series} series each time. Whatever is called is a false alarm:
**{called} of {every}** ({share}). The aim is {few} at most, and is {kept}.
The halvings share their runs, so that they are not independent of one
another.

{figure}

Halved in the order in which they ran, which is not to take turns, {apart} of
{series} series have a p below {level} by themselves, and {ordered} are
called.

### A planted slow-down

In a copy of the book, `{kernel}` does {work} more work. The page `{page}` ran
from both, in turns, {each} runs a side, {trials} times over, no run being
used twice. The slow-down was found, as a regression beyond {threshold}, in
**{found} of {trials}** trials. The aim is {most} at least, and is {met}.
Of the series that time something else, {others} of {beside} were called.

{planted}

The same pairs of runs, taken so many at a time:

{by_runs}

### Which number of a process

The same runs, judged by other numbers of their samples. The noise is the
median of all series' A/A noise.

{numbers}

The {number} is taken, of equally many samples on both sides. What disturbs a
sample makes it longer, so that the others move more. It does not see what
makes some calls slower and leaves the fastest as they were. Nor does step 3
let through what slows, now and then, all that a process measures.
"""


def page():
    """Return the page as Markdown.

    Raises Broken where the record does not hold what it should.
    """
    share = figures.percent
    return TEXT.format(
        number=ranks.NUMBER,
        level=share(ranks.LEVEL),
        unlike=share(ranks.UNLIKE),
        limit=share(background.LIMIT),
        threshold=share(ranks.THRESHOLD),
        repeats=_repeats(),
        errs=_errs() if calibration.RECORD.exists() else NONE,
    )


def _repeats():
    head = ["Series compared together", "Runs a side"]
    rows = [[f"{n:,}", ranks.needed(n)] for n in COUNTS]
    return blocks.table(head, rows)


def _errs():
    found = files.json_data(calibration.RECORD)
    try:
        return ERRS.format(**_facts(found))
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise Broken(
            f"{calibration.RECORD}: {error!r} in it", "restore it with git"
        ) from None


def _facts(found):
    """Return what the text names, of the record."""
    whole, planted = found["unchanged"], found["planted"]
    own = whole["numbers"][ranks.NUMBER]
    trials = planted["numbers"][ranks.NUMBER]
    every = own["series"] * whole["splits"]
    called = own["called"][calibration.BEYOND]
    return {
        "of": found["of"],
        "pages": ", ".join(f"`{name}`" for name in found["pages"]),
        "runs": whole["runs"],
        "splits": whole["splits"],
        "series": own["series"],
        "called": f"{called:,}",
        "every": f"{every:,}",
        "share": f"{called / every:.2%}".replace("%", " %"),
        "few": figures.percent(calibration.FALSE),
        "kept": AIM[calibration.few(called, every)],
        "most": figures.percent(calibration.FOUND),
        "met": AIM[
            calibration.most(calibration.times_found(trials), len(trials))
        ],
        "figure": _alarms(own["called"], every),
        "apart": own["in order"][calibration.ALONE],
        "ordered": own["in order"][calibration.BEYOND],
        "level": figures.percent(ranks.LEVEL),
        "threshold": figures.percent(ranks.THRESHOLD),
        "number": ranks.NUMBER,
        "kernel": planted["kernel"],
        "page": planted["page"],
        "work": figures.percent(planted["work"]),
        "each": planted["runs"],
        "trials": planted["trials"],
        "found": calibration.times_found(trials),
        "others": sum(trial["others called"] for trial in trials),
        "beside": sum(trial["others"] for trial in trials),
        "planted": _ratios(trials, planted["work"]),
        "by_runs": _by_runs(planted["by runs"]),
        "numbers": _numbers(whole, planted),
    }


def _alarms(called, every):
    """Return the figure of what each step of the judgement lets through."""
    shares = {
        step: Quantity.exact(called[step] / every, "%")
        for step in calibration.STAGES
    }
    first, last = (
        shares[step] for step in (calibration.ALONE, calibration.BEYOND)
    )
    said = (
        f"Of unchanged series, {first} pass the test by themselves, and "
        f"{last} all steps that call one."
    )
    chart = figures.bars(shares, x="series let through")
    return blocks.raw(
        figures.as_html(chart, "false-alarms", alt=said, caption=said)
    )


def _ratios(trials, work):
    """Return the figure of the slow-down that each trial measured."""
    changes = {
        f"trial {k}": (Quantity(*trial["ratio"], "×") - 1).named("%")
        for k, trial in enumerate(trials, 1)
    }
    said = (
        f"Found in {calibration.times_found(trials)} of {len(trials)} "
        "trials. The change at the kernel's largest size; dashed: the "
        f"{figures.percent(work)} of work that was planted."
    )
    chart = figures.bars(changes, x="slower by", reference=work)
    return blocks.raw(
        figures.as_html(chart, "planted", alt=said, caption=said)
    )


def _by_runs(tried):
    """Return the table of how often so many runs a side find it."""
    head = ["Runs a side", "Found"]
    rows = [[t["runs"], f"{t['found']} of {t['trials']}"] for t in tried]
    return blocks.table(head, rows)


def _numbers(whole, planted):
    """Return the table of the ways to make one number of a process."""
    head = ["Number of a process", "A/A noise", "False alarms", "Found"]
    seen = {
        name: calibration.times_found(trials)
        for name, trials in planted["numbers"].items()
    }
    rows = [
        [name, f"{about['noise']:.1%}".replace("%", " %"),
         about["called"][calibration.BEYOND],
         f"{seen[name]} of {planted['trials']}"]
        for name, about in whole["numbers"].items()
    ]  # fmt: skip
    return blocks.table(head, rows)
