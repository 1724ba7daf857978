#!/usr/bin/env python3
"""Answer a reader's questions from what is recorded.

    python scripts/questions.py [WORD ...] [--machine NAME]

Prints the questions in which all of the words stand, or all questions, each
with the answer that its page gives on the machine: this build's, or the one
that the book was recorded on.

Exit code 0: some question fits; 1: none does; 2: refused.
"""

import sys
import textwrap

from commandline import Parser, command, unknown, width
from onthefly.page import claims, results
from reading import questions
from rendering.copy import Copy
from rendering.questions import OF_VERDICTS, of_copy, of_run


def parse(argv):
    """Return the parsed command line."""
    parser = Parser(__doc__, whole=True)
    parser.add_argument("words", nargs="*", metavar="WORD")
    parser.add_argument("--machine", metavar="NAME", help="whose answers")
    return parser.parse_args(argv)


def fits(question, words):
    """Tell whether all words stand in a question, in either case."""
    text = question.asks.casefold()
    return all(word.casefold() in text for word in words)


def newest(page, machine):
    """Return the Results of a page that were measured last, or None.

    machine  name of the only machine that is asked, or None
    """
    runs = results.find(page, machine).values()
    return max(runs, key=lambda run: run.machine["time"], default=None)


def as_text(one):
    """Return a question and its answer as lines that fit the terminal."""
    doubt = f"({one.doubt}) " if one.doubt else ""
    parts = [
        one.question.asks,
        f"  {doubt}{one.text or 'Not measured yet.'}",
        f"  [{one.question.page}{one.whose and '; '}{one.whose}]",
    ]
    fill = textwrap.TextWrapper(width(), subsequent_indent="  ").fill
    return "\n".join(map(fill, parts))


@command
def main(argv=None):
    """Print the questions that fit; return the exit code."""
    options = parse(argv)
    groups = questions.load().values()
    asked = [q for group in groups for q in group if fits(q, options.words)]
    known = claims.machines()
    if options.machine and options.machine not in known:
        raise unknown("machine", options.machine, known)
    runs = {q.page: newest(q.page, options.machine) for q in asked}
    for question in asked:
        if question.page in OF_VERDICTS:  # of all that is recorded
            one = of_copy(question, Copy({}))
        else:
            one = of_run(question, runs[question.page])
        print(as_text(one))
    return 0 if asked else 1


if __name__ == "__main__":
    sys.exit(main())
