"""Carry recorded measurements over to code that only looks different.

The code that a measurement was made from is compared with today's, both by
today's rules: what is the same gets today's key, and what has really changed
keeps its old one, and so is stale.
"""

import contextlib
import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from commandline import ROOT
from onthefly import checkout, data, dependencies, missing
from onthefly.errors import UserError
from reading import notebooks

TEXTS = (".py", ".ipynb", ".c", ".pyx", ".proto", ".cjs")


@dataclasses.dataclass(frozen=True)
class Asked:
    """A statement of a page that asks for a measurement.

    names   of measurements that stand in it; () where only a run knows them
    texts   the statements that it is made from, in canonical form
    twice   whether two of them bind the same name, so that order counts
    taken   what these import
    code    the parts of its key that are code
    """

    names: tuple
    texts: tuple
    twice: bool
    taken: tuple
    code: dict

    def is_as(self, other):
        """Tell whether it measures the same by the same code."""
        same = self.texts == other.texts or (
            not (self.twice or other.twice)
            and sorted(self.texts) == sorted(other.texts)
        )
        return (
            same
            and self.taken == other.taken
            and self.names == other.names
            and self.code["files"] == other.code["files"]
        )


def asked(notebook, package):
    """Return {place of the statement: Asked} of a page.

    notebook  path
    package   dependencies.Package that it imports
    """
    sources = missing.running(notebooks.read(notebook)["cells"])
    every = [s for x in sources for s in dependencies.statements(x)]
    places = {id(statement): k for k, statement in enumerate(every)}
    found = {}
    for statement, key in dependencies.asked(sources, {}, package):
        place = places[id(statement)]
        made = dependencies.made_from(every[: place + 1], package)
        bound = [name for one in made for name in one.bound]
        texts, taken = dependencies.slice_of(every[: place + 1], package)
        found[place] = Asked(
            tuple(dependencies.names_in(statement)),
            tuple(texts),
            len(bound) > len(set(bound)),
            tuple(taken),
            dependencies.code_of(key),
        )
    return found


@contextlib.contextmanager
def old_checkout(commit):
    """Yield the folder of a checkout of a commit.

    Raises UserError where git does not have it.
    """
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder) / "book"
        _git("worktree", "add", "--quiet", "--detach", str(tree), commit)
        try:
            yield tree
        finally:
            _git("worktree", "remove", "--force", str(tree))


def _git(*arguments):
    done = subprocess.run(
        ["git", "-C", str(ROOT), *arguments], capture_output=True, text=True
    )
    if done.returncode:
        raise UserError(f"git {arguments[0]}: {done.stderr.strip()}")


def keys_of(tree, paths):
    """Return {slug: [[place, code]]} as the code of a checkout has them."""
    folders = [tree / "notebooks", tree / "scripts"]
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts/recording/old_keys.py")]
        + [str(path) for path in paths],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders))},
        capture_output=True,
        text=True,
        cwd=tree,
    )
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1]
        raise UserError(f"the keys of that commit cannot be made: {last}")
    return json.loads(done.stdout)


def replace(tree, pairs):
    """Replace texts in the code of a checkout: what was only renamed.

    pairs  [(old, new)]
    """
    for path in (tree / "notebooks").rglob("*"):
        if path.suffix in TEXTS:
            text = new = path.read_text(encoding="utf-8")
            for pair in pairs:
                new = new.replace(*pair)
            if new != text:
                path.write_text(new, encoding="utf-8")


def migrate(commit, pairs, moved, root=ROOT):
    """Give today's keys to what was recorded by a commit's code.

    pairs  [(old, new)], texts that were only renamed since
    moved  [(old, new)], files of the package that were

    Yields a line for each measurement that has really changed, and one for
    each file that is written.
    """
    with old_checkout(commit) as tree:
        before = {
            checkout.slug_of(path): path
            for path in checkout.pages(tree / "notebooks")
        }
        recorded_by = keys_of(tree, before.values())
        replace(tree, pairs)
        for old, new in moved:
            target = tree / "notebooks/onthefly" / new
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(tree / "notebooks/onthefly" / old, target)
        package = dependencies.Package(tree / "notebooks/onthefly")
        for slug, path in before.items():
            now = checkout.find_page(slug)
            if now is None:
                yield f"{slug}: no such page"
                continue
            was = asked(path, package)
            codes = [(code, was[k]) for k, code in recorded_by[slug]]
            today = list(asked(now, dependencies.package()).values())
            for file in sorted((root / "book/data").glob(f"*/{slug}.json")):
                yield from _migrated(file, codes, today)


def _migrated(file, codes, today):
    """Yield lines on one data file, and write it."""
    own, changed = data.load(file), False
    for name, group in (own.groups | own.looks).items():
        recorded = _code_of(group.key)
        if recorded in [one.code for one in today]:
            continue
        old = next((one for code, one in codes if code == recorded), None)
        if old is None:
            yield f"{_name(file)}: {name}: was stale already"
            continue
        new = next((one for one in today if one.is_as(old)), None)
        if new is None:
            yield f"{_name(file)}: {name}: {_difference(old, today)}"
            continue
        for part in (*dependencies.CODE, "lab"):
            group.key.pop(part, None)
        group.key.update(new.code)
        changed = True
    if changed:
        data.save(own, file)
        yield f"{_name(file)}: written"


def _code_of(key):
    """Return the parts of a key that are code, also of an older form."""
    parts = (*dependencies.CODE, "lab")
    return {part: key[part] for part in parts if part in key}


def _name(file):
    return f"{file.parent.name}/{file.stem}"


def _difference(old, today):
    """Say what differs between an Asked and the most similar one."""
    same = [one for one in today if one.names == old.names]
    if not same:
        return "not in the page"

    def words(one):
        parts = []
        less = [t for t in old.texts if t not in one.texts]
        more = [t for t in one.texts if t not in old.texts]
        if less or more or old.texts != one.texts:
            parts.append(
                f"cells ({len(less)} statements less, {len(more)} more)"
            )
        if old.taken != one.taken:
            parts.append("imports")
        if files := dependencies.changes(
            {"files": old.code["files"]}, {"files": one.code["files"]}
        ):
            parts += files
        return ", ".join(parts)

    return min(map(words, same), key=len)
