/* Counts of whole numbers. */

#include <stdint.h>

void histogram(const int64_t *values, long n, int64_t *counts)
{
    for (long i = 0; i < n; ++i)
        ++counts[values[i]];
}
