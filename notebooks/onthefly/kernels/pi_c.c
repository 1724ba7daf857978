/* Pi by a loop in C, as an extension of CPython.
   Source: Okuda, PyCon JP 2018, slides 12, 13, 15 and 17. */
#define _GNU_SOURCE /* random_r */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* One call's work, and the whole state of its generator. */
struct job {
    const char *generator;
    long long shots, hits;
    unsigned long long seed;
    unsigned int *word;       /* of rand_r */
    struct random_data *data; /* of random_r, with ... */
    char table[128];          /* ... this table */
    uint64_t lane[4];         /* of xoshiro256+ */
};

/* xoshiro256+ of Blackman and Vigna (doi 10.1145/3460772). */
static inline uint64_t
rotl(uint64_t x, int k)
{
    return x << k | x >> (64 - k);
}

static inline double
xoshiro(uint64_t *s)
{
    uint64_t sum = s[0] + s[3], t = s[1] << 17;
    s[2] ^= s[0], s[3] ^= s[1], s[1] ^= s[2], s[0] ^= s[3];
    s[2] ^= t, s[3] = rotl(s[3], 45);
    return (sum >> 11) * 0x1p-53;
}

/* splitmix64: spreads a seed over the four words. */
static uint64_t
splitmix(uint64_t *x)
{
    uint64_t z = *x += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static inline double
next_random_r(struct random_data *data)
{
    int32_t value;
    random_r(data, &value);
    return (double)value / RAND_MAX;
}

static void
seed_job(struct job *job)
{
    uint64_t seed = job->seed;
    *job->word = (unsigned int)seed;
    memset(job->data, 0, sizeof *job->data);
    initstate_r((unsigned int)seed, job->table, 128, job->data);
    if (!strcmp(job->generator, "rand"))
        srand((unsigned int)seed);
    if (!strcmp(job->generator, "drand48"))
        srand48((long)seed);
    for (int k = 0; k < 4; ++k)
        job->lane[k] = splitmix(&seed);
}

/* The talk's loop; `draw` is the next number between 0 and 1. */
#define COUNT(draw)                                \
    for (long long i = 0; i < job->shots; ++i) {   \
        double x = (draw);                         \
        double y = (draw);                         \
        hits += x * x + y * y <= 1.0;              \
    }

static void
count(struct job *job)
{
    const char *g = job->generator;
    long long hits = 0;
    seed_job(job);
    if (!strcmp(g, "rand_r"))
        COUNT((double)rand_r(job->word) / RAND_MAX)
    else if (!strcmp(g, "random_r"))
        COUNT(next_random_r(job->data))
    else if (!strcmp(g, "rand"))
        COUNT((double)rand() / RAND_MAX)
    else if (!strcmp(g, "drand48"))
        COUNT(drand48())
    else
        COUNT(xoshiro(job->lane))
    job->hits = hits;
}

/* States side by side in memory, for the experiment on cache lines. */
#define PLACES 64
static unsigned int words[PLACES];
static struct random_data datas[PLACES];

/* Read (shots, seed, generator, release, place) and check them. */
static int
read_job(PyObject *args, struct job *job, int *release)
{
    const char *known[] = {"rand_r", "random_r", "rand", "drand48",
                           "xoshiro"};
    int place = -1;
    job->generator = "rand_r";
    if (!PyArg_ParseTuple(args, "LK|spi", &job->shots, &job->seed,
                          &job->generator, release, &place))
        return 0;
    if (job->shots < 1 || place < -1 || place >= PLACES) {
        PyErr_SetString(PyExc_ValueError,
                        "shots must be at least 1, place below 64");
        return 0;
    }
    if (place >= 0) {
        job->word = &words[place];
        job->data = &datas[place];
    }
    for (int k = 0; k < 5; ++k)
        if (!strcmp(job->generator, known[k]))
            return 1;
    PyErr_Format(PyExc_ValueError, "no generator %s", job->generator);
    return 0;
}

static PyObject *
hits(PyObject *self, PyObject *args)
{
    unsigned int word;
    struct random_data data;
    struct job job = {.word = &word, .data = &data};
    int release = 1;
    /* 1. Copy Python objects to C data. */
    if (!read_job(args, &job, &release))
        return NULL;
    if (release) {
        Py_BEGIN_ALLOW_THREADS /* 2. Let go of the GIL. */
        count(&job);           /* 3. Count; touch no Python object. */
        Py_END_ALLOW_THREADS   /* 4. Take the GIL again. */
    }
    else
        count(&job);
    /* 5. Copy C data to a Python object. */
    return PyLong_FromLongLong(job.hits);
}

/* For the tests of quality: raw numbers of 31 bits, as bytes. */
static PyObject *
raw(PyObject *self, PyObject *args)
{
    unsigned int word;
    struct random_data data;
    struct job job = {.word = &word, .data = &data};
    int release = 0;
    if (!read_job(args, &job, &release))
        return NULL;
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, job.shots * 4);
    if (!bytes)
        return NULL;
    int32_t *out = (int32_t *)PyBytes_AsString(bytes);
    const char *g = job.generator;
    seed_job(&job);
    for (long long i = 0; i < job.shots; ++i)
        if (!strcmp(g, "rand_r"))
            out[i] = rand_r(job.word);
        else if (!strcmp(g, "random_r"))
            random_r(job.data, &out[i]);
        else if (!strcmp(g, "rand"))
            out[i] = rand();
        else if (!strcmp(g, "drand48"))
            out[i] = (int32_t)lrand48();
        else
            out[i] = (int32_t)(xoshiro(job.lane) * 0x1p31);
    return bytes;
}

static PyMethodDef methods[] = {
    {"hits", hits, METH_VARARGS,
     "hits(shots, seed, generator='rand_r', release=True, place=-1)"},
    {"raw", raw, METH_VARARGS, "raw(numbers, seed, generator='rand_r')"},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {{0, NULL}};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, .m_name = "pi_c", .m_methods = methods,
    .m_slots = slots,
};

PyMODINIT_FUNC
PyInit_pi_c(void)
{
    return PyModuleDef_Init(&module);
}
