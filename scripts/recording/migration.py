"""Carry recorded measurements over to code that only looks different.

The code that a measurement was made from is compared with today's, both by
today's rules: what is the same gets today's key, and what has really changed
keeps its old one, and so is stale.
"""

import contextlib
import dataclasses
import functools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from commandline import ROOT
from onthefly.errors import UserError
from onthefly.measure import data
from onthefly.page import checkout, dependencies, missing
from reading import notebooks

TEXTS = (".py", ".ipynb", ".c", ".pyx", ".proto", ".cjs")


@dataclasses.dataclass(frozen=True)
class Part:
    """A statement that a measurement is made from.

    text          in canonical form
    reads, bound  names
    """

    text: str
    reads: frozenset
    bound: frozenset


@dataclasses.dataclass(frozen=True)
class Asked:
    """A statement of a page that asks for a measurement.

    names     of measurements that stand in it; () where only a run knows
    parts     the [Part] that it is made from, the measuring one last
    taken     what these import
    code      the parts of its key that are code
    packages  names of the distributions that these use
    """

    names: tuple
    parts: tuple
    taken: frozenset
    code: dict
    packages: frozenset

    def became(self, new):
        """Tell whether another Asked measures the same by the same code.

        It may lack statements of this one, if what they bind is bound anew
        before anything that it has reads it.
        """
        files, now = self.code["files"], new.code["files"]
        return (
            self.names == new.names
            and new.taken <= self.taken
            and now.items() <= files.items()
            and (self._is_part(new) or self._is_in_another_order(new))
        )

    def _is_part(self, new):
        texts, kept = [part.text for part in new.parts], []
        for place, part in enumerate(self.parts):
            if len(kept) < len(texts) and part.text == texts[len(kept)]:
                kept.append(place)
        left = [p for p in range(len(self.parts)) if p not in kept]
        return len(kept) == len(texts) and all(
            self._is_bound_anew(name, place, kept)
            for place in left
            for name in self.parts[place].bound
        )

    def _is_bound_anew(self, name, place, kept):
        """Tell whether nothing that stays reads what a statement binds."""
        for later in kept:
            part = self.parts[later]
            if later > place and name in part.reads:
                return False
            if later > place and name in part.bound:
                return True
        return not any(name in self.parts[k].reads for k in kept)

    def _is_in_another_order(self, new):
        bound = [name for part in self.parts for name in part.bound]
        return len(bound) == len(set(bound)) and sorted(
            part.text for part in self.parts
        ) == sorted(part.text for part in new.parts)


def asked(notebook, package):
    """Return [(cell, line, Asked)] of a page, by today's rules.

    notebook  path
    package   dependencies.Package that it imports
    """
    sources = missing.running(notebooks.read(notebook)["cells"])
    every, places = [], {}
    for number, source in enumerate(sources):
        for statement in dependencies.statements(source):
            places[id(statement)] = len(every), number, statement.first
            every.append(statement)
    found = []
    for statement, key in dependencies.asked(sources, {}, package):
        place, number, line = places[id(statement)]
        found.append((number, line, _asked(every[: place + 1], key, package)))
    return found


def _asked(cells, key, package):
    """Return the Asked of the last of some Statements."""
    made = dependencies.made_from(cells, package)
    texts, taken = dependencies.slice_of(cells, package)
    parts = [
        Part(text, frozenset(one.reads), frozenset(one.bound))
        for text, one in zip(texts, made, strict=True)
    ]
    return Asked(
        tuple(dependencies.names_in(cells[-1])),
        tuple(parts),
        frozenset(taken),
        dependencies.code_of(key),
        frozenset(key["packages"]),
    )


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
    """Return {slug: [[cell, first, last, code]]} as a checkout has them."""
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


def migrate(commit, pairs, moved, merged=(), root=ROOT):
    """Give today's keys to what was recorded by a commit's code.

    pairs   [(old, new)], texts that were only renamed since
    moved   [(old, new)], files of the package that were
    merged  [(old, new)], slugs of pages that went into another one: with
            any, nothing is carried over but theirs

    Yields a line for each measurement that has really changed, and one for
    each file that is written.
    """
    with old_checkout(commit) as tree:
        merged = dict(merged)
        before = {
            checkout.slug_of(path): path
            for path in checkout.pages(tree / "notebooks")
            if not merged
            or checkout.slug_of(path) in {*merged, *merged.values()}
        }
        recorded_by = keys_of(tree, before.values())
        replace(tree, pairs)
        for old, new in moved:
            target = tree / "notebooks/onthefly" / new
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(tree / "notebooks/onthefly" / old, target)
        package = dependencies.Package(tree / "notebooks/onthefly")
        for slug, path in before.items():
            now = checkout.find_page(merged.get(slug, slug))
            if now is None:
                yield f"{slug}: no such page"
                continue
            codes = [
                (code, one)
                for number, first, last, code in recorded_by[slug]
                for cell, line, one in asked(path, package)
                if cell == number and first <= line <= last
            ]
            found = asked(now, dependencies.package())
            today = [one for _, _, one in found]
            for file in sorted((root / "book/data").glob(f"*/{slug}.json")):
                yield from _migrated(file, codes, today, pairs)
                if slug in merged:
                    yield _merge(file, file.with_stem(merged[slug]), today)


def _merge(file, target, today):
    """Put what a data file has of another page into that page's file.

    today  the [Asked] of that page; what is of none of them is left out

    What both have measured by the same code stays as that page has it.

    Returns a line on it.  Raises UserError where both have a measurement of
    one name, or the pages were measured with different parameters.
    """
    own = data.load(file)
    into = data.load(target) if target.exists() else data.load(file)
    if (own.preset, own.device, own.seed) != (
        into.preset, into.device, into.seed
    ):  # fmt: skip
        raise UserError(
            f"{_name(file)}: its parameters are not those of "
            f"{_name(target)}; repair: leave the pages apart"
        )
    if not target.exists():
        into.groups, into.looks = {}, {}
    codes = [one.code for one in today]
    for part in ("groups", "looks"):
        there = getattr(into, part)
        for name, group in getattr(own, part).items():
            code = _code_of(group.key)
            if code not in codes:
                continue
            if name in there and _code_of(there[name].key) == code:
                continue
            if name in there:
                raise UserError(
                    f"{_name(file)}: {name}: {_name(target)} has one of this "
                    "name; repair: rename it in the page, and --replace it"
                )
            there[name] = group
    into.page = target.stem
    data.save(into, target)
    file.unlink()
    return f"{_name(file)}: merged into {_name(target)}"


def _renamed(name, pairs):
    """Return the name that a measurement has after replacements."""
    text = f'"{name}"'
    for pair in pairs:
        text = text.replace(*pair)
    return text.strip('"')


def _migrated(file, codes, today, pairs=()):
    """Yield lines on one data file, and write it."""
    own, changed = data.load(file), False
    for old_name, group in list((own.groups | own.looks).items()):
        recorded = _code_of(group.key)
        if recorded in [one.code for one in today]:
            continue
        olds = [one for code, one in codes if code == recorded]
        if not olds:
            yield f"{_name(file)}: {old_name}: was stale already"
            continue
        name = _renamed(old_name, pairs)
        fitting = (
            new
            for old in olds
            for new in today
            if old.became(new) and (not new.names or name in new.names)
        )
        new = next(fitting, None)
        if new is None:
            yield f"{_name(file)}: {name}: {_difference(olds[0], today)}"
            continue
        for part in (*dependencies.CODE, "lab"):
            group.key.pop(part, None)
        group.key.update(new.code)
        known = _versions(file.parent) | group.key.get("packages", {})
        if new.packages <= known.keys():
            group.key["packages"] = {k: known[k] for k in new.packages}
        for found in (own.groups, own.looks):
            if old_name in found and name != old_name:
                found[name] = found.pop(old_name)
        changed = True
    if changed:
        data.save(own, file)
        yield f"{_name(file)}: written"


@functools.cache
def _versions(folder):
    """Return {distribution: version} of what a machine recorded with.

    Those of which it had one version alone.
    """
    found = {}
    for path in folder.glob("*.json"):
        own = data.load(path)
        for group in (own.groups | own.looks).values():
            for name, version in group.key.get("packages", {}).items():
                found.setdefault(name, set()).add(version)
    return {k: next(iter(v)) for k, v in found.items() if len(v) == 1}


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
        was, now = ([p.text for p in x.parts] for x in (old, one))
        less = [text for text in was if text not in now]
        more = [text for text in now if text not in was]
        if was != now:
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
