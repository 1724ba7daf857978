"""Answer questions about fast Python, with the numbers of a machine.

    onthefly questions                    all questions
    onthefly questions prange             those with this word
    onthefly questions pool --machine NAME

Prints each question that contains all the words, or whose answer does, with
its answer and the page of the book that measured it.  The numbers are those
of the machine that measured it last; --machine chooses another.  If nothing
matches, the nearest questions are printed.

Exit codes: 0 something matches; 1 nothing does; 2 refused.
"""

import json
import sys
import textwrap

from onthefly.terminal import unknown, width

LATER = "Not measured yet."


def add_arguments(parser):
    """Name what the command takes."""
    add = parser.add_argument
    add("words", nargs="*", metavar="WORD")
    add(
        "--machine",
        metavar="NAME",
        help="the machine whose numbers are shown",
    )
    add("--json", action="store_true", help="print JSON")


def run(options):
    """Print the questions that fit; return the exit code."""
    from onthefly.questions import answers, search

    known = answers.load()
    entries = known["questions"]
    if options.machine:
        if options.machine not in known["machines"]:
            raise unknown("machine", options.machine, known["machines"])
        entries = _of_machine(entries, options.machine)
    fitting = search.found(entries, options.words)
    near = []
    if not fitting:
        near = search.nearest(entries, options.words, known["words"])
    if options.json:
        data = {"words": options.words, "found": fitting, "nearest": near}
        print(json.dumps(data, indent=1, ensure_ascii=False))
    else:
        _show(fitting, near, options.words)
    return 0 if fitting else 1


def _of_machine(entries, name):
    """Return the questions with the answers of one machine."""
    return [
        one | {"answers": [a for a in one["answers"] if a["machine"] == name]}
        for one in entries
    ]


def _show(fitting, near, words):
    """Print the questions that fit, or those that come nearest."""
    if not fitting:
        more = "; nearest:" if near else "; see all: onthefly questions"
        print(
            f"No question contains: {' '.join(words)}{more}", file=sys.stderr
        )
    for one in fitting or near:
        print(_text(one))


def _text(one):
    """Return a question and its answer as lines that fit the terminal."""
    newest = next(iter(one["answers"]), None)
    of = f"; {newest['of']}" if newest else ""
    parts = [one["asks"], f"  {_answer(one, newest)}",
             f"  [{one['title']}: {one['link']}{of}]"]  # fmt: skip
    fill = textwrap.TextWrapper(
        width(), subsequent_indent="  ", break_on_hyphens=False,
        break_long_words=False,
    ).fill  # fmt: skip
    return "\n".join(map(fill, parts))


def _answer(one, newest):
    if newest:
        doubt = f"({newest['doubt']}) " if newest["doubt"] else ""
        return f"{doubt}{newest['text']}"
    if one["link"].startswith("book/"):
        return "The page behind the link answers it."
    return LATER
