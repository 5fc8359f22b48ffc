/* Valid C that gcc 12 gets wrong at every level, found with programs of cupel gen: 0 - 0 is +0, but
 * it negates, as if (float)none were never 0. */
int printf(const char *, ...);

int none;

int main(void)
{
    float f = 0.0f - (float)none;
    printf("%g\n", (double)(1 / f));
    return 0;
}
