"""The commits that runs belong to, as git tells."""

import subprocess

DIRTY = "-dirty"  # the checkout held changes that are in no commit


def _git(root, *arguments):
    """Return what a git command prints, "" where it cannot say."""
    command = ["git", "-C", str(root), *arguments]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, encoding="utf-8"
        )
    except OSError:
        return ""
    return "" if done.returncode else done.stdout.strip()


def short(commit):
    """Return a commit as people write it, "" for none."""
    sha, dirty, _ = commit.partition(DIRTY)
    return sha[:8] + ("+" if dirty else "")


def of_checkout(folder):
    """Return the commit that is checked out, marked where files differ.

    folder  of the checkout; of a copy that git does not know, as below a
            build folder, there is none: ""
    """
    if not _git(folder, "ls-files", "--", "."):
        return ""
    return _git(
        folder, "describe", "--always", "--exclude=*", "--abbrev=40",
        f"--dirty={DIRTY}",
    )  # fmt: skip


def of_file(path):
    """Return the commit that recorded a file as it is, "" for none."""
    folder, name = path.resolve().parent, path.name
    if _git(folder, "status", "--porcelain", "--ignored", "--", name):
        return ""
    return _git(folder, "log", "-1", "--format=%H", "--", name)


def dates(root, commits):
    """Return {commit: seconds since 1970} of those that git knows there.

    The author's date, as asv takes it.
    """
    found = {}
    for commit in commits:
        told = _git(
            root, "show", "-s", "--format=%at", f"{commit}^{{commit}}"
        )
        if told:
            found[commit] = int(told)
    return found


def branch(root):
    """Return the name of the branch, or HEAD where there is none."""
    return _git(root, "rev-parse", "--abbrev-ref", "HEAD") or "HEAD"


def named(root, revision):
    """Return the full commit that a name means, "" for none."""
    return _git(root, "rev-parse", "--verify", "-q", f"{revision}^{{commit}}")
