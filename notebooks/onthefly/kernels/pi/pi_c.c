/* Pi by a loop in C, as an extension of CPython.
   Source: Okuda, PyCon JP 2018, slides 12, 13 and 15. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* One call's work. */
struct job {
    long long shots, hits;
    unsigned long long seed;
    const char *generator;
};

/* The talk's loop, with the talk's generator. */
static long long count_rand_r(long long shots, unsigned int state)
{
    long long hits = 0;
    for (long long i = 0; i < shots; ++i) {
        double x = (double)rand_r(&state) / RAND_MAX;
        double y = (double)rand_r(&state) / RAND_MAX;
        hits += x * x + y * y <= 1.0;
    }
    return hits;
}

/* splitmix64: spreads a seed over the words of a state. */
static uint64_t splitmix(uint64_t *x)
{
    uint64_t z = *x += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* xoshiro256+ of Blackman and Vigna (doi 10.1145/3460772). */
static inline double xoshiro(uint64_t *s)
{
    uint64_t sum = s[0] + s[3], t = s[1] << 17;
    s[2] ^= s[0], s[3] ^= s[1], s[1] ^= s[2], s[0] ^= s[3];
    s[2] ^= t, s[3] = s[3] << 45 | s[3] >> 19;
    return (sum >> 11) * 0x1p-53;
}

/* The same loop with it. */
static long long count_xoshiro(long long shots, uint64_t seed)
{
    uint64_t state[4];
    long long hits = 0;
    for (int k = 0; k < 4; ++k)
        state[k] = splitmix(&seed);
    for (long long i = 0; i < shots; ++i) {
        double x = xoshiro(state);
        double y = xoshiro(state);
        hits += x * x + y * y <= 1.0;
    }
    return hits;
}

static void count(struct job *job)
{
    if (!strcmp(job->generator, "xoshiro"))
        job->hits = count_xoshiro(job->shots, job->seed);
    else
        job->hits = count_rand_r(job->shots, (unsigned int)job->seed);
}

/* Read (shots, seed, generator) and check them. */
static int read_job(PyObject *args, struct job *job)
{
    job->generator = "rand_r";
    if (!PyArg_ParseTuple(args, "LK|s", &job->shots, &job->seed,
                          &job->generator))
        return 0;
    if (job->shots < 1) {
        PyErr_SetString(PyExc_ValueError, "shots must be at least 1");
        return 0;
    }
    if (!strcmp(job->generator, "rand_r")
        || !strcmp(job->generator, "xoshiro"))
        return 1;
    PyErr_Format(PyExc_ValueError, "no generator %s", job->generator);
    return 0;
}

static PyObject *hits(PyObject *self, PyObject *args)
{
    struct job job;
    if (!read_job(args, &job))     /* 1. Copy Python objects to C data. */
        return NULL;
    Py_BEGIN_ALLOW_THREADS         /* 2. Let go of the GIL. */
    count(&job);                   /* 3. Count; touch no Python object. */
    Py_END_ALLOW_THREADS           /* 4. Take the GIL again. */
    return PyLong_FromLongLong(job.hits); /* 5. Make a Python object. */
}

/* The same without steps 2 and 4. */
static PyObject *hits_held(PyObject *self, PyObject *args)
{
    struct job job;
    if (!read_job(args, &job))
        return NULL;
    count(&job);
    return PyLong_FromLongLong(job.hits);
}

static PyMethodDef methods[] = {
    {"hits", hits, METH_VARARGS, "hits(shots, seed, generator='rand_r')"},
    {"hits_held", hits_held, METH_VARARGS, "The same, with the GIL held."},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {
#ifdef NO_GIL_NEEDED /* the one line that a free-threaded build asks for */
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, .m_name = "pi_c", .m_methods = methods,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit_pi_c(void)
{
    return PyModuleDef_Init(&module);
}
