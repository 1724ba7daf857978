/* Steps to 1 from each whole number of an array. */

#include <stdint.h>

void collatz(const int64_t *starts, int64_t *steps, long n)
{
    for (long i = 0; i < n; ++i) {
        int64_t count = 0;
        for (int64_t x = starts[i]; x != 1; ++count)
            x = x % 2 == 0 ? x / 2 : 3 * x + 1;
        steps[i] = count;
    }
}
