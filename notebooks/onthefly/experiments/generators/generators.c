/* Random numbers of the C library, and of one generator beside it.  A seat is
   what a thread draws from; two seats may share a state, or a lock.  All
   generators give numbers of 31 bits, from 0 to RAND_MAX. */
#define _GNU_SOURCE /* random_r, syscall */
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define APART 256 /* bytes: no two seats on one line of memory, nor a pair */
#define PACKED 64

/* A lock as the C library's: 0 free, 1 taken, 2 taken and waited for. */
struct lock {
    atomic_int word;
};

struct seat {
    unsigned int word;            /* of rand_r */
    unsigned short triple[3];     /* of erand48 */
    uint64_t lane[4];             /* of xoshiro256+ */
    struct random_data data;      /* of random_r, with ... */
    char table[128];              /* ... this table */
    struct random_data *state;    /* what random_r is given: as a rule data */
    long long busy, waits, wakes; /* see take and give */
    struct lock *lock;            /* what guards the state: as a rule own */
    _Alignas(APART) struct lock own;
};

static struct random_data packed[PACKED]; /* states side by side */

/* Ask the kernel to let us sleep until the lock is given back. */
static void sleep_on(struct lock *lock)
{
    syscall(SYS_futex, &lock->word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
}

/* Ask the kernel to wake one that sleeps. */
static void wake_one(struct lock *lock)
{
    syscall(SYS_futex, &lock->word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static inline void take(struct lock *lock, struct seat *s)
{
    int was = 0;
    if (atomic_compare_exchange_strong(&lock->word, &was, 1))
        return; /* it was free, and is ours */
    ++s->busy;
    while (atomic_exchange(&lock->word, 2) != 0) {
        ++s->waits;
        sleep_on(lock);
    }
}

static inline void give(struct lock *lock, struct seat *s)
{
    if (atomic_exchange(&lock->word, 0) == 2) { /* somebody may sleep */
        ++s->wakes;
        wake_one(lock);
    }
}

static inline int32_t next_random_r(struct seat *s)
{
    int32_t value;
    random_r(s->state, &value);
    return value;
}

/* rand, by hand: random_r between taking a lock and giving it back. */
static inline int32_t next_locked(struct seat *s)
{
    take(s->lock, s);
    int32_t value = next_random_r(s);
    give(s->lock, s);
    return value;
}

static inline int32_t next_rand(struct seat *s)
{
    (void)s;
    return rand();
}

static inline int32_t next_rand_r(struct seat *s)
{
    return rand_r(&s->word);
}

static inline int32_t next_drand48(struct seat *s) /* one state for all */
{
    (void)s;
    return (int32_t)lrand48();
}

static inline int32_t next_erand48(struct seat *s) /* one for each seat */
{
    return (int32_t)nrand48(s->triple);
}

/* xoshiro256+ of Blackman and Vigna (doi 10.1145/3460772). */
static inline int32_t next_xoshiro(struct seat *seat)
{
    uint64_t *s = seat->lane, sum = s[0] + s[3], t = s[1] << 17;
    s[2] ^= s[0], s[3] ^= s[1], s[1] ^= s[2], s[0] ^= s[3];
    s[2] ^= t, s[3] = s[3] << 45 | s[3] >> 19;
    return (int32_t)(sum >> 33);
}

/* The loops of a generator: hits among so many shots, and the numbers. */
#define GENERATOR(name)                                                     \
    long long hits_##name(struct seat *s, long long shots)                  \
    {                                                                       \
        long long hits = 0;                                                 \
        for (long long i = 0; i < shots; ++i) {                             \
            double x = (double)next_##name(s) / RAND_MAX;                   \
            double y = (double)next_##name(s) / RAND_MAX;                   \
            hits += x * x + y * y <= 1.0;                                   \
        }                                                                   \
        return hits;                                                        \
    }                                                                       \
    void fill_##name(struct seat *s, int32_t *out, long long count)         \
    {                                                                       \
        for (long long i = 0; i < count; ++i)                               \
            out[i] = next_##name(s);                                        \
    }

GENERATOR(rand)
GENERATOR(random_r)
GENERATOR(locked)
GENERATOR(rand_r)
GENERATOR(drand48)
GENERATOR(erand48)
GENERATOR(xoshiro)

/* splitmix64: spreads a seed over the words of a state. */
static uint64_t splitmix(uint64_t *x)
{
    uint64_t z = *x += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* Return a new seat, and give the process's own states this seed, too; NULL
   where there is no memory.
   place          of its state of random_r among those side by side, or -1
   state, lock    seats whose state and whose lock it uses, or NULL */
struct seat *new_seat(uint64_t seed, int place, struct seat *state,
                      struct seat *lock)
{
    struct seat *s = aligned_alloc(APART, sizeof *s);
    if (!s)
        return NULL;
    memset(s, 0, sizeof *s);
    s->word = (unsigned int)seed;
    srand(s->word);
    srand48((long)seed);
    s->triple[0] = 0x330e; /* as srand48 does */
    s->triple[1] = (unsigned short)seed;
    s->triple[2] = (unsigned short)(seed >> 16);
    s->state = place < 0 ? &s->data : &packed[place % PACKED];
    memset(s->state, 0, sizeof *s->state);
    initstate_r(s->word, s->table, sizeof s->table, s->state);
    for (int k = 0; k < 4; ++k)
        s->lane[k] = splitmix(&seed);
    if (state)
        s->state = state->state;
    s->lock = lock ? lock->lock : &s->own;
    return s;
}

/* Tell how often a seat found its lock taken, and asked the kernel to let it
   wait, and to wake another. */
void counted(const struct seat *s, long long *out)
{
    out[0] = s->busy;
    out[1] = s->waits;
    out[2] = s->wakes;
}
