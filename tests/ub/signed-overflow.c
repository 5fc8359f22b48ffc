/* signed-overflow: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
int main(void) { volatile int x = 2147483647; int y = x; return y + 1 > 0; }
#elif CASE == 2
int main(void) { long long m = -9223372036854775807LL - 1; m = -m; return m != 0; }
#elif CASE == 3
int main(void) { unsigned x = 2147483647u; return (int)(x + 1 > 0) - 1; }
#elif CASE == 4
int main(void) { short s = 32767; s = s + 1; return s == -32768 ? 0 : 1; }
#endif
