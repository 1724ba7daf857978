/* Jacobi's sweeps over a grid. */

static void sweep(const double *restrict before, double *restrict after,
                  long rows, long columns)
{
    for (long i = 1; i < rows - 1; ++i) {
        const double *row = before + i * columns;
        double *new = after + i * columns;
        for (long j = 1; j < columns - 1; ++j)
            new[j] = 0.25 * (row[j - columns] + row[j + columns]
                             + row[j - 1] + row[j + 1]);
    }
}

/* Sweep a grid so many times.  `a` and `b` are both the grid, row by row; the
   last sweep writes `b` where their number is odd, and otherwise `a`. */
void stencil(double *a, double *b, long rows, long columns, int sweeps)
{
    for (int k = 0; k < sweeps; ++k)
        if (k % 2)
            sweep(b, a, rows, columns);
        else
            sweep(a, b, rows, columns);
}
