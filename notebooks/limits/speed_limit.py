"""What *The speed limit* concludes."""

from onthefly import figures
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, judge, table

SHOWN = (
    "Python",
    "NumPy, rand",
    "Numba, documented",
    "Numba, int",
    "Numba, vectors",
    "C vectors, lanes",
)


def per_shot(times, shots):
    return {k: times.seconds(k, shots) / shots for k in times.names}


def hash_gain(times, hashed, shots):
    return {k: times.ratio(k, hashed, shots) for k in times.names}


def gain(times, fastest, shots):
    return {k: times.ratio(k, fastest, shots) for k in times.names}


def beside_hash(times, hashed, shots):
    return {k: times.ratio(hashed, k, shots) for k in times.names}


@figure(x="time a shot", log=True, better="less")
def headline(one_core_ranked):
    return {k: q for k, q in one_core_ranked.items() if k in SHOWN}


@figure(x="time a shot", log=True, better="less")
def one_core_figure(one_core_ranked):
    return one_core_ranked


def one_core_ranked(per_shot):
    return dict(sorted(per_shot.items(), key=lambda pair: -pair[1].value))


@expect
def wider_numbers_cost(hash_gain):
    single, double = hash_gain["Numba, float32"], hash_gain["Numba, float64"]
    return single > 1, double / single > 1


@judge("limit-against-documented-example")
def against_documented_example(gain, documented):
    return gain[documented]


@judge("limit-against-c-twin")
def against_c_twin(beside_hash):
    """By {in_c[compiler]}."""
    return beside_hash["C"]


def share(limits, together, freed, shots):
    return limits.shares(together, freed, shots)


@table
def limit_of_each(limits, together, freed, shots):
    """Instructions, limit and share of each loop."""
    return limits.rows(together, freed, shots)


@figure(x="share of the limit reached", reference=1)
def share_figure(share):
    return share


def cycle(limits, together):
    return limits.cycle(together)


def in_a_cycle(cycle, together, freed, hashed):
    limit = together.seconds(f"limit of {hashed}")
    return (cycle / freed[hashed].an_instruction(limit)).named("")


def each_shot(freed):
    return {name: f"{one.per_shot:.2f}" for name, one in freed.items()}


@expect
def fewest_by_hand(freed, hashed):
    by_hand, numba, c = (freed[k] for k in ("C vectors", hashed, "C"))
    return (
        [k.multiply_adds for k in (by_hand, numba, c)] == [1, 2, 0],
        by_hand.per_shot < numba.per_shot < c.per_shot,
    )


@judge("limit-against-hand-written-vectors")
def against_vectors(times, per_shot, fastest, shots):
    """In vectors of {in_c[bits]} bits."""
    by_hand = ("C vectors", "C vectors, lanes")
    best = min(by_hand, key=lambda k: per_shot[k].value)
    return times.ratio(fastest, best, shots)


@answer("fastest-pi")
def fastest_pi(gain, documented, beside_hash, fastest):
    """{per_shot[Numba, vectors].about} a shot on one core, by generators in
    the processor's vectors, said in Python by LLVM's vector types: that is
    {gain[Python].as_speed} Python's loop and
    {gain[Numba, documented].as_speed} the example of Numba's documentation.
    Without vectors by hand, a Numba loop that hashes the number of the shot
    takes {per_shot[Numba, int].about}. Let the processor never wait for a
    draw.
    """
    return (
        gain["Python"] > 100,
        gain[documented] > 1,
        beside_hash[fastest] > 1,
    )


def speeds(all_cores, teams):
    return all_cores.speeds(teams)


@figure
def all_cores_figure(speeds, cores):
    return figures.speed_against_threads(speeds, cores)


def threads_gain(speeds, cores):
    return speeds["nogil threads"][cores]


@judge("limit-all-cores")
def limit_all_cores(threads_gain, speeds, cores):
    return threads_gain / speeds["mix"][cores]


def controls_gain(teams, cores):
    return {
        k: cores * teams.ratio(f"{k}, 1", f"{k}, {cores}")
        for k in ("chain", "mix")
    }


def lattices(price):
    return price.lattices()


@table
def bends(price, teams, cores, many):
    """Where the law bends, by bits."""
    return price.rows(teams.seconds(f"nogil threads, {cores}") / many)


def later(price, lattices):
    quarter = price.bend(lattices["16"])
    return price.bend(lattices["16, whole circle"]) / quarter


@table
def quality(price, large, small, size, centre):
    """Tests of the hashes."""
    own = large["row"] | {"hash": "this page's, large blocks"}
    rows = (price.row(k, hits, size, centre) for k, hits in small.items())
    return [own, *rows]


def tested(price, small, size, centre):
    return [price.tests(hits, size, centre) for hits in small.values()]


def lowest(tested, large):
    own, in_vectors, _ = tested
    return min(*own.values(), *in_vectors.values(), *large["tests"].values())


def off(large):
    return Quantity.exact(large["off"])


def power(large):
    return Quantity(*large["power"])
