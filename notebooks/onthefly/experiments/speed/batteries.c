/* TestU01's batteries, on words that come in blocks. */
#include <bbattery.h>
#include <stdint.h>
#include <string.h>
#include <swrite.h>
#include <unif01.h>

#define BLOCK (1u << 20)

static uint32_t words[BLOCK], at;
static uint64_t block;
static int backwards;
static void (*fill)(uint32_t *words, uint64_t block);

static uint32_t reversed(uint32_t word)
{
    word = __builtin_bswap32(word);
    word = (word & 0x0F0F0F0Fu) << 4 | (word >> 4 & 0x0F0F0F0Fu);
    word = (word & 0x33333333u) << 2 | (word >> 2 & 0x33333333u);
    return (word & 0x55555555u) << 1 | (word >> 1 & 0x55555555u);
}

static unsigned int next(void)
{
    if (at == 0)
        fill(words, block++);
    uint32_t word = words[at];
    at = (at + 1) % BLOCK;
    return backwards ? reversed(word) : word;
}

/* Run a battery; return the number of its tests, whose p-values and names
   (of 63 bytes at most) are written. */
int run(int crush, void (*source)(uint32_t *, uint64_t), int mirrored,
        double *p, char (*names)[64])
{
    fill = source, backwards = mirrored, at = 0, block = 0;
    swrite_Basic = FALSE;
    unif01_Gen *generator = unif01_CreateExternGenBits("words", next);
    if (crush)
        bbattery_Crush(generator);
    else
        bbattery_SmallCrush(generator);
    unif01_DeleteExternGenBits(generator);
    for (int k = 0; k < bbattery_NTests; ++k) {
        p[k] = bbattery_pVal[k];
        strncpy(names[k], bbattery_TestNames[k], 63);
    }
    return bbattery_NTests;
}
