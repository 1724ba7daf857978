/* A filter with a memory: y[i] = a y[i - 1] + b x[i]. */

void filter(const double *x, double *y, long n, double a, double b)
{
    double last = 0.0;
    for (long i = 0; i < n; ++i)
        y[i] = last = a * last + b * x[i];
}
