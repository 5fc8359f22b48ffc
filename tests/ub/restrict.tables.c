/* Arrays and structures of restrict pointers that have file scope. */
static int data[8];
static int *restrict table[3];
static struct { int *restrict from, *restrict to; } job;
static void add(int n)
{
    for (int i = 0; i < n; i++)
        table[0][i] += table[1][i];
}
static int run(int *p)
{
    job.to[0] = job.from[0] + 1;
    p[0]++; /* may be job's own value */
    return job.to[0];
}
int main(void)
{
    table[0] = data;
    table[1] = data + 4;
    job.from = job.to = data;
#if CASE == 1
    table[1] = data + 1;
    add(3);
#elif CASE == 2
    return run(data + 7) < 0;
#elif CASE == 3
    add(3);
#else
    job.to = data + 1;
    return run(job.to) - 2;
#endif
    return 0;
}
