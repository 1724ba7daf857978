#!/usr/bin/env python3
"""Judge simulated runs whose truth is known: how often is a verdict wrong?

    python scripts/simulate.py [--runs 1000] [--seed 0] [--rule RULE]

Samples are made up from a truth and a noise, and take the way of measured
ones: Series, Timings, a ratio, a fit or a share, claims.judge.  Each rule is
tried with truths at the edges of its band, 1 % inside and 1 % outside, where
it errs most, under each noise:

quiet      a spread of 2 %
spread     another of 20 %
spikes     one sample in thirty is two to ten times as long
drift      the machine changes its speed by three quarters
neighbour  another program takes one of two cores, and up to two thirds of
           the time
crowd      others take all cores

A noise hits both candidates of a round by one factor, each by its own, or
one alone; a neighbour that slows one alone took the cores that it needs.
"wrong" is the share of wrong verdicts at the worst truth, "not resolved"
being none; at most 5 %.  "resolved" is the share of right verdicts on a
quiet machine at truths twice as far as an edge, at least 90 %: for near, the
published value, and that times or over the factor squared; for equals, the
value and twice its distance; for a bound, 1.25 squared beyond it; for holds,
never, always, and failing twice as often as the least share allows; for
occurs, never, and twice as often as said.  1.25 and the shares are those of
claims.py.

Exit code 0: both bounds are kept; 1: a row breaks one, and is marked.
"""

import sys

from commandline import Parser, command
from onthefly.refused import Refused

WRONG, RESOLVED = 0.05, 0.90
LINE = "{:<14} {:<10} {:<5} {:>7} {:>8} {:>9}  {}"


def parse(argv):
    """Return the parsed command line."""
    from onthefly import claims

    parser = Parser(__doc__, whole=True)
    add = parser.add_argument
    add("--runs", type=int, default=1000, help="of each row (default: 1000)")
    add("--seed", type=int, default=0, help="of the samples (default: 0)")
    add("--rule", choices=claims.RULES, help="one rule only")
    options = parser.parse_args(argv)
    if options.runs < 1:
        raise Refused(f"--runs {options.runs}: give at least 1")
    if options.seed < 0:
        raise Refused(f"--seed {options.seed}: give 0 or more")
    return options


def broken(row):
    """Tell whether a row breaks a bound."""
    unsure = row.resolved is not None and row.resolved < RESOLVED
    return row.wrong > WRONG or unsure


@command
def main(argv=None):
    """Run the simulation; return its exit status."""
    options = parse(argv)
    from simulating import questions, runs

    asked = {
        name: question
        for name, question in questions.QUESTIONS.items()
        if options.rule in (None, question.expect["rule"])
    }
    print(LINE.format("rule", "noise", "hits", "wrong", "at", "resolved", ""))
    bad = 0
    for row in runs.rows(asked, options.runs, options.seed):
        bad += broken(row)
        resolved = "" if row.resolved is None else f"{row.resolved:.1%}"
        print(
            LINE.format(
                row.rule, row.kind, row.hits, f"{row.wrong:.1%}",
                f"{row.truth:.4g}", resolved, "BROKEN" if broken(row) else "",
            ).rstrip(),
            flush=True,
        )  # fmt: skip
    print(f"{bad} rows break a bound" if bad else "both bounds are kept")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
