/* The kernel of aes.py in C by hand: the same blocks of AES, so the same
   hits for the same key.  A block is four shots of 16 bits a coordinate. */
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#define VECTORS 8
#define SHOTS (VECTORS * 16)
#define BLOCKS (SHOTS / 4)
#define ROUNDS 1
#define MOST 7
#define STEP_LOW 0x9E3779B97F4A7C15u
#define STEP_HIGH 0xBB67AE8584CAA73Bu
#define RADIUS_BIT 30
#define CORNER (1 << 15)

static uint32_t key_of(uint64_t seed, uint64_t block)
{
    uint64_t z = seed + (block + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)((z ^ z >> 31) >> 32);
}

/* The number of the first block, and the keys of the rounds. */
static void keys_of(uint32_t key, int rounds, __m128i *keys)
{
    uint32_t halves[4 * (MOST + 1)];
    for (int k = 0; k < 4 * (rounds + 1); ++k)
        halves[k ^ 1] = key_of(key, k);
    memcpy(keys, halves, 16 * (rounds + 1));
}

static inline __m128i later(__m128i number, uint64_t blocks)
{
    return _mm_add_epi64(
        number, _mm_set_epi64x(blocks * STEP_HIGH, blocks * STEP_LOW));
}

/* The words of so many blocks, in their order. */
void words_aes(uint32_t *words, uint64_t blocks, uint32_t key, int rounds)
{
    __m128i keys[MOST + 1];
    keys_of(key, rounds, keys);
    for (uint64_t block = 0; block < blocks; ++block) {
        __m128i word = later(keys[0], block);
        for (int k = 1; k <= rounds; ++k)
            word = _mm_aesenc_si128(word, keys[k]);
        _mm_storeu_si128((__m128i *)words + block, word);
    }
}

/* As many blocks as a register holds. */
#if defined __VAES__ && defined __AVX512BW__
#define WIDE 4
typedef __m512i wide;
#define ADD _mm512_add_epi64
#define ADD_COUNTS _mm512_add_epi32
#define ROUND _mm512_aesenc_epi128
#define SQUARES(x) _mm512_madd_epi16(x, x)
#define SHIFT _mm512_srli_epi32
#elif defined __VAES__ && defined __AVX2__
#define WIDE 2
typedef __m256i wide;
#define ADD _mm256_add_epi64
#define ADD_COUNTS _mm256_add_epi32
#define ROUND _mm256_aesenc_epi128
#define SQUARES(x) _mm256_madd_epi16(x, x)
#define SHIFT _mm256_srli_epi32
#else
#define WIDE 1
typedef __m128i wide;
#define ADD _mm_add_epi64
#define ADD_COUNTS _mm_add_epi32
#define ROUND _mm_aesenc_si128
#define SQUARES(x) _mm_madd_epi16(x, x)
#define SHIFT _mm_srli_epi32
#endif
#define REGISTERS (BLOCKS / WIDE) /* in a turn */

static wide all(__m128i block)
{
    wide vector;
    for (int k = 0; k < WIDE; ++k)
        memcpy((__m128i *)&vector + k, &block, sizeof block);
    return vector;
}

static wide apart(__m128i number)
{
    wide vector;
    for (int k = 0; k < WIDE; ++k) {
        __m128i block = later(number, k);
        memcpy((__m128i *)&vector + k, &block, sizeof block);
    }
    return vector;
}

static uint64_t misses(uint32_t key, uint64_t turns)
{
    __m128i keys[ROUNDS + 1], zero = _mm_setzero_si128();
    keys_of(key, ROUNDS, keys);
    wide number = apart(keys[0]), count = all(zero), own[ROUNDS];
    for (int k = 0; k < ROUNDS; ++k)
        own[k] = all(keys[k + 1]);
    for (uint64_t turn = 0; turn < turns; ++turn) {
#pragma GCC unroll 32
        for (int k = 0; k < REGISTERS; ++k) {
            wide word = ADD(number, all(later(zero, k * WIDE)));
#pragma GCC unroll 2
            for (int r = 0; r < ROUNDS; ++r)
                word = ROUND(word, own[r]);
            count = ADD_COUNTS(count, SHIFT(SQUARES(word), RADIUS_BIT));
        }
        number = ADD(number, all(later(zero, BLOCKS)));
    }
    uint32_t lanes[4 * WIDE];
    memcpy(lanes, &count, sizeof lanes);
    uint64_t sum = 0;
    for (int k = 0; k < 4 * WIDE; ++k)
        sum += lanes[k];
    return sum;
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

uint64_t hits_aes(uint64_t shots, uint32_t key)
{
    uint64_t turns = shots / SHOTS, hits = 0;
    if (turns)
        hits = turns * SHOTS - misses(key, turns);
    if (shots % SHOTS)
        hits += hits_int((uint32_t)(shots % SHOTS), ~key);
    return hits;
}
