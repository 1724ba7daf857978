/* Counts of a text's words, by open addressing with the hash FNV-1a. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int64_t start, length, count;
} Word;

typedef struct {
    const char *text;
    Word *words;
    int64_t known;
    int64_t *table; /* 1 + number of a word, or 0 */
    int64_t places; /* a power of 2 */
} Counts;

/* Return where the table has a word, or where there is room for it. */
static int64_t *place(const Counts *c, Word word)
{
    const char *bytes = c->text + word.start;
    uint64_t k = 14695981039346656037u;
    for (int64_t i = 0; i < word.length; ++i)
        k = (k ^ (unsigned char)bytes[i]) * 1099511628211u;
    for (;; ++k) {
        int64_t *found = &c->table[k & (c->places - 1)];
        if (!*found)
            return found;
        Word known = c->words[*found - 1];
        if (known.length == word.length
            && !memcmp(c->text + known.start, bytes, word.length))
            return found;
    }
}

/* Make room for twice as many words; return whether there was memory. */
static int grow(Counts *c)
{
    c->places *= 2;
    free(c->table);
    c->table = calloc(c->places, sizeof *c->table);
    Word *words = realloc(c->words, c->places / 2 * sizeof *words);
    if (words)
        c->words = words;
    if (!words || !c->table)
        return 0;
    for (int64_t i = 0; i < c->known; ++i)
        *place(c, words[i]) = i + 1;
    return 1;
}

/* Count the words of a text, apart by blanks or line ends.  Give them in
   `words`, for the caller to free; return their number, or -1 for want of
   memory. */
int64_t words(const char *text, int64_t length, Word **words)
{
    Counts c = {.text = text, .places = 512};
    int fine = grow(&c);
    for (int64_t start = 0, end; fine && start < length; start = end + 1) {
        for (end = start; end < length && (unsigned char)text[end] > ' '; ++end)
            ;
        if (end == start)
            continue;
        Word word = {start, end - start, 1};
        int64_t *found = place(&c, word);
        if (*found) {
            ++c.words[*found - 1].count;
            continue;
        }
        c.words[c.known++] = word;
        *found = c.known;
        if (2 * c.known == c.places)
            fine = grow(&c);
    }
    free(c.table);
    *words = c.words;
    return fine ? c.known : -1;
}
