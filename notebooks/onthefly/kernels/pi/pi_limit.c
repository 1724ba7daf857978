/* The kernels of pi_limit.py in C: the same arithmetic, so the same hits for
   the same key.  hits_int is the plain twin, which the compiler vectorises;
   hits_int_simd and hits_lanes_simd are vectors by hand, as wide as the
   processor's.  Numbers of 32 bits throughout; every overflow is meant. */
#include <stdint.h>
#include <string.h>
#ifdef __AVX2__
#include <immintrin.h>
#endif

#define STEP 0x9E3779B9u
#define CORNER (1 << 15)
#define BLOCK (1u << 20)

static inline uint32_t mix(uint32_t h)
{
    h = (h ^ h >> 16) * 0x21F0AAADu;
    h = (h ^ h >> 15) * 0x735A2D97u;
    return h ^ h >> 15;
}

static inline uint32_t inside(uint32_t h)
{
    int32_t x = (int32_t)h >> 16, y = (int32_t)(h << 16) >> 16;
    return (int32_t)((uint32_t)(x * x) + (uint32_t)(y * y)) < CORNER * CORNER;
}

uint32_t hits_int(uint32_t shots, uint32_t key)
{
    uint32_t hits = 0;
    for (uint32_t k = 1; k <= shots; ++k)
        hits += inside(mix(k * STEP ^ key));
    return hits;
}

static uint32_t key_of(uint64_t seed, uint64_t block)
{
    uint64_t z = seed + (block + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)((z ^ z >> 31) >> 32);
}

/* Vectors of one register.  x*x + y*y of a hash's two halves is a single
   instruction, which the compilers do not find by themselves. */
#if defined __AVX512BW__
#define BYTES 64
#elif defined __AVX2__
#define BYTES 32
#else
#define BYTES 16
#endif
#define WIDTH (BYTES / 4)
typedef uint32_t word __attribute__((vector_size(BYTES)));
typedef int32_t sword __attribute__((vector_size(BYTES)));

int simd_bytes(void)
{
    return BYTES;
}

static inline sword square(word h)
{
#if defined __AVX512BW__
    return (sword)_mm512_madd_epi16((__m512i)h, (__m512i)h);
#elif defined __AVX2__
    return (sword)_mm256_madd_epi16((__m256i)h, (__m256i)h);
#else
    sword x = (sword)h >> 16, y = (sword)(h << 16) >> 16;
    return x * x + y * y;
#endif
}

static inline word inside_simd(word h) /* 1 for a hit, else 0 */
{
    return -(word)(square(h) < CORNER * CORNER);
}

static inline word mix_simd(word h)
{
    h = (h ^ h >> 16) * 0x21F0AAADu;
    h = (h ^ h >> 15) * 0x735A2D97u;
    return h ^ h >> 15;
}

static uint32_t sum(word v)
{
    uint32_t total = 0;
    for (int k = 0; k < WIDTH; ++k)
        total += v[k];
    return total;
}

uint32_t hits_int_simd(uint32_t shots, uint32_t key)
{
    word counter[4], hits[4] = {0};
    uint32_t group = 4 * WIDTH, whole = shots - shots % group, tail = 0;
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < WIDTH; ++k)
            counter[i][k] = (i * WIDTH + k + 1) * STEP;
    for (uint32_t k = 0; k < whole; k += group)
        for (int i = 0; i < 4; ++i) {
            hits[i] += inside_simd(mix_simd(counter[i] ^ key));
            counter[i] += group * STEP;
        }
    for (uint32_t k = whole + 1; k <= shots; ++k)
        tail += inside(mix(k * STEP ^ key));
    return tail + sum(hits[0] + hits[1] + hits[2] + hits[3]);
}

#define LANES 64
#define GROUPS (LANES / WIDTH)

uint32_t hits_lanes_simd(uint32_t shots, uint32_t key)
{
    uint32_t seeds[4][LANES], tail = 0;
    word s[4][GROUPS], hits[GROUPS];
    for (int k = 0; k < 4 * LANES; ++k)
        seeds[k / LANES][k % LANES] = key_of(key, k);
    memcpy(s, seeds, sizeof s);
    memset(hits, 0, sizeof hits);
    uint32_t rest = shots % LANES;
    for (uint32_t start = 0; start + LANES <= shots; start += LANES)
        for (int i = 0; i < GROUPS; ++i) {
            word a = s[0][i], b = s[1][i], c = s[2][i], d = s[3][i];
            hits[i] += inside_simd(a + d);
            c ^= a, d ^= b;
            s[1][i] = b ^ c, s[0][i] = a ^ d;
            s[2][i] = c ^ b << 9;
            s[3][i] = d << 11 | d >> 21;
        }
    for (uint32_t k = 0; k < rest; ++k)
        tail += inside(s[0][k / WIDTH][k % WIDTH] + s[3][k / WIDTH][k % WIDTH]);
    for (int i = 0; i < GROUPS; ++i)
        tail += sum(hits[i]);
    return tail;
}

/* The blocks of a run, shared among threads by OpenMP. */
uint64_t hits_openmp(uint64_t shots, uint64_t seed, int threads)
{
    uint64_t hits = 0;
    int64_t blocks = (int64_t)((shots + BLOCK - 1) / BLOCK);
#pragma omp parallel for reduction(+ : hits) num_threads(threads)
    for (int64_t block = 0; block < blocks; ++block) {
        uint64_t left = shots - (uint64_t)block * BLOCK;
        hits += hits_int(left < BLOCK ? left : BLOCK, key_of(seed, block));
    }
    return hits;
}
