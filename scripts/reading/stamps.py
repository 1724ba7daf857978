"""The stamp of a page's last run: a file beside the executed notebook."""

import datetime

from onthefly import files
from onthefly.errors import CorruptFile, UserError
from onthefly.page.checkout import slug_of

# Parts of the key that are {name: hash}.
NAMED = ("files", "read", "recorded", "libraries")


def path_of(notebook):
    """Return where the stamp of an executed notebook lies."""
    return notebook.with_suffix(".json")


def read(path):
    """Return the stamp in a file, a dict.

    Its key is None where the run did not end.  Raises UserError where it
    cannot be read, CorruptFile where it is no stamp of the notebook beside
    it.
    """
    repair = f"run scripts/run.py {path.stem}"
    try:
        stamp = files.json_data(path)
    except CorruptFile as error:
        raise CorruptFile(error.fault, repair) from None
    except UserError as error:
        raise UserError(
            f"{str(error).rpartition('; ')[0]}; {repair}"
        ) from None
    fields = stamp if isinstance(stamp, dict) else {}
    wrong = [k for k, good in FORM.items() if not good(fields.get(k, ...))]
    if not wrong and fields["chapter"] != slug_of(path):
        wrong = ["chapter"]
    if wrong:
        lack = f"{path}: no {', '.join(wrong)} in it, or of another form"
        raise CorruptFile(lack, f"{repair} --force")
    return stamp


def _is_text(value):
    return isinstance(value, str)


def _is_moment(value):
    try:
        moment = datetime.datetime.fromisoformat(value)
        return bool(moment.tzinfo and moment.astimezone(datetime.UTC))
    except (TypeError, ValueError, OverflowError):
        return False


def _is_time(value):
    number = isinstance(value, int | float) and type(value) is not bool
    return number and 0 <= value < 1e9


def _is_key(value):
    return value is None or (
        isinstance(value, dict)
        and all(isinstance(value.get(part), dict) for part in NAMED)
    )


FORM = {
    "chapter": _is_text,
    "preset": _is_text,
    "device": _is_text,
    "machine": _is_text,
    "started": _is_moment,
    "duration_s": _is_time,
    "key": _is_key,
    "notebook_sha256": _is_text,
}
