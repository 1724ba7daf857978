"""Sums and counts by a key, in a dict or in an array."""

import ast

from onthefly.diagnose.patterns import trees

# How a dict's item grows; KEY, VALUE and D stand for any expression.
GROWS = (
    "d_[k_] += v_",
    "d_[k_] = d_.get(k_, 0) + v_",
    "d_[k_] = v_ + d_.get(k_, 0)",
    "d_[k_] = d_.get(k_, 0.0) + v_",
    "if k_ in d_:\n d_[k_] += v_\nelse:\n d_[k_] = v_",
    "if k_ in d_.keys():\n d_[k_] += v_\nelse:\n d_[k_] = v_",
    "if k_ not in d_:\n d_[k_] = v_\nelse:\n d_[k_] += v_",
    "try:\n d_[k_] += v_\nexcept KeyError:\n d_[k_] = v_",
)
STARTS = (  # to stand before `d[k] += v`
    "if k_ not in d_:\n d_[k_] = z_",
    "d_.setdefault(k_, z_)",
)
EMPTY = (
    "{}",
    "dict()",
    "defaultdict(z_)",
    "collections.defaultdict(z_)",
    "Counter()",
    "collections.Counter()",
)


def grows(statements):
    """Return what one or two statements add to a dict, or None.

    Returns
    -------
    ({"d": the dict, "k": key, "v": value}, number of statements), or None

    """
    found = trees.first_match(GROWS, statements[0])
    if found and isinstance(found["d"], ast.Name):
        return found, 1
    start = trees.first_match(STARTS, statements[0])
    if not start or len(statements) < 2:
        return None
    found = trees.first_match(GROWS[:1], statements[1])
    zero = getattr(start["z"], "value", None) == 0
    if not found or not zero or not trees.same(found["d"], start["d"]):
        return None
    if not trees.same(found["k"], start["k"]):
        return None
    return (found, 2) if isinstance(found["d"], ast.Name) else None


def is_empty_dict(node):
    """Tell whether a tree makes an empty dict."""
    return node is not None and trees.first_match(EMPTY, node) is not None


def sums_in_dict(form, name, keys, values, whole):
    """Return statements that fill a dict with sums.

    Parameters
    ----------
    form    the ArrayForm
    name    of the dict
    keys    tree of an array
    values  tree of an array; of 1: for counts
    whole   whether the keys are known as whole numbers, 0 and above

    """
    counts = trees.same(values, ast.Constant(1))
    stems = "keys", "values", "counts", "sums", "found", "where"
    n = {stem: trees.fresh(stem, form.used) for stem in stems}
    n |= {"d": name, "K": trees.text(keys), "V": trees.text(values)}
    n["first"] = trees.fresh("first", form.used)
    lines = WHOLE if whole else ANY
    weights = "" if counts else ", {values}"
    if counts:
        lines = [line for line in lines if "{V}" not in line]
    form.note("np.bincount" if whole else "np.unique")
    text = "\n".join(lines).replace(", {values}", weights)
    return trees.statements(text.format(**n))


WHOLE = (
    "{keys} = np.asarray({K})",
    "{values} = {V}",
    "{first} = np.bincount({keys})",
    "{found} = np.flatnonzero({first})",
    "{sums} = np.bincount({keys}, {values})[{found}]",
    "{d} = dict(zip({found}.tolist(), {sums}.tolist()))",
)
ANY = (
    "{keys} = np.asarray({K})",
    "{values} = {V}",
    "{found}, {where} = np.unique({keys}, return_inverse=True)",
    "{sums} = np.bincount({where}, {values})",
    "{d} = dict(zip({found}.tolist(), {sums}.tolist()))",
)
