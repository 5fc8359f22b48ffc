/* uninitialised.jump: a declaration that is jumped over leaves its variable unset, in a frame and in
 * a block that were used before.  1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
int a[3];
int f(int c)
{
    int d = 3;
    goto in;
    for (int i; i < 2; i++) {
    in:
        d -= 3;
    }
    return d + c;
}
int main(void) { return f(a[1] * 2); }
#elif CASE == 2
int main(void)
{
    int turn = 0, sum = 0;
again:
    switch (turn) {
        int x;
    case 0:
        x = 5;
        sum += x;
        break;
    case 1:
        sum += x;
    }
    if (turn++ == 0)
        goto again;
    return sum;
}
#elif CASE == 3
int a[3];
int f(int c)
{
    int d = 3;
    goto in;
    for (int i; i < 2; i++) {
    in:
        i = 5;
        d -= 3;
    }
    return d + c;
}
int main(void) { return f(a[1] * 2); }
#elif CASE == 4
int main(void)
{
    int turn = 0, sum = 0;
again:
    switch (turn) {
        int x;
    case 0:
        x = 5;
        sum += x;
    case 1:
        x = 7;
        sum += x;
    }
    if (turn++ == 0)
        goto again;
    return sum - 19;
}
#endif
