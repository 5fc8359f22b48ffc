/* What main gets in parameters that are neither an int nor pointers (C11 5.1.2.2.1p1). */
#include <stdio.h>
#if CASE == 1
int main(int a, int b) { return a + b > 5; }
#elif CASE == 2
int main(double n) { return n > 1; }
#elif CASE == 3
int main(int a, int b) { return a - 1; }
#else
int main(int n, const char **words, void *settings) { return n != 1 || !words[0] || words[1] || !settings; }
#endif
