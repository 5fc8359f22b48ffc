/* call-type: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
int f(int x) { return x; } int main(void) { double (*p)(double) = (double (*)(double))f; return p(0) > 0; }
#elif CASE == 2
void f(void) { } int main(void) { int (*p)(void) = (int (*)(void))f; return p(); }
#elif CASE == 3
int f(int x) { return x; } int main(void) { void (*p)(void) = (void (*)(void))f; return ((int (*)(int))p)(0); }
#elif CASE == 4
int f(const int x) { return x; } int main(void) { int (*p)(int) = f; return p(0); }
#endif
