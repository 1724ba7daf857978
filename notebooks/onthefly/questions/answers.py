"""The questions with their answers: of a checkout, or as they are shipped.

The build of the package calls `as_json` and writes `SHIPPED`; so this module
loads nothing that is not there while a package is built.
"""

import functools
import json
import re

from onthefly import files
from onthefly.errors import CorruptFile
from onthefly.folders import CHECKOUT, PACKAGE, RECORDED, results_dir
from onthefly.questions import asked

SHIPPED = RECORDED.parent / "answers.json"  # where it is installed
CONCLUDED = CHECKOUT / "book" / "results" if CHECKOUT else None
# What the data make of an answer, in words.
DOUBTS = {
    "holds": "",
    "not resolved": "not settled in these data",
    "not so": "these data say otherwise",
}
REPAIR = "restore it with git, or move it away and run the page again"


def load():
    """Return what is known, as `answers` does; raises UserError."""
    if not CHECKOUT:
        return files.json_data(SHIPPED)
    return answers([results_dir(), CONCLUDED])


def as_json():
    """Return what the package ships, as JSON text: what is recorded."""
    known = answers([CONCLUDED])
    return json.dumps(known, ensure_ascii=False, indent=0)


def answers(folders):
    """Return the book's questions and its answers, JSON-ready.

    folders  of results, a folder a machine in each; of a page and a machine
             the first one counts

    It is {"questions": [one dict each], "words": {page: its words},
    "machines": names of those that concluded anything}.  A question has
    group, id, asks, page, title, link, and answers: of each machine that has
    one, the newest first, text, doubt, of, machine.

    Raises UserError where a file cannot be read.
    """
    groups = asked.load()
    titles = files.yaml_data(asked.PATH.with_name("claims.yml"))["chapters"]
    pages = {q.page for some in groups.values() for q in some}
    runs = {page: _runs(page, folders) for page in pages}
    return {
        "questions": [
            {
                "group": group,
                "id": one.id,
                "asks": one.asks,
                "page": one.page,
                "title": titles.get(one.page) or _heading(one.page),
                "link": f"{_place(one.page)}.html#{one.at}",
                "answers": [
                    _answer(one.id, run, path)
                    for run, path in runs[one.page]
                    if one.id in run.get("answers", {})
                ],
            }
            for group, some in groups.items()
            for one in some
        ],
        "words": {page: _words(page) for page in sorted(pages)},
        "machines": sorted(
            {path.name for folder in folders for path in folder.glob("*/")}
        ),
    }


def _runs(page, folders):
    """Return [(results, path)] of a page, one a machine, the newest first."""
    by_machine = {}
    for folder in folders:
        for path in sorted(folder.glob(f"*/{page}.json")):
            if path.parent.name not in by_machine:
                by_machine[path.parent.name] = files.json_data(path), path
    try:
        return sorted(
            by_machine.values(),
            key=lambda pair: pair[0]["machine"]["time"],
            reverse=True,
        )
    except (KeyError, TypeError) as error:
        raise CorruptFile(f"results of {page}: {error!r}", REPAIR) from None


def _answer(question, run, path):
    """Return what a page's results say to a question."""
    try:
        verdict = run["expected"][f"the answer to {question}"]["verdict"]
        machine = run["machine"]["slug"]
        day = run["machine"]["time"][:10]
        return {
            "text": run["answers"][question],
            "doubt": DOUBTS[verdict],
            "of": f"{machine}, {day}, preset {run['preset']}",
            "machine": machine,
        }
    except (KeyError, TypeError) as error:
        raise CorruptFile(f"{path}: {error!r} in it", REPAIR) from None


@functools.cache
def _place(page):
    """Return a page's path from the checkout, without its end.

    one-decorator -> notebooks/compiling/one_decorator
    """
    name = page.replace("-", "_")
    found = sorted(PACKAGE.parent.glob(f"*/{name}.ipynb"))
    path = found[0] if found else asked.PATH.with_name(name)
    return path.relative_to(CHECKOUT).with_suffix("").as_posix()


def _heading(page):
    """Return the title of a page of book/."""
    path = CHECKOUT / f"{_place(page)}.md"
    found = re.search(r"^# (.+)$", files.text(path), re.M)
    return found[1] if found else page


def _words(page):
    """Return the words of a page's prose, each once, sorted, in one text."""
    path = CHECKOUT / f"{_place(page)}.ipynb"
    if not path.exists():
        return ""
    cells = files.json_data(path)["cells"]
    prose = "".join(
        "".join(cell["source"]) for cell in cells
        if cell["cell_type"] == "markdown"
    )  # fmt: skip
    return " ".join(sorted(set(words_in(prose))))


def words_in(text):
    """Return the words of a text, in small letters."""
    return re.findall(r"\w+", text.casefold())
