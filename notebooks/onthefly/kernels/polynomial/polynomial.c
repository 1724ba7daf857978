/* A cubic at each number of an array. */

void polynomial(const double *x, double *y, long n)
{
    for (long i = 0; i < n; ++i)
        y[i] = ((2.0 * x[i] + 3.0) * x[i] - 5.0) * x[i] + 7.0;
}
