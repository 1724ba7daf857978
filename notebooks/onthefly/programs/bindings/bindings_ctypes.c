#include <stddef.h>

void decay(const double *x, double *y, size_t n)
{
    double level = 0;
    for (size_t k = 0; k < n; k++) {
        level = 0.9 * level + 0.1 * x[k];
        y[k] = level;
    }
}
