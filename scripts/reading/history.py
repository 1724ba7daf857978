"""What git knows of the ledger: did a rule stand before its first result?"""

import dataclasses
import json
import re
import subprocess

from onthefly.errors import UserError

# As git names them, from the checkout's folder.
LEDGER = "book/claims.yml"
RESULTS = "book/results"
UNCOMMITTED = "0" * 40


@dataclasses.dataclass(frozen=True)
class Age:
    """When a claim's rule was last changed, and when it was first judged.

    rule, result  commits; the rule's is `UNCOMMITTED` where it is in none
    order         above 0: the rule is younger than the result; 0: they came
                  in one commit; below 0: the rule came first
    """

    claim: str
    rule: str
    result: str
    order: int

    def __str__(self):
        rule = "not committed yet"
        if self.rule != UNCOMMITTED:
            rule = f"of {self.rule[:8]}"
        return f"{self.claim}: rule {rule}, first result of {self.result[:8]}"


def ages(root):
    """Return the Age of each claim that has a rule and a recorded result.

    root  folder of the checkout

    Raises UserError where git is missing or knows no history.
    """
    if git(root, "rev-parse", "--is-shallow-repository").strip() != "false":
        raise UserError(
            f"{root}: the history is cut off (a shallow clone); repair: git "
            "fetch --unshallow"
        )
    log = git(root, "log", "--date-order", "--reverse", "--format=%H")
    place = {commit: k for k, commit in enumerate(log.split())}
    place[UNCOMMITTED] = len(place)
    rules, results = _rules(root, place), _results(root)
    return [
        Age(claim, rule, results[claim], place[rule] - place[results[claim]])
        for claim, rule in rules.items()
        if claim in results
    ]


def git(root, *arguments):
    """Return what a git command prints."""
    command = ["git", "-C", str(root), *arguments]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, encoding="utf-8"
        )
    except FileNotFoundError:
        raise UserError("git is missing; install it") from None
    if done.returncode:
        why = (done.stderr.splitlines() or ["no reason given"])[0]
        repair = "run it in a clone of the book"
        if "dubious ownership" in why:  # git's own words tell the repair
            repair = f"git config --global --add safe.directory {root}"
        raise UserError(f"{root}: {why}; repair: {repair}")
    return done.stdout


def _rules(root, place):
    """Return {claim: the last commit that changed its rule}."""
    rules, claim, inside = {}, None, False
    for commit, line in _blamed(root):
        if match := re.match(r"\s*- id: *(\S+)", line):
            claim = match[1].strip("'\"")
        if line.startswith("    expect:"):
            inside = True
        elif not line.startswith("     "):  # no more lines of that entry
            inside = False
        if inside:
            last = rules.get(claim, commit)
            rules[claim] = max(last, commit, key=place.__getitem__)
    return rules


def _blamed(root):
    """Yield (commit, line) of the ledger's lines."""
    commit = ""
    text = git(root, "blame", "--porcelain", "-w", "--", LEDGER)
    for line in text.split("\n"):
        if line.startswith("\t"):
            yield commit, line[1:]
        elif match := re.match(r"[0-9a-f]{40}(?= )", line):
            commit = match[0]


def _results(root):
    """Return {claim: the first commit that holds a result of it}."""
    log = git(
        root, "log", "--date-order", "--reverse", "--raw", "--no-abbrev",
        "--no-renames", "--format=%H", "--", RESULTS,
    )  # fmt: skip
    versions, commit = [], ""
    for line in log.splitlines():
        if not line.startswith(":"):
            commit = line or commit
        elif line.endswith(".json") and line.split()[4] != "D":
            versions.append((commit, line.split()[3]))
    first = {}
    blobs = _blobs(root, [blob for _, blob in versions])
    for (commit, _), text in zip(versions, blobs, strict=True):
        for claim in _judged(text):
            first.setdefault(claim, commit)
    return first


def _blobs(root, names):
    """Return the texts of blobs, all by one process."""
    if not names:
        return []
    command = ["git", "-C", str(root), "cat-file", "--batch"]
    given = "".join(f"{name}\n" for name in names).encode()
    out = subprocess.run(
        command, input=given, capture_output=True, check=True
    ).stdout
    texts = []
    while out:
        head, _, out = out.partition(b"\n")
        size = int(head.split()[2])
        texts.append(out[:size])
        out = out[size + 1 :]
    return texts


def _judged(text):
    """Return the claims that a results file holds a quantity of."""
    try:
        own = json.loads(text)
        return list(own.get("onthefly", own)["quantities"])
    except (ValueError, KeyError, TypeError, AttributeError):  # no results
        return []
