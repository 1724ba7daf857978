"""What *How fast can a Monte Carlo loop be in Python?* concludes."""

import dataclasses

from onthefly import figures
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, judge, table


def per_shot(times, shots):
    return {k: times.seconds(k, shots) / shots for k in times.names}


def hash_gain(times, hashed, shots):
    return {k: times.ratio(k, hashed, shots) for k in times.names}


def gain(times, fastest, shots):
    return {k: times.ratio(k, fastest, shots) for k in times.names}


def beside_hash(times, hashed, shots):
    return {k: times.ratio(hashed, k, shots) for k in times.names}


def forced(book):
    """Return what `forceinline=True` gains the documented example."""
    repairs = book.timings_of("case-the-lost-factor", "repairs")
    return repairs.ratio("as it is", "forceinline=True", 10**5)


def over_forced(like, shots):
    """Return the vectors' gain over that example, timed together."""
    return like.ratio("documented, forceinline", "xoroshiro128+", shots)


def c_over_vectors(like, shots):
    """Return what the vectors' generator takes in C, over the vectors."""
    return like.ratio("xoroshiro128+, C by hand", "xoroshiro128+", shots)


def cipher_over_vectors(like, shots):
    return like.ratio("xoroshiro128+", "AES", shots)


def cipher_over_forced(like, shots):
    return like.ratio("documented, forceinline", "AES", shots)


def c_over_cipher(like, shots):
    return like.ratio("AES, C by hand", "AES", shots)


def enough(batteries, aes):
    """Return whether the rounds of the loop pass both batteries."""
    said = batteries.verdict(batteries.aes_of(aes.ROUNDS))
    return said == "passes SmallCrush and Crush"


def reversed_passes(batteries, aes):
    """Return whether those rounds pass with the bits in reverse order."""
    tested = batteries.aes_of(aes.ROUNDS)
    failed = [
        batteries.failures(run["p"])
        for run in batteries.recorded()
        if run["backwards"] and run["generator"] == tested
    ]
    return bool(failed) and not any(failed)


def c_over_hash(like, shots):
    return like.ratio("hash, C by hand", "hash", shots)


def timed_where(like):
    return f"recorded on {like.origin}" if like.origin else "on this machine"


@table
def like_for_like(like, shots, batteries, aes, timed_where):
    """Time of a point by each generator, {timed_where}."""
    forced = "documented, forceinline"
    kinds = {  # {generator: (in Numba, its name for the tests)}
        "Mersenne Twister (the example, forceinline)": (forced, ""),
        "hash of the index": ("hash", "hash"),
        "xoroshiro128+, vectors": ("xoroshiro128+", "xoroshiro128+"),
        "AES": ("AES", batteries.aes_of(aes.ROUNDS)),
    }

    def a_point(way):
        """Return a time without its mark: the caption says whose it is."""
        if way not in like.names:
            return "–"
        return dataclasses.replace(
            like.seconds(way, shots) / shots, origin=""
        ).short

    return [
        {
            "generator": generator,
            "Numba": a_point(way),
            "C by hand": a_point(f"{way}, C by hand"),
            "TestU01": batteries.verdict(tested),
        }
        for generator, (way, tested) in kinds.items()
    ]


def without_waiting(share, hashed):
    return (1 / share[hashed]).named("×")


def beside_c(times, hashed, shots):
    return {"C": times.ratio("C", hashed, shots)}


def lanes_in_c(times, shots):
    return times.ratio("Numba, lanes", "C vectors, lanes", shots)


@figure(x="time per shot", log=True, better="less")
def one_core_figure(per_shot):
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


def best_c(per_shot):
    by_hand = ("C vectors", "C vectors, lanes")
    return min(by_hand, key=lambda name: per_shot[name].value)


@judge("limit-against-hand-written-vectors")
def against_vectors(times, best_c, fastest, shots):
    """In vectors of {in_c[bits]} bits."""
    return times.ratio(fastest, best_c, shots)


@answer("fastest-pi")
def fastest_pi(gain, documented, hash_gain):
    """Let no draw wait for the one before: a Numba loop that hashes the index
    of each point takes {per_shot[Numba, int].about} per point on one core,
    and vector instructions written from Python take
    {per_shot[Numba, vectors].about}. Both are for coordinates of 16 bits.
    """
    return gain["Python"] > 100, gain[documented] > 1, hash_gain["Python"] > 1


def speeds(all_cores, teams):
    return all_cores.speeds(teams)


@figure
def all_cores_figure(speeds, cores):
    """Three ways to share out the blocks, and two controls: {cores} threads
    over one. All come close to the number of cores.
    """
    gains = {name: gain[cores] for name, gain in speeds.items()}
    return figures.bars(
        gains, x=f"speed-up of {cores} threads over one", reference=cores
    )


def threads_gain(speeds, cores):
    return speeds["nogil threads"][cores]


@judge("limit-all-cores")
def limit_all_cores(threads_gain, mix_gain):
    return threads_gain / mix_gain


def mix_gain(speeds, cores):
    return speeds["mix"][cores]


def lattices(price):
    return price.lattices()


@table
def bends(price, teams, cores, many):
    """After how many shots rounding dominates, by bits of a coordinate."""
    called = {
        "law bends at, shots": "shots until rounding dominates",
        "time to get there": "time for them",
    }
    rows = price.rows(teams.seconds(f"nogil threads, {cores}") / many)
    return [{called.get(k, k): v for k, v in row.items()} for row in rows]


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
