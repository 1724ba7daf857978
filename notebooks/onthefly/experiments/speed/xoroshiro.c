/* The kernel of pi_vectors.py in C by hand: the same generators, so the same
   hits for the same key.  Eight generators xoroshiro128+ of eight lanes; a
   lane's 64 bits are two shots of 16 bits a coordinate. */
#include <stdint.h>
#include <string.h>
#ifdef __AVX2__
#include <immintrin.h>
#endif

#define LANES 8
#define GENERATORS 8
#define SHOTS (2 * LANES * GENERATORS)
#ifdef __AVX512F__
#define AT_ONCE 8
#else
#define AT_ONCE 2
#endif
#define RADIUS_BIT 30
#define CORNER (1 << 15)
typedef uint64_t word __attribute__((vector_size(8 * LANES)));
typedef uint32_t number __attribute__((vector_size(8 * LANES)));
typedef int32_t snumber __attribute__((vector_size(8 * LANES)));

static inline number squares(word given)
{
#if defined __AVX512BW__
    __m512i halves = (__m512i)given;
    return (number)_mm512_madd_epi16(halves, halves);
#elif defined __AVX2__
    __m256i halves[2];
    memcpy(halves, &given, sizeof halves);
    for (int k = 0; k < 2; ++k)
        halves[k] = _mm256_madd_epi16(halves[k], halves[k]);
    number sums;
    memcpy(&sums, halves, sizeof sums);
    return sums;
#else
    snumber x = (snumber)given >> 16, y = (snumber)((number)given << 16) >> 16;
    return (number)(x * x) + (number)(y * y);
#endif
}

static uint64_t misses(const word *state, uint64_t turns)
{
    number count = {0};
    for (int first = 0; first < GENERATORS; first += AT_ONCE) {
        word a[AT_ONCE], b[AT_ONCE];
        for (int k = 0; k < AT_ONCE; ++k) {
            a[k] = state[2 * (first + k)];
            b[k] = state[2 * (first + k) + 1];
        }
        for (uint64_t turn = 0; turn < turns; ++turn) {
#pragma GCC unroll 8
            for (int k = 0; k < AT_ONCE; ++k) {
                count += squares(a[k] + b[k]) >> RADIUS_BIT;
                b[k] ^= a[k];
                a[k] = (a[k] << 24 | a[k] >> 40) ^ b[k] ^ b[k] << 16;
                b[k] = b[k] << 37 | b[k] >> 27;
            }
        }
    }
    uint64_t sum = 0;
    for (int lane = 0; lane < 2 * LANES; ++lane)
        sum += count[lane];
    return sum;
}

static uint32_t key_of(uint64_t seed, uint64_t block)
{
    uint64_t z = seed + (block + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)((z ^ z >> 31) >> 32);
}

static uint32_t hits_int(uint32_t shots, uint32_t key)
{
    uint32_t hits = 0;
    for (uint32_t k = 1; k <= shots; ++k) {
        uint32_t h = k * 0x9E3779B9u ^ key;
        h = (h ^ h >> 16) * 0x21F0AAADu;
        h = (h ^ h >> 15) * 0x735A2D97u;
        h ^= h >> 15;
        int32_t x = (int32_t)h >> 16, y = (int32_t)(h << 16) >> 16;
        hits += (int32_t)((uint32_t)(x * x) + (uint32_t)(y * y))
                < CORNER * CORNER;
    }
    return hits;
}

uint64_t hits_xoroshiro(uint64_t shots, uint32_t key)
{
    word state[2 * GENERATORS];
    uint64_t turns = shots / SHOTS, hits = 0;
    if (turns) {
        for (int k = 0; k < 2 * GENERATORS * LANES; ++k)
            ((uint64_t *)state)[k] = (uint64_t)key_of(key, 2 * k) << 32
                                     | key_of(key, 2 * k + 1);
        hits = turns * SHOTS - misses(state, turns);
    }
    if (shots % SHOTS)
        hits += hits_int((uint32_t)(shots % SHOTS), ~key);
    return hits;
}
