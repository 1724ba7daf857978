/* A sum of products, added in the order of the array. */

double dot(const double *x, const double *y, long n)
{
    double total = 0.0;
    for (long i = 0; i < n; ++i)
        total += x[i] * y[i];
    return total;
}
